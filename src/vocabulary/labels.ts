import type { LanguageElement } from '../lib/languages.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES, TYPE_ENTRIES } from './entries.ts';
import type { VocabularyRead } from './stored.ts';

/** What a type is called in one language: `Apartment`, `Ground Floor Apartment`. */
export interface TypeLabel {
  readonly type: string;
  readonly subtype: string | null;
}

/** What a feature and its category are called in one language. */
export interface FeatureLabel {
  readonly category: string;
  readonly feature: string;
}

/** The labels of types and features in one language, by their codes. */
export interface Labels {
  readonly types: Readonly<Record<string, TypeLabel>>;
  readonly features: Readonly<Record<string, FeatureLabel>>;
}

/** The type and features of a property, if it is shown. */
interface Shown {
  readonly type?: unknown;
  readonly features?: unknown;
}

/**
 * The labels of the types and features that these properties show, in one language or, where it is missing, in the first that
 * there is, as in feeds. A code that no vocabulary has, such as a direction of a unit that is no point of the compass, has none.
 */
export function labelsOf(
  { types, categories, features }: VocabularyRead,
  shown: readonly Shown[],
  language: LanguageElement,
): Labels {
  const typeOf = byCode([...TYPE_ENTRIES.map(({ document }) => document), ...types]);
  const featureOf = byCode([...FEATURE_ENTRIES.map(({ document }) => document), ...features]);
  const categoryOf = byCode([...CATEGORY_ENTRIES.map(({ document }) => document), ...categories]);
  const inLanguage = <Label>(labels: Readonly<Partial<Record<string, Label>>>) =>
    labels[language] ?? Object.values(labels)[0];
  const typeLabels = codesIn(shown, ({ type }) => [type]).flatMap((code) => {
    const label = inLanguage(typeOf.get(code)?.labels ?? {});
    return label ? [[code, { type: label.type, subtype: label.subtype }] as const] : [];
  });
  const featureLabels = codesIn(shown, ({ features: codes = [] }) => codes as unknown[]).flatMap(
    (code) => {
      const { labels = {}, category = '' } = featureOf.get(code) ?? {};
      const feature = inLanguage(labels);
      const named = inLanguage(categoryOf.get(category)?.labels ?? {}) ?? category;
      return feature === undefined ? [] : [[code, { category: named, feature }] as const];
    },
  );
  return {
    types: Object.fromEntries(typeLabels),
    features: Object.fromEntries(featureLabels),
  };
}

function byCode<Document extends { readonly code: string }>(documents: readonly Document[]) {
  return new Map(documents.map((document) => [document.code, document]));
}

function codesIn(shown: readonly Shown[], of: (one: Shown) => readonly unknown[]): string[] {
  const codes = shown.flatMap(of).filter((code) => typeof code === 'string');
  return [...new Set(codes)].sort();
}
