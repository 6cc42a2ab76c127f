import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  type CategoryDocument,
  type DocumentProblem,
  type FeatureDocument,
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
  type TypeDocument,
} from '../../../portfolio/documents.ts';
import { EXIT, Failure } from '../../failure.ts';
import { words } from './element.ts';
import builtInTable from './names.json' with { type: 'json' };

const names = z.array(z.string().min(1)).min(1);
const code = z.string().min(1);
const labels = z.record(z.string(), z.unknown());

/**
 * What Kyero's names of types and features stand for, as JSON: `names` are matched in any letter case; the rest is a
 * document of `portfolio/documents.ts` without its `kind`.
 */
const tableSchema = z.strictObject({
  types: z.array(z.strictObject({ names, code, labels })).default([]),
  categories: z.array(z.strictObject({ code, labels })).default([]),
  features: z.array(z.strictObject({ names, code, category: code, labels })).default([]),
});

/** The category of features that no table names. */
const OTHER_CATEGORY = 'Features';

/** Where a document of the vocabulary comes from: an operator's own table counts for more than what is stored. */
interface Entry<Document> {
  readonly document: Document;
  readonly own: boolean;
}

/** Tables of names, looked up by a name. */
export interface KyeroNames {
  readonly types: ReadonlyMap<string, Entry<TypeDocument>>;
  readonly categories: ReadonlyMap<string, Entry<CategoryDocument>>;
  readonly features: ReadonlyMap<string, Entry<FeatureDocument>>;
}

/**
 * The built-in table, with an operator's own laid over it.
 *
 * @param file the path of the operator's table
 * @throws Failure saying what is wrong with it
 */
export async function readKyeroNames(file?: string): Promise<KyeroNames> {
  const builtIn = readTable('names.json', builtInTable, false);
  if (file === undefined) return builtIn;
  const own = readTable(file, await readJson(file), true);
  const table = {
    types: new Map([...builtIn.types, ...own.types]),
    categories: new Map([...builtIn.categories, ...own.categories]),
    features: new Map([...builtIn.features, ...own.features]),
  };
  for (const { document } of own.features.values()) {
    if (!table.categories.has(document.category)) {
      throw unusable(file, `the feature ${document.code} is in a category that no table has: ${document.category}`);
    }
  }
  return table;
}

/**
 * Types and features that the records of a feed name, as documents: those of the tables, and new ones for new texts.
 * A name is resolved whether its record turns out good or bad; what good ones use is told by {@link use}.
 */
export class KyeroVocabulary {
  readonly #names: KyeroNames;
  readonly #resolved = new Map<string, Entry<PortfolioDocument>>();
  /** Codes of features by the texts that stood for them, which come again in record after record. */
  readonly #featureCodes = new Map<string, string>();
  readonly #used = new Set<Entry<PortfolioDocument>>();

  constructor(names: KyeroNames) {
    this.#names = names;
  }

  /**
   * The code of the type that a text names.
   *
   * @throws DocumentError where the name cannot be that of a type
   */
  type(text: string): string {
    const name = words(text);
    return this.#resolve('type', name, this.#names.types.get(key(name)), () => ({
      labels: { uk: { older_type: name, type: name, subtype: null } },
    }));
  }

  /**
   * The code of the feature that a text names, which is its English label too.
   *
   * @throws DocumentError where the name cannot be that of a feature
   */
  feature(text: string): string {
    const known = this.#featureCodes.get(text);
    if (known !== undefined) return known;
    const name = words(text);
    const code = this.labelledFeature(name, { uk: name });
    this.#featureCodes.set(text, code);
    return code;
  }

  /**
   * The code of the feature with this name, and these labels where no table has it.
   *
   * @throws DocumentError where the name or a label cannot be that of a feature
   */
  labelledFeature(name: string, labels: FeatureDocument['labels']): string {
    return this.#resolve('feature', name, this.#names.features.get(key(name)), () => ({
      category: OTHER_CATEGORY,
      labels,
    }));
  }

  /** Notes what a property that is taken names. */
  use({ type, features }: PropertyDocument): void {
    this.#used.add(this.#resolved.get(`type ${type}`)!);
    for (const code of features) {
      const feature = this.#resolved.get(`feature ${code}`)!;
      this.#used.add(this.#names.categories.get((feature.document as FeatureDocument).category)!);
      this.#used.add(feature);
    }
  }

  /** What is used. */
  documents(): { readonly set: readonly PortfolioDocument[]; readonly fallback: readonly PortfolioDocument[] } {
    const entries = [...this.#used];
    return {
      set: entries.filter(({ own }) => own).map(({ document }) => document),
      fallback: entries.filter(({ own }) => !own).map(({ document }) => document),
    };
  }

  #resolve(
    kind: 'type' | 'feature',
    name: string,
    known: Entry<TypeDocument | FeatureDocument> | undefined,
    unknown: () => object,
  ): string {
    const place = `${kind} ${known === undefined ? name : known.document.code}`;
    const resolved = this.#resolved.get(place) as Entry<TypeDocument | FeatureDocument> | undefined;
    if (resolved !== undefined) return resolved.document.code;
    const entry = known ?? {
      document: parseDocument({ kind, code: name, ...unknown() }) as TypeDocument | FeatureDocument,
      own: false,
    };
    this.#resolved.set(place, entry);
    return entry.document.code;
  }
}

function readTable(file: string, value: unknown, own: boolean): KyeroNames {
  const table = parseTable(file, value);
  const entry = <Document extends PortfolioDocument>(given: object): Entry<Document> => ({
    document: checked(file, given) as Document,
    own,
  });
  return {
    types: new Map(
      table.types.flatMap(({ names, ...rest }) => {
        const type = entry<TypeDocument>({ kind: 'type', ...rest });
        return names.map((name) => [key(name), type] as const);
      }),
    ),
    categories: new Map(
      table.categories.map((category) => [category.code, entry<CategoryDocument>({ kind: 'category', ...category })]),
    ),
    features: new Map(
      table.features.flatMap(({ names, ...rest }) => {
        const feature = entry<FeatureDocument>({ kind: 'feature', ...rest });
        return names.map((name) => [key(name), feature] as const);
      }),
    ),
  };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error));
  }
}

function parseTable(file: string, value: unknown): z.output<typeof tableSchema> {
  const result = tableSchema.safeParse(value);
  if (result.success) return result.data;
  throw unusable(file, result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}

function checked(file: string, given: object): PortfolioDocument {
  try {
    return parseDocument(given);
  } catch (error) {
    const problems = (error as { problems?: readonly DocumentProblem[] }).problems;
    const { code } = given as { code: string };
    throw problems === undefined ? error : unusable(file, `${code}: ${(error as Error).message}`);
  }
}

function unusable(file: string, why: string): Failure {
  return new Failure('bad_names', `The table of names ${file} cannot be used: ${why}`, EXIT.usage);
}

function key(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
