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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unusable((error as Error).message);
  }
  const result = tableSchema.safeParse(value);
  if (result.success) return result.data;
  throw unusable(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}

const NO_NAMES: OwnNames = { types: [], categories: [], features: [] };

/**
 * The built-in vocabulary, overridden by an operator's own table.
 *
 * @throws ImportError `bad_names` with the reason if an entry of the table is invalid
 */
export function kyeroNames(own: OwnNames = NO_NAMES): KyeroNames {
  const categories = new Map<string, Entry<CategoryDocument>>([
    ...CATEGORY_ENTRIES.map(({ code, document }) => [code, { document, own: false }] as const),
    ...own.categories.map((given) => [given.code, ownEntry<CategoryDocument>('category', given)] as const),
  ]);
  const types = new Map<string, Entry<TypeDocument>>([
    ...TYPE_ENTRIES.map(({ code, document }) => [code, { document, own: false }] as const),
    ...own.types.map((given) => [given.code, ownEntry<TypeDocument>('type', given)] as const),
  ]);
  const features = new Map<string, FeatureCandidate>(
    FEATURE_ENTRIES.map(({ code, document, category, rank }) => [code, { document, own: false, category, rank }]),
  );
  for (const given of own.features) {
    const { code, category } = given;
    if (!categories.has(category)) throw unusable(`the feature ${code} has an undefined category: ${category}`);
    const rank = features.get(code)?.rank ?? null;
    features.set(code, { ...ownEntry<FeatureDocument>('feature', given), category, rank });
  }
  return {
    types: withOwnNames(
      [...TYPES_BY_NAME].map(([key, { code }]) => [key, types.get(code)!]),
      own.types.map(({ code, names }) => ({ code, names, value: types.get(code)! })),
    ),
    categories,
    features: withOwnNames(
      [...FEATURES_BY_NAME].map(([key, entries]) => [key, entries.map(({ code }) => features.get(code)!)]),
      own.features.map(({ code, names }) => ({ code, names, value: [features.get(code)!] })),
    ),
  };
}

/** An entry of the operator's table as a document. */
function ownEntry<Document extends PortfolioDocument>(kind: Document['kind'], given: object): Entry<Document> {
  const { names: _names, count: _count, ...fields } = given as { code: string; names?: unknown; count?: unknown };
  try {
    return { document: parseDocument({ kind, ...fields }) as Document, own: true };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw unusable(`${fields.code}: ${error.message}`);
  }
}

/** Names of the operator's table take precedence; a code maps to its entry unless it is a name. */
function withOwnNames<Value>(
  builtIn: readonly (readonly [key: string, value: Value])[],
  own: readonly { readonly code: string; readonly names: readonly string[]; readonly value: Value }[],
): Map<string, Value> {
  return new Map([
    ...own.map(({ code, value }) => [nameKey(code), value] as const),
    ...builtIn,
    ...own.flatMap(({ names, value }) => names.map((name) => [nameKey(name), value] as const)),
  ]);
}

function unusable(why: string): ImportError {
  return new ImportError('bad_names', `The table of names cannot be used: ${why}`);
}
