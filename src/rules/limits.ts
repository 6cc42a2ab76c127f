/**
 * The numbers that rules compare with. They are apart from the rules because what a rule says, which is no part of the
 * Worker's script, states them.
 */

/** Fewer pictures than this get less attention. */
export const FEW_PICTURES = 5;

/** The most pictures that Kyero's schema and Green-Acres accept. */
export const KYERO_PICTURES = 50;
export const GREEN_ACRES_PICTURES = 25;

/** The least length of a description that Trovit accepts, and one below which little is said; in characters. */
export const TROVIT_DESCRIPTION = 30;
export const BRIEF_DESCRIPTION = 200;

/** The longest town and province that Kyero's schema accepts, in characters. */
export const KYERO_PLACE = 50;

/** Decimals of a coordinate that place a property to some ten metres. */
export const COORDINATE_DECIMALS = 4;

/** More properties than this at one place are more than a building usually has. */
export const MOST_AT_A_PLACE = 20;

/** The most bedrooms and baths that Trovit accepts. */
export const MOST_ROOMS = 20;

/** What Trovit accepts as floor, in square metres. */
export const FLOOR = [15, 50_000] as const;

/** Square metres per bedroom below which one of the two numbers is wrong. */
export const LEAST_PER_BED = 8;

/** The earliest year of construction that Trovit accepts. */
export const OLDEST = 1700;

/** Years that a building may be announced ahead of its completion. */
export const YEARS_AHEAD = 6;

/** Euros per square metre of a home between which nearly all of the market lies. */
export const PER_SQUARE_METRE = [150, 40_000] as const;

/** The most that a month's rent can be of the sale price. */
export const RENT_OF_PRICE = 0.03;

/** The most of the price that yearly costs can be. */
export const YEARLY_COSTS = 0.1;

/** Prices that A Place in the Sun takes, and the least that JamesEdition does; in euros. */
export const A_PLACE_IN_THE_SUN_PRICES = [5_000, 15_000_000] as const;
export const JAMES_EDITION_PRICE = 490_000;

/** The longest identifier that Kyero's schema accepts, and the longest reference of Property Showrooms; in characters. */
export const LONGEST_ID = 50;
export const LONGEST_REFERENCE = 20;

/** The most features that Kyero's schema accepts. */
export const MOST_FEATURES = 50;

/** Days after which a reservation should have become a sale. */
export const DAYS_RESERVED = 120;

/** Earlier than any report: a finding that held only until then is left out. Seconds since 1970-01-01 UTC. */
export const CLOCK_START = Date.UTC(2026, 0, 1) / 1000;
