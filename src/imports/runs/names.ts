import type { LanguageElement } from '../../lib/languages.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES, TYPE_ENTRIES } from '../../vocabulary/entries.ts';
import { featuresNamed, typeNamed } from '../../vocabulary/lookup.ts';

/** What a name in a file can be. */
export type NameKind = 'types' | 'features';

const CATEGORIES = new Map(CATEGORY_ENTRIES.map(({ code, document }) => [code, document.labels]));

/** The names of the built-in types or features in a language, by their codes, for people to choose from. */
export function choicesOf(kind: NameKind, language: LanguageElement): ReadonlyMap<string, string> {
  const joined = (name: string, more: string | null | undefined) =>
    more == null ? name : `${name} - ${more}`;
  return new Map(
    kind === 'types'
      ? TYPE_ENTRIES.map(({ code, document: { labels } }) => [
          code,
          joined(labels[language]!.type, labels[language]!.subtype),
        ])
      : FEATURE_ENTRIES.map(({ code, category, document: { labels } }) => [
          code,
          joined(CATEGORIES.get(category)![language]!, labels[language]),
        ]),
  );
}

/** The code of the built-in type or feature that a text names, in English or Spanish; `null` unless exactly one matches. */
export function codeOf(kind: NameKind, text: string): string | null {
  if (kind === 'types') return typeNamed(text)?.code ?? null;
  const [feature, ...others] = featuresNamed(text);
  return others.length > 0 ? null : (feature?.code ?? null);
}
