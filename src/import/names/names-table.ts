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
 * that is not the name of another entry; the other keys are those of a document of `portfolio/documents.ts` without its
 * `kind`.
 */
const tableSchema = z.strictObject({
  types: z.array(z.strictObject({ names, code, labels, count })).default([]),
  categories: z.array(z.strictObject({ code, labels })).default([]),
  features: z.array(z.strictObject({ names, code, category: code, labels, count })).default([]),
});

/** A document that names map to; one of the operator's table replaces the stored one. */
export interface Entry<Document> {
  readonly document: Document;
  readonly own: boolean;
}

/** A feature that a name may map to. */
export interface FeatureCandidate extends Entry<FeatureDocument> {
  readonly category: string;
  readonly rank: number | null;
}

/** Types and features by the keys of their names, categories by their codes. */
export interface KyeroNames {
  readonly types: ReadonlyMap<string, Entry<TypeDocument>>;
  readonly categories: ReadonlyMap<string, Entry<CategoryDocument>>;
  readonly features: ReadonlyMap<string, readonly FeatureCandidate[]>;
}

/** An operator's own table of names. */
export type OwnNames = z.output<typeof tableSchema>;

/**
 * An operator's own table of names, from its JSON.
 *
 * @throws ImportError `bad_names` with the reason if it is invalid
 */
export function parseNames(text: string): OwnNames {
  try {
    const result = tableSchema.safeParse(JSON.parse(text));
    if (result.success) return result.data;
    throw new TypeError(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  } catch (error) {
    throw unusable((error as Error).message);
  }
}

/**
 * The built-in vocabulary, overridden by an operator's own table.
 *
 * @throws ImportError `bad_names` with the reason if an entry of the table is invalid
 */
export function kyeroNames(own: OwnNames = { types: [], categories: [], features: [] }): KyeroNames {
  const entriesOf = <Document extends PortfolioDocument>(
    kind: Document['kind'],
    builtIn: readonly { readonly code: string; readonly document: Document }[],
    table: readonly { readonly code: string }[],
  ) =>
    new Map<string, Entry<Document>>([
      ...builtIn.map(({ code, document }) => [code, { document, own: false }] as const),
      ...table.map((given) => [given.code, { document: ownDocument<Document>(kind, given), own: true }] as const),
    ]);
  const categories = entriesOf<CategoryDocument>('category', CATEGORY_ENTRIES, own.categories);
  const types = entriesOf<TypeDocument>('type', TYPE_ENTRIES, own.types);
  const ranks = new Map(FEATURE_ENTRIES.map(({ code, rank }) => [code, rank]));
  const features = new Map<string, FeatureCandidate>();
  for (const [code, entry] of entriesOf<FeatureDocument>('feature', FEATURE_ENTRIES, own.features)) {
    const { category } = entry.document;
    if (!categories.has(category)) throw unusable(`the feature ${code} has an undefined category: ${category}`);
    features.set(code, { ...entry, category, rank: ranks.get(code) ?? null });
  }
  return {
    types: withOwnNames(
      [...TYPES_BY_NAME].map(([key, { code }]) => [key, types.get(code)!]),
      own.types,
      ({ code }) => types.get(code)!,
    ),
    categories,
    features: withOwnNames(
      [...FEATURES_BY_NAME].map(([key, entries]) => [key, entries.map(({ code }) => features.get(code)!)]),
      own.features,
      ({ code }) => [features.get(code)!],
    ),
  };
}

/** Names of the operator's table take precedence; a code maps to its entry unless it is a name. */
function withOwnNames<Value>(
  builtIn: readonly (readonly [key: string, value: Value])[],
  own: readonly { readonly code: string; readonly names: readonly string[] }[],
  entryOf: (entry: { readonly code: string }) => Value,
): Map<string, Value> {
  return new Map([
    ...own.map((entry) => [nameKey(entry.code), entryOf(entry)] as const),
    ...builtIn,
    ...own.flatMap((entry) => entry.names.map((name) => [nameKey(name), entryOf(entry)] as const)),
  ]);
}

/** An entry of the operator's table as a document. */
function ownDocument<Document extends PortfolioDocument>(kind: Document['kind'], given: { code: string }): Document {
  const { names: _names, count: _count, ...fields } = given as typeof given & { names?: unknown; count?: unknown };
  try {
    return parseDocument({ kind, ...fields }) as Document;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw unusable(`${fields.code}: ${error.message}`);
  }
}

function unusable(why: string): ImportError {
  return new ImportError('bad_names', `The table of names cannot be used: ${why}`);
}
