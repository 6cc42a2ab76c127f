import type { ListingRule, Rule } from './rule.ts';
import { ACCOUNT_RULES } from './rules/across.ts';
import { DESCRIPTION_RULES } from './rules/descriptions.ts';
import { FACT_RULES } from './rules/facts.ts';
import { PICTURE_RULES } from './rules/pictures.ts';
import { PLACE_RULES } from './rules/places.ts';
import { PRICE_RULES } from './rules/prices.ts';
import { SIZE_RULES } from './rules/sizes.ts';
import { TIME_RULES } from './rules/times.ts';

/** The version of the rules: part of the name of every cached part of a report. To be raised whenever findings change. */
export const RULES_FORMAT = 3;

/** The rules about one property. */
export const LISTING_RULES: readonly ListingRule[] = [
  ...PRICE_RULES,
  ...PICTURE_RULES,
  ...DESCRIPTION_RULES,
  ...PLACE_RULES,
  ...SIZE_RULES,
  ...FACT_RULES,
  ...TIME_RULES,
];

export { ACCOUNT_RULES };

/** All rules, in the order of reports. */
export const RULES: readonly Rule[] = [...LISTING_RULES, ...ACCOUNT_RULES];
