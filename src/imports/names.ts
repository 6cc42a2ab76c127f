import type { ImportNames } from '../db/schema.ts';
import type { OwnNames } from '../import/names/names-table.ts';
import type { LanguageElement } from '../lib/languages.ts';
import {
  CATEGORY_ENTRIES,
  FEATURE_ENTRIES,
  featureDocument,
  type InTenLanguages,
  TYPE_ENTRIES,
  typeDocument,
} from '../vocabulary/entries.ts';
import { FEATURES_BY_NAME, TYPES_BY_NAME } from '../vocabulary/lookup.ts';
import { nameKey } from '../vocabulary/name-key.ts';

/** What a name in a file can be. */
export type NameKind = 'types' | 'features';

const CATEGORIES = new Map(CATEGORY_ENTRIES.map(({ code, labels }) => [code, labels]));

/** The built-in types or features as people choose them, in a language. */
export function choicesOf(kind: NameKind, language: LanguageElement): string[] {
  const joined = (name: InTenLanguages, more: InTenLanguages | null | undefined) =>
    more == null ? name[language] : `${name[language]} - ${more[language]}`;
  const all =
    kind === 'types'
      ? TYPE_ENTRIES.map(({ type, subtype }) => joined(type, subtype))
      : FEATURE_ENTRIES.map(({ category, labels }) => joined(CATEGORIES.get(category)!, labels));
  return [...new Set(all)].sort();
}

/** The code of the built-in type or feature that a text names, in English or Spanish; `null` if not exactly one does. */
export function codeOf(kind: NameKind, text: string): string | null {
  const key = nameKey(text);
  if (kind === 'types') return TYPES_BY_NAME.get(key)?.code ?? null;
  const [feature, ...others] = FEATURES_BY_NAME.get(key) ?? [];
  return others.length > 0 ? null : (feature?.code ?? null);
}

/** An account's names as a table that the import understands. */
export function tableOf({ types = {}, features = {} }: ImportNames): OwnNames {
  return {
    types: Object.entries(types).flatMap(([name, wanted]) =>
      TYPE_ENTRIES.filter(({ code }) => code === wanted).map((entry) => ({ names: [name], ...typeDocument(entry) })),
    ),
    categories: [],
    features: Object.entries(features).flatMap(([name, wanted]) =>
      FEATURE_ENTRIES.filter(({ code }) => code === wanted).map((entry) => ({
        names: [name],
        ...featureDocument(entry),
      })),
    ),
  };
}
