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
 * What Kyero's names of types and features stand for, as JSON: `names` are matched in any letter case, and so is a code
 * that is the name of no other; the rest is a document of `portfolio/documents.ts` without its `kind`.
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

interface Named<Document> {
  readonly names: readonly string[];
  readonly entry: Entry<Document>;
}

interface Table {
  readonly types: readonly Named<TypeDocument>[];
  readonly categories: readonly Entry<CategoryDocument>[];
  readonly features: readonly Named<FeatureDocument>[];
}

/** Tables of names, looked up by a name, and by a code for the categories. */
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
  const own =
    file === undefined ? { types: [], categories: [], features: [] } : readTable(file, await readJson(file), true);
  const categories = new Map([...builtIn.categories, ...own.categories].map((entry) => [entry.document.code, entry]));
  for (const { entry } of own.features) {
    const { code, category } = entry.document;
    if (!categories.has(category)) {
      throw unusable(file!, `the feature ${code} is in a category that no table has: ${category}`);
    }
  }
  return {
    types: byName([...builtIn.types, ...own.types]),
    categories,
    features: byName([...builtIn.features, ...own.features]),
  };
}

/**
 * Entries by their names, the later of two with one code or one name. A code stands for its entry as well, unless it is a
 * name: else a text that is one would take its place.
 */
function byName<Document extends TypeDocument | FeatureDocument>(
  given: readonly Named<Document>[],
): Map<string, Entry<Document>> {
  const byCode = new Map(given.map(({ entry }) => [entry.document.code, entry]));
  return new Map([
    ...[...byCode].map(([code, entry]) => [key(code), entry] as const),
    ...given.flatMap(({ names, entry }) => names.map((name) => [key(name), byCode.get(entry.document.code)!] as const)),
  ]);
}

/**
 * Types and features that the records of a feed name, as documents: those of the tables, and new ones for new texts.
 * A name is resolved whether its record turns out good or bad; what good ones use is told by {@link use}.
 */
export class KyeroVocabulary {
  readonly #names: KyeroNames;
  /** Entries by kind and code: those of the tables that are named, and those that texts make. */
  readonly #entries = new Map<string, Entry<TypeDocument | FeatureDocument>>();
  /** Codes of features by the texts that stood for them, which come again in record after record. */
  readonly #featureCodes = new Map<string, string>();
  /** Kinds and codes of what is used. */
  readonly #used = new Set<string>();

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
    return this.#resolve('type', name, { uk: { older_type: name, type: name, subtype: null } });
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
   * The code of the feature with this name, and these labels where no table has it; it has those of every record together,
   * in each language the first.
   *
   * @throws DocumentError where the name or a label cannot be that of a feature
   */
  labelledFeature(name: string, labels: FeatureDocument['labels']): string {
    return this.#resolve('feature', name, labels);
  }

  /** Notes what a property that is taken names. */
  use({ type, features }: PropertyDocument): void {
    this.#used.add(place('type', type));
    for (const code of features) this.#used.add(place('feature', code));
  }

  /** What is used. */
  documents(): { readonly set: readonly PortfolioDocument[]; readonly fallback: readonly PortfolioDocument[] } {
    const named = [...this.#used].map((used) => this.#entries.get(used)!);
    const categories = named.flatMap(({ document }) => (document.kind === 'feature' ? [document.category] : []));
    const entries = [...named, ...[...new Set(categories)].map((code) => this.#names.categories.get(code)!)];
    return {
      set: entries.filter(({ own }) => own).map(({ document }) => document),
      fallback: entries.filter(({ own }) => !own).map(({ document }) => document),
    };
  }

  #resolve(kind: 'type' | 'feature', name: string, labels: TypeDocument['labels'] | FeatureDocument['labels']): string {
    const known = (kind === 'type' ? this.#names.types : this.#names.features).get(key(name));
    const before = known ?? this.#entries.get(place(kind, name));
    const given = before?.document.labels ?? {};
    const news = known === undefined && Object.keys(labels).some((language) => !(language in given));
    const entry = news ? textEntry(kind, name, { ...labels, ...given }) : before!;
    const { code } = entry.document;
    this.#entries.set(place(kind, code), entry);
    return code;
  }
}

function place(kind: 'type' | 'feature', code: string): string {
  return `${kind} ${code}`;
}

/** What a text stands for that no table has. */
function textEntry(kind: 'type' | 'feature', code: string, labels: object): Entry<TypeDocument | FeatureDocument> {
  const document = kind === 'type' ? { kind, code, labels } : { kind, code, category: OTHER_CATEGORY, labels };
  return { document: parseDocument(document) as TypeDocument | FeatureDocument, own: false };
}

function readTable(file: string, value: unknown, own: boolean): Table {
  const table = parseTable(file, value);
  const entry = <Document extends PortfolioDocument>(given: object): Entry<Document> => ({
    document: checked(file, given) as Document,
    own,
  });
  return {
    types: table.types.map(({ names, ...rest }) => ({ names, entry: entry({ kind: 'type', ...rest }) })),
    categories: table.categories.map((category) => entry({ kind: 'category', ...category })),
    features: table.features.map(({ names, ...rest }) => ({ names, entry: entry({ kind: 'feature', ...rest }) })),
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
