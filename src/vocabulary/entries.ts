import type { CategoryDocument, FeatureDocument, TypeDocument } from '../portfolio/documents.ts';
import { FEATURES } from './features.ts';
import { FEATURE_NAMES, TYPE_NAMES } from './names.ts';
import { type InTenLanguages, inTenLanguages, namesIn, rowsOf } from './table.ts';
import { TYPE_WORDS, TYPES } from './types.ts';

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
export interface CategoryEntry {
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
  const words = new Map(rowsOf(TYPE_WORDS).map((cells) => [cells[0], inTenLanguages(cells)]));
  const names = namesIn(TYPE_NAMES);
  const word = (english: string | undefined): InTenLanguages => {
    const found = words.get(english);
    if (found === undefined) throw new TypeError(`No such word: ${english}`);
    return found;
  };
  return rowsOf(TYPES).map(([first = '', olderType, olderSubtype, type, subtype]) => {
    const code = first.replace(/^\+ /, '');
    return {
      code,
      olderType: word(olderType),
      olderSubtype: olderSubtype === '-' ? null : word(olderSubtype),
      type: word(type),
      subtype: subtype === '-' ? null : word(subtype),
      names: names.get(code) ?? [],
    };
  });
}

function readFeatures(): { categories: CategoryEntry[]; features: FeatureEntry[] } {
  const names = namesIn(FEATURE_NAMES);
  const categories: CategoryEntry[] = [];
  const features: FeatureEntry[] = [];
  for (const [first = '', ...others] of rowsOf(FEATURES)) {
    const [, mark, english = ''] = /^(==|\+|) ?(.*)$/.exec(first) ?? [];
    const labels = inTenLanguages([english, ...others]);
    if (mark === '==') {
      categories.push({ code: english, labels });
      continue;
    }
    const category = categories.at(-1);
    if (category === undefined) throw new TypeError(`A feature without a category: ${english}`);
    const code = featureCode(category.code, english);
    const rank = mark === '+' ? null : categories.length - 1;
    features.push({ code, category: category.code, labels, rank, names: names.get(code) ?? [] });
  }
  return { categories, features };
}
