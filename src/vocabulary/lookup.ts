import { lazy } from '../lib/lazy.ts';
import {
  CATEGORY_ENTRIES,
  FEATURE_ENTRIES,
  type FeatureEntry,
  TYPE_ENTRIES,
  type TypeEntry,
} from './entries.ts';
import { nameKey } from './name-key.ts';

/** The languages that names of types and features are looked up in. */
const NAMED_IN = ['uk', 'es'] as const;

/** The type that a name means, compared by {@link nameKey}. */
export function typeNamed(name: string): TypeEntry | undefined {
  return typesByName().get(nameKey(name));
}

const typesByName = lazy(
  () =>
    new Map([
      // If the labels of two entries form the same name, it means the first of them.
      ...TYPE_ENTRIES.toReversed().flatMap((entry) =>
        labelNames(entry).map((name) => [nameKey(name), entry] as const),
      ),
      ...TYPE_ENTRIES.flatMap((entry) =>
        [entry.code, ...entry.names].map((name) => [nameKey(name), entry] as const),
      ),
    ]),
);

/** The names that a type's labels form: `Penthouse Duplex`, `Apartment - Penthouse Duplex`, `Apartment - Penthouse`. */
function labelNames({ document }: TypeEntry): string[] {
  return NAMED_IN.flatMap((language) => {
    const { older_type: older, older_subtype: second, type, subtype } = document.labels[language]!;
    return [
      subtype ?? type,
      `${type} ${subtype ?? ''}`,
      ...(second == null ? [] : [`${older} ${second}`, `${second} ${older}`]),
    ];
  });
}

/**
 * The features that a name may mean, compared by {@link nameKey}. A label that occurs in several categories has several features,
 * in the order of the categories: `Communal` may be a pool, a garden or parking. {@link chooseFeatures} resolves it.
 */
export function featuresNamed(name: string): readonly FeatureEntry[] {
  return featuresByName().get(nameKey(name)) ?? [];
}

const featuresByName = lazy(() => {
  const found = new Map<string, FeatureEntry[]>();
  for (const entry of FEATURE_ENTRIES) {
    for (const language of NAMED_IN) {
      const key = nameKey(entry.document.labels[language]!);
      const others = found.get(key) ?? [];
      if (!others.includes(entry)) found.set(key, [...others, entry]);
    }
  }
  const categories = new Map(CATEGORY_ENTRIES.map(({ code, document }) => [code, document.labels]));
  const withCategory = FEATURE_ENTRIES.flatMap((entry) =>
    NAMED_IN.flatMap((language) => {
      const category = categories.get(entry.category)?.[language];
      const label = entry.document.labels[language];
      return [`${category} ${label}`, `${label} ${category}`].map(
        (name) => [nameKey(name), [entry]] as const,
      );
    }),
  );
  const named = FEATURE_ENTRIES.flatMap((entry) =>
    entry.names.map((name) => [nameKey(name), [entry]] as const),
  );
  return new Map<string, readonly FeatureEntry[]>([...withCategory, ...found, ...named]);
});

/** What {@link chooseFeatures} needs to know about a feature that a name may mean. */
export type Candidate = Pick<FeatureEntry, 'category' | 'rank'>;

/** A list that has features of this many categories, in order, counts as one of ReSales-Online. */
const CATEGORIES_OF_A_LIST = 4;

/** Categories whose labels are nouns that mean something else in other programs: a garden instead of a view of it. */
const OF_NOUNS: readonly string[] = ['Setting', 'Views'];

/**
 * The feature that each name of a property's list means, given its candidates; undefined if unknown.
 *
 * ReSales-Online lists the features of a property by category, always in the same order, as bare labels: `Communal` between
 * condition and climate control is the pool, between kitchen and security the garden. In a list without this order, an
 * ambiguous label is resolved only to the property's setting or to a feature of other programs.
 */
export function chooseFeatures<Entry extends Candidate>(
  list: readonly (readonly Entry[])[],
): (Entry | undefined)[] {
  const certain = list.map((candidates) =>
    candidates.length === 1 ? (candidates[0]?.rank ?? null) : null,
  );
  const ranks = certain.filter((rank) => rank !== null);
  const topologicalSort = ranks.every(
    (rank, index) => index === 0 || rank >= (ranks[index - 1] ?? 0),
  );
  const isWhole = topologicalSort && new Set(ranks).size >= CATEGORIES_OF_A_LIST;
  const taken = new Set<Entry>();
  let lowest = 0;
  return list.map((candidates, index) => {
    if (candidates.length < 2) {
      lowest = certain[index] ?? lowest;
      return candidates[0];
    }
    const highest = certain.slice(index).find((rank) => rank !== null) ?? Number.POSITIVE_INFINITY;
    const fits = (entry: Entry) =>
      entry.rank !== null && entry.rank >= lowest && entry.rank <= highest && !taken.has(entry);
    const elsewhere = candidates.find(({ rank }) => rank === null);
    const isNoun =
      elsewhere !== undefined || candidates.some(({ category }) => OF_NOUNS.includes(category));
    const chosen =
      isWhole || (topologicalSort && !isNoun)
        ? (candidates.find(fits) ?? elsewhere)
        : (elsewhere ?? candidates.find(({ category }) => category === 'Setting'));
    if (chosen === undefined) return undefined;
    taken.add(chosen);
    lowest = chosen.rank ?? lowest;
    return chosen;
  });
}
