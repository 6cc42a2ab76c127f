import * as z from 'zod';
import {
  type CategoryDocument,
  DocumentError,
  type FeatureDocument,
  type PortfolioDocument,
  parseDocument,
  type TypeDocument,
} from '../../portfolio/documents.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES, TYPE_ENTRIES } from '../../portfolio/vocabulary/entries.ts';
import { type Candidate, FEATURES_BY_NAME, TYPES_BY_NAME } from '../../portfolio/vocabulary/lookup.ts';
import { nameKey } from '../../portfolio/vocabulary/name-key.ts';
import { ImportError } from '../error.ts';

const names = z.array(z.string().min(1)).min(1);
const code = z.string().min(1);
const labels = z.record(z.string(), z.unknown());
/** How often an import found the names: written by {@link Vocabulary.unknownNames}, and ignored when read. */
const count = z.int().optional();

/**
 * A table that maps names to types and features, as JSON. `names` are compared by {@link nameKey}, and so is a code
 * that is not the name of another entry; the other keys are those of a document without its `kind`.
 */
const tableSchema = z.strictObject({
  types: z.array(z.strictObject({ names, code, labels, count })).default([]),
  categories: z.array(z.strictObject({ code, labels })).default([]),
  features: z.array(z.strictObject({ names, code, category: code, labels, count })).default([]),
});

export type OwnNames = z.output<typeof tableSchema>;

/** @throws ImportError `bad_names` with the reason if the JSON is not that of a table */
export function parseNames(text: string): OwnNames {
  try {
    const result = tableSchema.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    throw new TypeError(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  } catch (error) {
    throw unusable((error as Error).message);
  }
}

/** A document that names map to; one of the operator's table replaces the stored one. */
export interface Entry<Document> {
  readonly document: Document;
  readonly own?: true;
}

const BUILT_IN = {
  type: new Map(TYPE_ENTRIES.map((entry) => [entry.code, entry])),
  category: new Map(CATEGORY_ENTRIES.map((entry) => [entry.code, entry])),
  feature: new Map(FEATURE_ENTRIES.map((entry) => [entry.code, entry])),
};

/** Types and features by their names, and categories by their codes: the built-in ones, and over them an operator's own. */
export class Names {
  readonly #types = new Map<string, Entry<TypeDocument>>();
  readonly #categories = new Map<string, Entry<CategoryDocument>>();
  readonly #features = new Map<string, Entry<FeatureDocument> & Candidate>();
  /** Codes of the operator's entries by the keys of their names, and of the codes themselves. */
  readonly #named = { type: new Map<string, string>(), feature: new Map<string, string>() };
  readonly #coded = { type: new Map<string, string>(), feature: new Map<string, string>() };

  /** @throws ImportError `bad_names` if the table has an invalid entry */
  constructor({ types, categories, features }: OwnNames = { types: [], categories: [], features: [] }) {
    for (const { code, labels } of categories) this.#categories.set(code, ownEntry({ kind: 'category', code, labels }));
    for (const { names, code, labels } of types) {
      this.#types.set(code, ownEntry({ kind: 'type', code, labels }));
      this.#add('type', code, names);
    }
    for (const { names, code, category, labels } of features) {
      const entry = ownEntry<FeatureDocument>({ kind: 'feature', code, category, labels });
      this.#features.set(code, { ...entry, category, rank: BUILT_IN.feature.get(code)?.rank ?? null });
      this.#add('feature', code, names);
      if (!this.category(category)) throw unusable(`the feature ${code} has an undefined category: ${category}`);
    }
  }

  #add(kind: 'type' | 'feature', code: string, names: readonly string[]): void {
    this.#coded[kind].set(nameKey(code), code);
    for (const name of names) this.#named[kind].set(nameKey(name), code);
  }

  /** Whether the operator's table has a name. */
  isOwn(kind: 'type' | 'feature', name: string): boolean {
    return this.#named[kind].has(nameKey(name));
  }

  category(code: string): Entry<CategoryDocument> | undefined {
    return this.#categories.get(code) ?? BUILT_IN.category.get(code);
  }

  /** The type with this name: one of the operator's table before a built-in one, and either before a code of the table. */
  type(name: string): Entry<TypeDocument> | undefined {
    const key = nameKey(name);
    const code = this.#named.type.get(key) ?? TYPES_BY_NAME.get(key)?.code ?? this.#coded.type.get(key) ?? '';
    return this.#types.get(code) ?? BUILT_IN.type.get(code);
  }

  /** The features that a name may mean, found in the same order. */
  features(name: string): readonly (Entry<FeatureDocument> & Candidate)[] {
    const key = nameKey(name);
    const [named, coded] = [this.#named.feature.get(key), this.#coded.feature.get(key)];
    const builtIn = FEATURES_BY_NAME.get(key)?.map(({ code }) => code);
    const codes = named !== undefined ? [named] : (builtIn ?? (coded === undefined ? [] : [coded]));
    return codes.map((code) => this.#features.get(code) ?? BUILT_IN.feature.get(code)!);
  }
}

function ownEntry<Document extends PortfolioDocument>(given: Readonly<Record<string, unknown>>) {
  try {
    return { document: parseDocument(given) as Document, own: true } as const;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw unusable(`${given.code}: ${error.message}`);
  }
}

function unusable(why: string): ImportError {
  return new ImportError('bad_names', `The table of names cannot be used: ${why}`);
}
