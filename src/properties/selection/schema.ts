import * as z from 'zod';
import { because } from '../../messages/messages.ts';
import { name, text } from '../checks.ts';
import { OFFERS } from '../offers.ts';

/** Most listings that are in or out by their identifiers, and most types, towns and features. More listings are a channel. */
const MAX_LISTINGS = 500;
const MAX_NAMES = 200;

/** Characters of rules as JSON: they are read with the reader for each request. */
const MAX_LENGTH = 50_000;

const money = z.number().min(0).max(1e12);
const names = z.array(text(1, 200)).max(MAX_NAMES);
const listings = z.array(name(1, 100)).max(MAX_LISTINGS);

const offers = z
  .array(z.enum(OFFERS))
  .max(OFFERS.length)
  .describe('Offered for one of these; feeds do not show the other offers.');

const PRICE_DESCRIPTION =
  'The price of one of these offers, for a rental that of a month, or of a week in the low ' +
  'season; one on request is in no range.';

const photographs = z
  .int()
  .min(0)
  .max(1_000)
  .describe('The least number of photographs; floor plans are none.');

const LISTS = {
  types: names.describe('Codes of types, of which it has one.'),
  towns: names.describe('Towns, of which it is in one.'),
  features: names.describe('Codes of features, all of which it has.'),
  include: listings.describe('Identifiers of properties that need not fulfil the other rules.'),
  exclude: listings.describe('Identifiers of properties that are not listed.'),
};

const PARTS = { offers, photographs, ...LISTS };

/**
 * The rules by which a reader selects properties. A rule that is not given, or empty, selects all. Properties that are included
 * need not fulfil those on types, prices, towns, features and photographs; none that is excluded is listed.
 */
export const selectionRules = z
  .strictObject({
    ...PARTS,
    price: z
      .strictObject({ min: money, max: money })
      .partial()
      .refine(({ min = 0, max = min }) => min <= max, because('min_above_max'))
      .describe(PRICE_DESCRIPTION),
  })
  .partial()
  .refine(
    (rules) => JSON.stringify(rules).length <= MAX_LENGTH,
    because('json_too_long', { most: MAX_LENGTH }),
  );

/** A change of rules: those that are given replace what is stored, and `null` removes one. */
export const selectionChange = z
  .strictObject({
    offers: offers.nullable(),
    types: LISTS.types.nullable(),
    price: z
      .strictObject({ min: money.nullable(), max: money.nullable() })
      .partial()
      .nullable()
      .describe(PRICE_DESCRIPTION),
    towns: LISTS.towns.nullable(),
    features: LISTS.features.nullable(),
    photographs: photographs.nullable(),
    include: LISTS.include.nullable(),
    exclude: LISTS.exclude.nullable(),
  })
  .partial();

/** A change of rules, as a JSON Merge Patch of them. */
export type SelectionChange = z.output<typeof selectionChange>;

export type SelectionRules = z.output<typeof selectionRules>;
