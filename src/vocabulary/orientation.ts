import { escapeXml } from '../lib/bytes/xml.ts';
import { LANGUAGES } from '../lib/languages.ts';
import { lazy } from '../lib/lazy.ts';
import { CATEGORY_ENTRIES, FEATURE_ENTRIES } from './entries.ts';
import { nameKey } from './name-key.ts';

/** The code of the feature category for the directions that a property faces. */
export const ORIENTATION = 'Orientation';

const POINTS = { N: 'North', S: 'South', E: 'East', W: 'West' };
const BETWEEN = { NE: 'North East', NW: 'North West', SE: 'South East', SW: 'South West' };

/** The points of the compass in the languages 1 to 10: the labels of the vocabulary's features. */
export const COMPASS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ ...POINTS, ...BETWEEN }).map(([direction, label]) => [
    direction,
    labelsOf(FEATURE_ENTRIES, `${ORIENTATION}: ${label}`),
  ]),
);

/** The names of the category in the languages 1 to 10. */
export const ORIENTATION_NAMES: readonly string[] = labelsOf(CATEGORY_ENTRIES, ORIENTATION);

function labelsOf(
  entries: typeof FEATURE_ENTRIES | typeof CATEGORY_ENTRIES,
  code: string,
): string[] {
  const { labels } = entries.find((entry) => entry.code === code)!.document;
  return LANGUAGES.map(({ element }) => labels[element]!);
}

/** As written where west is `oeste`: in Spain, `O` is never the German or Norwegian east. */
const SPANISH = { O: 'W', NO: 'NW', SO: 'SW' };

/** The points of the compass by their codes and by the words of every language. */
const points = lazy(
  () =>
    new Map([
      ...Object.entries(COMPASS).flatMap(([point, words]) =>
        [point, ...words].map((name) => [nameKey(name), point] as const),
      ),
      ...Object.entries(SPANISH).map(([code, point]) => [nameKey(code), point] as const),
    ]),
);

/**
 * The code of the point of the compass that a direction means, as a code or as a word of one of the languages, in any case; any
 * other direction as it is given.
 */
export function pointOf(direction: string): string {
  return points().get(nameKey(direction)) ?? direction;
}

/**
 * The directions of a unit that XML can represent, in order; a nested list is flattened.
 *
 * @param directions JSON: short text codes, or lists of them
 */
export function directionsIn(directions: string): string[] {
  const codes = (JSON.parse(directions) as unknown[]).flat(Number.POSITIVE_INFINITY).map(String);
  return codes.map(pointOf).filter((code) => escapeXml(code) !== '');
}
