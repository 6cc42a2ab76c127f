import { ACCOUNT_RULES, OTHER_RULES } from './about/across.ts';
import { DESCRIPTION_RULES } from './about/descriptions.ts';
import { FACT_RULES } from './about/facts.ts';
import { IDEALISTA_RULES } from './about/idealista.ts';
import { LAW_RULES } from './about/law.ts';
import { LIMIT_RULES } from './about/limits.ts';
import { PICTURE_RULES } from './about/pictures.ts';
import { PLACE_RULES } from './about/places.ts';
import { PRICE_RULES } from './about/prices.ts';
import { SIZE_RULES } from './about/sizes.ts';
import { TIME_RULES } from './about/times.ts';
import { WORDING_RULES } from './about/wording.ts';
import type { Portal } from './portals.ts';
import type { ListingRule, Rule } from './rule.ts';

/** The version of the rules: part of the name of every cached part of a report. Raise it whenever findings change. */
export const RULES_FORMAT = 8;

/** The rules about one property. */
export const LISTING_RULES: readonly ListingRule[] = [
  ...PRICE_RULES,
  ...PICTURE_RULES,
  ...DESCRIPTION_RULES,
  ...WORDING_RULES,
  ...PLACE_RULES,
  ...SIZE_RULES,
  ...FACT_RULES,
  ...LAW_RULES,
  ...TIME_RULES,
  ...LIMIT_RULES,
  ...IDEALISTA_RULES,
];

export { ACCOUNT_RULES };

/** All rules, in the order of reports. */
export const RULES: readonly Rule[] = [...LISTING_RULES, ...ACCOUNT_RULES, ...OTHER_RULES];

/** The portals whose feeds leave out properties that they refuse. */
export const REFUSING_PORTALS: readonly Portal[] = [
  ...new Set(RULES.flatMap(({ isRefusal, portals = [] }) => (isRefusal ? portals : []))),
];
