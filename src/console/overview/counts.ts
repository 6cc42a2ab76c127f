import type { Overview } from '../../db/overview.ts';

type Group = Overview['groups'][number];

/** Where a property is: in feeds, or why it is in none. */
export const PLACES = ['inFeeds', 'soldProperties', 'withoutOffer', 'withdrawn'] as const;

export type Place = (typeof PLACES)[number];

function placeOf({ status, forSale, forLongTerm, forShortTerm }: Group): Place {
  if (status === 'Withdrawn') return 'withdrawn';
  if (status === 'Sold') return 'soldProperties';
  return forSale + forLongTerm + forShortTerm === 0 ? 'withoutOffer' : 'inFeeds';
}

/** The groups of properties that are in feeds. */
export function groupsInFeeds(groups: readonly Group[]): Group[] {
  return groups.filter((group) => placeOf(group) === 'inFeeds');
}

/** How many properties are in each place; together, all of them. */
export function countByPlace(groups: readonly Group[]): Readonly<Record<Place, number>> {
  const of = (place: Place) => totalOf(groups.filter((group) => placeOf(group) === place));
  return {
    inFeeds: of('inFeeds'),
    soldProperties: of('soldProperties'),
    withoutOffer: of('withoutOffer'),
    withdrawn: of('withdrawn'),
  };
}

export function totalOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { properties }) => sum + properties, 0);
}

/** Properties by name, most first. */
export function countBy(groups: readonly Group[], nameOf: (group: Group) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(nameOf(group), (counts.get(nameOf(group)) ?? 0) + group.properties);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
