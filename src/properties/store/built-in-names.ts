import { CATEGORY_ENTRIES, FEATURE_ENTRIES, TYPE_ENTRIES } from '../../vocabulary/entries.ts';
import { documentKey, keyOf, type PortfolioDocument } from '../documents.ts';

/** What a name of the vocabulary can be of. */
export type NamedKind = 'type' | 'feature';

const BUILT_IN: ReadonlyMap<string, PortfolioDocument> = new Map(
  [...TYPE_ENTRIES, ...CATEGORY_ENTRIES, ...FEATURE_ENTRIES].map(({ document }) => [
    documentKey(document),
    document,
  ]),
);

/** The document of a name of the built-in vocabulary. */
export function builtInEntry(
  kind: NamedKind | 'category',
  code: string,
): PortfolioDocument | undefined {
  return BUILT_IN.get(keyOf(kind, code));
}

/** Whether the built-in vocabulary has a name. */
export function isBuiltIn(kind: NamedKind, code: string): boolean {
  return builtInEntry(kind, code) !== undefined;
}
