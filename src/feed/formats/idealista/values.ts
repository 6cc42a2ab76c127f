import { type Listing, typeKind, typeNames } from '../../../rules/listing.ts';
import VALUES from './values.json' with { type: 'json' };

/** Idealista's names of the kinds and stages of developments, by our names. */
export const { buildings: BUILDINGS, stages: STAGES } = VALUES;

/** Idealista's names of languages, by the codes of ours. */
export const LANGUAGE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(VALUES.languages).map(([code, name]) => [Number(code), name]),
);

/** Fields of Idealista that our features answer, each with a pattern to match against `category: label` in English. */
export const FEATURES = matched(VALUES.features);

/** Like {@link FEATURES}, fields that Idealista takes of homes for rent only. */
export const RENTALS = matched(VALUES.rentals);

/** Idealista's states of a home, each with a pattern to match against such a text; the first that matches counts. */
export const CONSERVATION = matched(VALUES.conservation);

/** Fields of Idealista that say what kind of flat it is, each with a pattern to match against the names of its type. */
export const FLATS = matched(VALUES.flats);

/** Idealista's types with the words of our English and Spanish names that mean them, within each kind of type. */
const TYPES = new Map(Object.entries(VALUES.types).map(([kind, types]) => [kind, matched(types)]));

export function typeOf(listing: Listing): string {
  const names = typeNames(listing);
  const found = TYPES.get(typeKind(listing))?.find(([, words]) => words.test(names));
  if (found === undefined) throw new Error('Idealista has no such type');
  return found[0];
}

const FLOORS = matched(VALUES.floors);

/** The numbers that Idealista allows, as agencies write them: `3`, `3ª`, `Planta 3`, `3rd floor`. */
const NUMBERED = /^(?:planta|piso|floor)? ?(-[12]|[1-9]|[1-5]\d|60) ?(?:[ºª°.]|st|nd|rd|th)? ?(?:planta|piso|floor)?$/i;

/** Idealista's name of a floor; `undefined` if it has none. */
export function floorOf(text: string): string | undefined {
  const floor = text.trim();
  return FLOORS.find(([, words]) => words.test(floor))?.[0] ?? NUMBERED.exec(floor)?.[1];
}

function matched(patterns: Readonly<Record<string, string>>) {
  return Object.entries(patterns).map(([name, words]) => [name, new RegExp(words, 'i')] as const);
}
