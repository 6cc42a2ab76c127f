import type { PropertyDocument } from '../documents.ts';
import { OFFERS } from '../offers.ts';
import type { SelectionRules } from './schema.ts';

/** Rules in the form in which they are stored, which is one for all that select the same; `null` if they select everything. */
export function canonicalRules(given: SelectionRules | null | undefined): SelectionRules | null {
  const { price = {}, photographs = 0, include = [], exclude = [], ...lists } = given ?? {};
  const offers = OFFERS.filter((offer) => lists.offers?.includes(offer));
  const rules: Required<SelectionRules> = {
    offers: offers.length === OFFERS.length ? [] : offers,
    types: sorted(lists.types),
    price: {
      ...(price.min !== undefined && { min: price.min }),
      ...(price.max !== undefined && { max: price.max }),
    },
    towns: sorted(lists.towns),
    features: sorted(lists.features),
    photographs,
    include: sorted(include.filter((id) => !exclude.includes(id))),
    exclude: sorted(exclude),
  };
  const stated = Object.entries(rules).filter(([, value]) =>
    typeof value === 'number' ? value > 0 : Object.keys(value ?? {}).length > 0,
  );
  return stated.length === 0 ? null : Object.fromEntries(stated);
}

function sorted(values: readonly string[] = []): string[] {
  return [...new Set(values)].sort();
}

/** The offers of a property that a reader with these rules gets. */
export function offersSelected(
  offers: PropertyDocument['offers'],
  rules: SelectionRules | null | undefined,
): PropertyDocument['offers'] {
  if (rules?.offers === undefined) return offers;
  const hidden = OFFERS.filter((offer) => !rules.offers!.includes(offer));
  return { ...offers, ...Object.fromEntries(hidden.map((offer) => [offer, null])) };
}

/** What the rules look at. */
export interface Selectable extends Pick<PropertyDocument, 'id' | 'type' | 'offers' | 'town'> {
  readonly features: readonly string[];
  /** How many of its pictures are photographs. */
  readonly photographs: number;
}

/** Why rules do not select a property. */
export type RuleReason =
  | 'taken out'
  | 'other type'
  | 'other price'
  | 'other town'
  | 'without features'
  | 'few photographs';

/** A rule about properties whose offers are those that the feed shows. `sql.ts` says the same of each in SQL. */
interface Rule {
  readonly reason: RuleReason;
  /** The parts of the rules that it looks at; without the first, it holds. */
  readonly parts: readonly (keyof SelectionRules)[];
  /** Whether it does not apply to properties that are included. */
  readonly isForOthers: boolean;
  holds(property: Selectable, rules: SelectionRules): boolean;
}

/** The rules, in the order in which the first that does not hold is the reason. */
export const RULES: readonly Rule[] = [
  {
    reason: 'taken out',
    parts: ['exclude'],
    isForOthers: false,
    holds: ({ id }, { exclude }) => !exclude?.includes(id),
  },
  {
    reason: 'other type',
    parts: ['types'],
    isForOthers: true,
    holds: ({ type }, { types }) => types?.includes(type) ?? true,
  },
  {
    reason: 'other price',
    parts: ['price', 'offers'],
    isForOthers: true,
    holds({ offers: { sale, long_term, short_term } }, { price, offers = OFFERS }) {
      if (price === undefined) return true;
      const { min = 0, max = Number.POSITIVE_INFINITY } = price;
      const prices = { sale: sale?.price, long_term: long_term?.rent, short_term: short_term?.low };
      return offers.some((offer) => {
        const amount = prices[offer];
        return amount != null && amount >= min && amount <= max;
      });
    },
  },
  {
    reason: 'other town',
    parts: ['towns'],
    isForOthers: true,
    holds: ({ town }, { towns }) => towns?.includes(town) ?? true,
  },
  {
    reason: 'without features',
    parts: ['features'],
    isForOthers: true,
    holds: (property, { features = [] }) =>
      features.every((feature) => property.features.includes(feature)),
  },
  {
    reason: 'few photographs',
    parts: ['photographs'],
    isForOthers: true,
    holds: (property, { photographs = 0 }) => property.photographs >= photographs,
  },
];

/** Why rules do not select a property; `null` if they do. @param property with the offers that the feed shows */
export function whyNotSelected(property: Selectable, rules: SelectionRules): RuleReason | null {
  const isIncluded = rules.include?.includes(property.id) ?? false;
  const broken = RULES.find(
    ({ isForOthers, holds }) => !(isForOthers && isIncluded) && !holds(property, rules),
  );
  return broken?.reason ?? null;
}
