import { ACCOUNT_CHECKS } from './about/across.ts';
import { HOME_CHECKS } from './about/homes.ts';
import { IDEALISTA_CHECKS } from './about/idealista.ts';
import { LIMIT_RULES } from './about/limits.ts';
import { PICTURE_CHECKS } from './about/pictures.ts';
import { PLACE_CHECKS } from './about/places.ts';
import { PRICE_CHECKS } from './about/prices.ts';
import { TEXT_CHECKS } from './about/texts.ts';
import type { Portal } from './portals.ts';
import type { AccountRule, ListingChecks, ListingRule, Rule } from './rule.ts';
import TABLE from './rules.json' with { type: 'json' };

/** The version of the rules: part of the name of every cached part of a report. Raise it whenever findings change. */
export const RULES_FORMAT = 14;

export const CHECKS: ListingChecks = {
  ...PRICE_CHECKS,
  ...PICTURE_CHECKS,
  ...TEXT_CHECKS,
  ...PLACE_CHECKS,
  ...HOME_CHECKS,
  ...IDEALISTA_CHECKS,
};

/** The rules of `rules.json`, with how they look at a property. */
function withChecks(group: 'listing' | 'law' | 'idealista'): readonly ListingRule[] {
  return (TABLE[group] as readonly Rule[]).map((rule) => ({ ...rule, check: CHECKS[rule.code]! }));
}

export const LISTING_RULES: readonly ListingRule[] = [
  ...withChecks('listing'),
  ...withChecks('law'),
  ...LIMIT_RULES,
  ...withChecks('idealista'),
];

export const ACCOUNT_RULES: readonly AccountRule[] = (TABLE.account as readonly Rule[]).map(
  (rule) => ({
    ...rule,
    compare: ACCOUNT_CHECKS[rule.code]!,
  }),
);

/** All rules, in the order of reports. The last ones are about what only the database, or a request for an address, finds. */
export const RULES: readonly Rule[] = [
  ...LISTING_RULES,
  ...ACCOUNT_RULES,
  ...(TABLE.other as readonly Rule[]),
];

/** Whether this is the code of a rule. */
export function isRule(name: string): boolean {
  return RULES.some(({ code }) => code === name);
}

/** The portals whose feeds leave out properties that they refuse. */
export const REFUSING_PORTALS: readonly Portal[] = [
  ...new Set(RULES.flatMap(({ isRefusal, portals = [] }) => (isRefusal ? portals : []))),
];
