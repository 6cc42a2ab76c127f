import { LANGUAGES, type LanguageElement } from '../lib/languages.ts';
import type { CategoryDocument, FeatureDocument, TypeDocument } from '../portfolio/documents.ts';
import FEATURES from './features.json' with { type: 'json' };
import NAMES from './names.json' with { type: 'json' };
import TYPES from './types.json' with { type: 'json' };

/** One text in each of the ten languages. */
export type InTenLanguages = Readonly<Record<LanguageElement, string>>;

/** A type of the built-in vocabulary. */
export interface TypeEntry {
  readonly code: string;
  readonly olderType: InTenLanguages;
  readonly olderSubtype: InTenLanguages | null;
  readonly type: InTenLanguages;
  readonly subtype: InTenLanguages | null;
  /** Names that feeds use for it in addition to its labels. */
  readonly names: readonly string[];
}

/** A category of features of the built-in vocabulary. */
interface CategoryEntry {
  readonly code: string;
  readonly labels: InTenLanguages;
}

/** A feature of the built-in vocabulary. */
export interface FeatureEntry {
  /** `Category: Label`, in English. */
  readonly code: string;
  readonly category: string;
  readonly labels: InTenLanguages;
  /** Its category's place in the records of ReSales-Online, from 0; null if that program has no such feature. */
  readonly rank: number | null;
  /** Names that feeds use for it in addition to its labels. */
  readonly names: readonly string[];
}

const TYPE_NAMES: Readonly<Record<string, readonly string[]>> = NAMES.types;
const FEATURE_NAMES: Readonly<Record<string, readonly string[]>> = NAMES.features;

export const TYPE_ENTRIES: readonly TypeEntry[] = readTypes();

export const { categories: CATEGORY_ENTRIES, features: FEATURE_ENTRIES } = readFeatures();

/** The code of a feature, by its category and its label in English. */
function featureCode(category: string, label: string): string {
  return `${category}: ${label}`;
}

export function typeDocument({ code, olderType, olderSubtype, type, subtype }: TypeEntry): TypeDocument {
  const languages = Object.keys(type) as (keyof InTenLanguages)[];
  return {
    kind: 'type',
    code,
    labels: Object.fromEntries(
      languages.map((language) => [
        language,
        {
          older_type: olderType[language],
          older_subtype: olderSubtype?.[language] ?? null,
          type: type[language],
          subtype: subtype?.[language] ?? null,
        },
      ]),
    ),
  };
}

export function categoryDocument({ code, labels }: CategoryEntry): CategoryDocument {
  return { kind: 'category', code, labels: { ...labels } };
}

export function featureDocument({ code, category, labels }: FeatureEntry): FeatureDocument {
  return { kind: 'feature', code, category, labels: { ...labels } };
}

function readTypes(): TypeEntry[] {
  const words = new Map(TYPES.words.map((texts) => [texts[0], inTenLanguages(texts)]));
  const word = (english: string | null | undefined): InTenLanguages => {
    const found = words.get(english ?? '');
    if (found === undefined) throw new TypeError(`No such word: ${english}`);
    return found;
  };
  return TYPES.types.map(([code, olderType, olderSubtype, type, subtype]) => ({
    code: code ?? '',
    olderType: word(olderType),
    olderSubtype: olderSubtype === null ? null : word(olderSubtype),
    type: word(type),
    subtype: subtype === null ? null : word(subtype),
    names: TYPE_NAMES[code ?? ''] ?? [],
  }));
}

function readFeatures(): { categories: CategoryEntry[]; features: FeatureEntry[] } {
  const categories = FEATURES.map(({ category }): CategoryEntry => {
    const labels = inTenLanguages(category);
    return { code: labels.uk, labels };
  });
  const features = FEATURES.flatMap(({ listed, others }, place) => {
    const category = categories[place]!.code;
    const entryOf = (texts: readonly string[], rank: number | null): FeatureEntry => {
      const labels = inTenLanguages(texts);
      const code = featureCode(category, labels.uk);
      return { code, category, labels, rank, names: FEATURE_NAMES[code] ?? [] };
    };
    return [...listed.map((texts) => entryOf(texts, place)), ...others.map((texts) => entryOf(texts, null))];
  });
  return { categories, features };
}

/** Texts in the order of the languages' codes. */
function inTenLanguages(texts: readonly string[]): InTenLanguages {
  if (texts.length !== LANGUAGES.length || texts.includes(''))
    throw new TypeError(`Not ten texts: ${texts.join(', ')}`);
  return Object.fromEntries(LANGUAGES.map(({ element }, index) => [element, texts[index]])) as InTenLanguages;
}
