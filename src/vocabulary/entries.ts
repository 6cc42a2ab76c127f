import { LANGUAGES } from '../lib/languages.ts';
import type { CategoryDocument, FeatureDocument, TypeDocument } from '../properties/documents.ts';
import FEATURES from './features.json' with { type: 'json' };
import NAMES from './names.json' with { type: 'json' };
import TYPES from './types.json' with { type: 'json' };

/** A type of the built-in vocabulary, with labels in ten languages. */
export interface TypeEntry {
  readonly code: string;
  readonly document: TypeDocument;
  /** Names that feeds use for it in addition to its labels. */
  readonly names: readonly string[];
}

/** A feature of the built-in vocabulary. */
export interface FeatureEntry {
  /** `Category: Label`, in English. */
  readonly code: string;
  readonly category: string;
  readonly document: FeatureDocument;
  /** Its category's place in the records of ReSales-Online, from 0; null if that program has no such feature. */
  readonly rank: number | null;
  /** Names that feeds use for it in addition to its labels. */
  readonly names: readonly string[];
}

const TYPE_NAMES: Readonly<Record<string, readonly string[]>> = NAMES.types;
const FEATURE_NAMES: Readonly<Record<string, readonly string[]>> = NAMES.features;
const WORDS = new Map<string | null, FeatureDocument['labels']>(
  TYPES.words.map((texts) => [texts[0]!, labelsOf(texts)]),
);

export const TYPE_ENTRIES: readonly TypeEntry[] = TYPES.types.map(([first, ...words]) => {
  const code = first!;
  const labels = LANGUAGES.map(({ element }) => {
    const [older_type, older_subtype, type, subtype] = words.map(
      (word) => WORDS.get(word)?.[element] ?? null,
    );
    return [element, { older_type, older_subtype, type, subtype }];
  });
  return {
    code,
    document: { kind: 'type', code, labels: Object.fromEntries(labels) },
    names: TYPE_NAMES[code] ?? [],
  };
});

export const CATEGORY_ENTRIES = FEATURES.map(({ category }) => {
  const labels = labelsOf(category);
  return {
    code: labels.uk!,
    document: { kind: 'category', code: labels.uk!, labels } satisfies CategoryDocument,
  };
});

export const FEATURE_ENTRIES: readonly FeatureEntry[] = FEATURES.flatMap(
  ({ listed, others }, place) => {
    const category = CATEGORY_ENTRIES[place]!.code;
    const entryOf = (texts: readonly string[], rank: number | null): FeatureEntry => {
      const labels = labelsOf(texts);
      const code = `${category}: ${labels.uk}`;
      return {
        code,
        category,
        document: { kind: 'feature', code, category, labels },
        rank,
        names: FEATURE_NAMES[code] ?? [],
      };
    };
    return [
      ...listed.map((texts) => entryOf(texts, place)),
      ...others.map((texts) => entryOf(texts, null)),
    ];
  },
);

/** Texts in the order of the languages' codes. */
function labelsOf(texts: readonly string[]): FeatureDocument['labels'] {
  return Object.fromEntries(LANGUAGES.map(({ element }, index) => [element, texts[index]]));
}
