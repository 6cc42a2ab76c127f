import type { VocabularyRead } from '../db/feed-vocabulary.ts';
import { inLanguages, ORIENTATION } from './orientation.ts';

/** An account's vocabulary as the XML that every record repeats, rendered once. */
export interface Dictionary {
  /** The vocabulary's revision that the labels belong to. */
  readonly revision: number;
  readonly languages: readonly number[];
  /** By type id: the nodes `type` and `subtype`. */
  readonly currentTypes: ReadonlyMap<number, string>;
  /** By type id: the node `type` of the older types. */
  readonly olderTypes: ReadonlyMap<number, string>;
  /** By feature id. */
  readonly features: ReadonlyMap<number, Feature>;
  /** In the order of the document: the orientation, which may come from a unit, before all others. */
  readonly categories: readonly FeatureCategory[];
}

export interface FeatureCategory {
  /** Whether a unit's directions stand in for this category's features. */
  readonly isOrientation: boolean;
  readonly name: string;
}

export interface Feature {
  /** Its category's place among the categories. */
  readonly category: number;
  /** The node `value`, empty where no language asked for has a label. */
  readonly value: string;
}

/** Renders a vocabulary for some languages: codes 1 to 10, ascending. */
export function renderDictionary(vocabulary: VocabularyRead, languages: readonly number[]): Dictionary {
  const types = groupById(vocabulary.types);
  const categories = [...groupById(vocabulary.categories)]
    .map(([id, labels]) => ({
      id,
      isOrientation: labels[0]!.code === ORIENTATION,
      name: `<name>${inLanguages(languages, (code) => labels.find((label) => label.language === code)?.label)}</name>`,
    }))
    .sort((a, b) => Number(b.isOrientation) - Number(a.isOrientation));
  const places = new Map(categories.map(({ id }, place) => [id, place]));
  const features = groupById(vocabulary.features);
  return {
    revision: vocabulary.revision,
    languages,
    currentTypes: mapValues(types, (labels) => {
      const type = inLanguages(languages, (code) => labels.find((label) => label.language === code)?.type);
      const subtype = inLanguages(languages, (code) => labels.find((label) => label.language === code)?.subtype);
      return `<type>${type}</type>${subtype === '' ? '' : `<subtype>${subtype}</subtype>`}`;
    }),
    olderTypes: mapValues(types, (labels) => {
      const type = inLanguages(languages, (code) => labels.find((label) => label.language === code)?.olderType);
      return `<type>${type}</type>`;
    }),
    features: mapValues(features, (labels) => {
      const value = inLanguages(languages, (code) => labels.find((label) => label.language === code)?.label);
      return { category: places.get(labels[0]!.categoryId)!, value: value === '' ? '' : `<value>${value}</value>` };
    }),
    categories,
  };
}

function groupById<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.id);
    if (group === undefined) groups.set(row.id, [row]);
    else group.push(row);
  }
  return groups;
}

function mapValues<Key, From, To>(map: ReadonlyMap<Key, From>, change: (value: From) => To): Map<Key, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
