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
import { FEATURES_BY_NAME, TYPES_BY_NAME } from '../../portfolio/vocabulary/lookup.ts';
import { nameKey } from '../../portfolio/vocabulary/name-key.ts';
import { ImportError } from '../error.ts';

const names = z.array(z.string().min(1)).min(1);
const code = z.string().min(1);
const labels = z.record(z.string(), z.unknown());
/** How often an import found the names: written by {@link KyeroVocabulary.unknownNames}, and ignored when read. */
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

/** A document that names map to; one of the operator's table replaces the stored one. */
export interface Entry<Document> {
  readonly document: Document;
  readonly own: boolean;
}

export interface FeatureCandidate extends Entry<FeatureDocument> {
  readonly category: string;
  readonly rank: number | null;
}

/** Types and features by the keys of their names, categories by their codes. */
export interface KyeroNames {
  readonly types: ReadonlyMap<string, Entry<TypeDocument>>;
  readonly categories: ReadonlyMap<string, Entry<CategoryDocument>>;
  readonly features: ReadonlyMap<string, readonly FeatureCandidate[]>;
  /** The keys of the names in the operator's table. */
  readonly own: { readonly type: ReadonlySet<string>; readonly feature: ReadonlySet<string> };
}

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

/** The built-in vocabulary, overridden by an operator's own table, which is an ImportError if it has an invalid entry. */
export function kyeroNames(own: OwnNames = { types: [], categories: [], features: [] }): KyeroNames {
  const categories = entriesOf<CategoryDocument>('category', CATEGORY_ENTRIES, own.categories);
  const types = entriesOf<TypeDocument>('type', TYPE_ENTRIES, own.types);
  const ranks = new Map(FEATURE_ENTRIES.map(({ code, rank }) => [code, rank]));
  const features = new Map<string, FeatureCandidate>();
  for (const [code, entry] of entriesOf<FeatureDocument>('feature', FEATURE_ENTRIES, own.features)) {
    const { category } = entry.document;
    if (!categories.has(category)) throw unusable(`the feature ${code} has an undefined category: ${category}`);
    features.set(code, { ...entry, category, rank: ranks.get(code) ?? null });
  }
  const featuresByName = [...FEATURES_BY_NAME].map(
    ([key, entries]) => [key, entries.map(({ code }) => features.get(code)!)] as const,
  );
  const keysOf = (entries: OwnNames['types' | 'features']) =>
    new Set(entries.flatMap(({ names }) => names.map((name) => nameKey(name))));
  const typesByName = [...TYPES_BY_NAME].map(([key, { code }]) => [key, types.get(code)!] as const);
  return {
    types: withOwnNames(typesByName, own.types, (code) => types.get(code)!),
    categories,
    features: withOwnNames(featuresByName, own.features, (code) => [features.get(code)!]),
    own: { type: keysOf(own.types), feature: keysOf(own.features) },
  };
}

/** The built-in entries of a kind and those of the operator's table, which replace them, by their codes. */
function entriesOf<Document extends PortfolioDocument>(
  kind: Document['kind'],
  builtIn: readonly { readonly code: string; readonly document: Document }[],
  own: readonly { readonly code: string; readonly names?: unknown; readonly count?: unknown }[],
): Map<string, Entry<Document>> {
  const entries = new Map(builtIn.map(({ code, document }) => [code, { document, own: false }]));
  for (const { names: _names, count: _count, ...fields } of own) {
    try {
      entries.set(fields.code, { document: parseDocument({ kind, ...fields }) as Document, own: true });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      throw unusable(`${fields.code}: ${error.message}`);
    }
  }
  return entries;
}

/** Names of the operator's table take precedence; a code maps to its entry unless it is a name. */
function withOwnNames<Value>(
  builtIn: readonly (readonly [key: string, value: Value])[],
  own: readonly { readonly code: string; readonly names: readonly string[] }[],
  entryOf: (code: string) => Value,
): Map<string, Value> {
  return new Map([
    ...own.map(({ code }) => [nameKey(code), entryOf(code)] as const),
    ...builtIn,
    ...own.flatMap(({ code, names }) => names.map((name) => [nameKey(name), entryOf(code)] as const)),
  ]);
}

function unusable(why: string): ImportError {
  return new ImportError('bad_names', `The table of names cannot be used: ${why}`);
}
