import { builtInFeature } from '../../vocabulary/built-in.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES } from '../../vocabulary/entries.ts';
import type { VocabularyRead } from '../../vocabulary/stored.ts';
import type { Language } from '../texts/language.ts';
import { feedLanguage, inLanguage, type Names } from './property.ts';

/** A feature to tick. */
export interface FeatureChoice {
  /** The name that the form sends. */
  readonly value: string;
  readonly label: string;
}

/** The features of the account and the built-in ones that it has not, by the names of their categories. */
export function featureChoices(
  { categories, features }: VocabularyRead,
  names: Names,
  language: Language,
): ReadonlyMap<string, readonly FeatureChoice[]> {
  const element = feedLanguage(language).element;
  const builtIn = CATEGORY_ENTRIES.map(({ document }) => document);
  const nameOf = new Map(
    [...builtIn, ...categories].map(({ code, labels }) => [
      code,
      inLanguage(labels, element) ?? code,
    ]),
  );
  const own = features.map((feature) => ({
    category: nameOf.get(feature.category) ?? feature.category,
    value: names.features.get(feature.code) ?? feature.code,
    label: inLanguage(feature.labels, element) ?? feature.code,
  }));
  const known = new Set(features.map(builtInFeature));
  const others = FEATURE_ENTRIES.filter(({ code }) => !known.has(code)).map((entry) => ({
    category: nameOf.get(entry.category)!,
    value: entry.code,
    label: inLanguage(entry.document.labels, element)!,
  }));
  const all = [...own, ...others].map((one) => ({ ...one, label: inSentenceCase(one.label) }));
  return Map.groupBy(all, ({ category }) => category);
}

/** `Close To Sea` as `Close to sea`; abbreviations stay. */
function inSentenceCase(label: string): string {
  return label.replaceAll(/(?<=[\s-])\p{Lu}(?=\p{Ll}|\b)/gu, (letter) => letter.toLowerCase());
}
