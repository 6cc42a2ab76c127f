import { type Listing, type TypeKind, typeKind } from '../listing.ts';
import { type Detail, type ListingRule, NONE, when } from '../rule.ts';

/** Prices that Trovit accepts, in euros, for sale and per month. */
const SALE: Readonly<Record<TypeKind, readonly [least: number, most: number]>> = {
  apartment: [10_000, 100_000_000],
  house: [10_000, 100_000_000],
  plot: [5_000, 50_000_000],
  parking: [1_000, 200_000],
  business: [1_000, 50_000_000],
  unknown: [1_000, 100_000_000],
};
const RENT: Readonly<Record<TypeKind, readonly [least: number, most: number]>> = {
  apartment: [100, 50_000],
  house: [100, 50_000],
  plot: [10, 500_000],
  parking: [5, 10_000],
  business: [50, 500_000],
  unknown: [5, 500_000],
};

/** Euros per square metre of a home between which nearly all of the market lies. */
const PER_SQUARE_METRE = [150, 40_000] as const;

/** The most that a month's rent can be of the sale price. */
const RENT_OF_PRICE = 0.03;

const APITS = [5_000, 15_000_000] as const;
const JAMES_EDITION_LEAST = 490_000;

/** The most of the price that yearly costs can be. */
const YEARLY_COSTS = 0.1;

interface Price {
  readonly node: string;
  readonly amount: number;
}

function pricesOf({ offers: { sale, longTerm, shortTerm } }: Listing): Price[] {
  const all = [
    { node: 'price', amount: sale?.price },
    { node: 'longterm', amount: longTerm?.rent },
    { node: 'shortterm_low', amount: shortTerm?.low },
    { node: 'shortterm_high', amount: shortTerm?.high },
  ];
  return all.flatMap(({ node, amount }) => (amount == null ? [] : [{ node, amount }]));
}

/** A price that is one: neither unknown nor 0 nor below. */
function positive(price: number | null | undefined): number | undefined {
  return price != null && price > 0 ? price : undefined;
}

function outside(amount: number | null | undefined, [least, most]: readonly [number, number]): boolean {
  return amount != null && amount !== 0 && (amount < least || amount > most);
}

export const PRICE_RULES: readonly ListingRule[] = [
  {
    code: 'no_price',
    severity: 'error',
    explanation: 'No price is known, so feeds show 0. Portals reject such a property or show it as free.',
    fix: 'Give a price; a portal that has "on request" can hide it.',
    portals: [],
    check: ({ offers: { sale, longTerm, shortTerm } }) => [
      ...when(sale !== undefined && !sale.price, 'price', sale?.price ?? 'on request'),
      ...when(longTerm !== undefined && !longTerm.rent, 'longterm', longTerm?.rent ?? 'on request'),
      ...when(
        shortTerm !== undefined && !shortTerm.low && !shortTerm.high,
        'shortterm_low',
        shortTerm?.low ?? 'on request',
      ),
    ],
  },
  {
    code: 'price_negative',
    severity: 'error',
    explanation: 'A price is below 0.',
    fix: 'Correct the price.',
    portals: [],
    check: (listing) => pricesOf(listing).flatMap(({ node, amount }) => when(amount < 0, node, amount)),
  },
  {
    code: 'sale_price_implausible',
    severity: 'error',
    explanation:
      'The sale price is outside the range that Trovit accepts for this type: it looks like a rent, or has a digit too many.',
    fix: 'Check the price and the type.',
    portals: ['trovit'],
    check: (listing) => {
      const price = listing.offers.sale?.price;
      return when(outside(price, SALE[typeKind(listing)]), 'price', price);
    },
  },
  {
    code: 'rent_implausible',
    severity: 'error',
    explanation: 'The monthly rent is outside the range that Trovit accepts for this type.',
    fix: 'Check the rent: it is per month.',
    portals: ['trovit'],
    check: (listing) => {
      const rent = listing.offers.longTerm?.rent;
      return when(outside(rent, RENT[typeKind(listing)]), 'longterm', rent);
    },
  },
  {
    code: 'rent_exceeds_price',
    severity: 'warning',
    explanation: `A month's rent is more than ${RENT_OF_PRICE * 100}% of the sale price: one of them is probably wrong.`,
    fix: 'Check both.',
    portals: [],
    check: ({ offers: { sale, longTerm } }) =>
      when(
        (longTerm?.rent ?? 0) > (positive(sale?.price) ?? Number.POSITIVE_INFINITY) * RENT_OF_PRICE,
        'longterm',
        longTerm?.rent,
      ),
  },
  {
    code: 'price_per_square_metre_implausible',
    severity: 'warning',
    explanation: `The price is below ${PER_SQUARE_METRE[0]} or above ${PER_SQUARE_METRE[1]} per square metre: price or area is probably wrong.`,
    fix: 'Check the price and the built area.',
    portals: [],
    check: (listing) => {
      const kind = typeKind(listing);
      const { builtArea, offers } = listing;
      if ((kind !== 'apartment' && kind !== 'house') || !builtArea || !offers.sale?.price) return NONE;
      const each = offers.sale.price / builtArea;
      return when(outside(each, PER_SQUARE_METRE), 'price', `${Math.round(each)} per square metre`);
    },
  },
  {
    code: 'minimum_price_exceeds_price',
    severity: 'warning',
    explanation: 'The minimum price is above the price.',
    fix: 'Correct one of them.',
    portals: [],
    check: ({ offers: { sale } }) =>
      when(sale?.price != null && sale.minimum > sale.price, 'price_minimum', sale?.minimum),
  },
  {
    code: 'low_season_exceeds_high_season',
    severity: 'warning',
    explanation: 'The price in the low season is above that in the high season.',
    fix: 'Swap or correct them.',
    portals: [],
    check: ({ offers: { shortTerm } }) =>
      when((shortTerm?.low ?? 0) > (shortTerm?.high ?? Number.POSITIVE_INFINITY), 'shortterm_low', shortTerm?.low),
  },
  {
    code: 'price_not_whole',
    severity: 'info',
    explanation: "A price has decimals. Kyero's schema and Property Showrooms require whole numbers.",
    fix: 'Round the price.',
    portals: ['kyero', 'property-showrooms'],
    check: (listing) => pricesOf(listing).flatMap(({ node, amount }) => when(!Number.isInteger(amount), node, amount)),
  },
  {
    code: 'price_outside_a_place_in_the_sun',
    severity: 'info',
    explanation: `A Place in the Sun takes prices from ${APITS[0]} to ${APITS[1]}.`,
    fix: 'Nothing, if the price is right: this portal will not show the property.',
    portals: ['a-place-in-the-sun'],
    onRequest: true,
    check: ({ offers: { sale } }) => when(outside(sale?.price, APITS), 'price', sale?.price),
  },
  {
    code: 'price_below_james_edition',
    severity: 'info',
    explanation: `JamesEdition takes properties from ${JAMES_EDITION_LEAST} on.`,
    fix: 'Nothing, if the price is right: this portal will not show the property.',
    portals: ['james-edition'],
    onRequest: true,
    check: ({ offers: { sale } }) =>
      when(outside(sale?.price, [JAMES_EDITION_LEAST, Number.MAX_VALUE]), 'price', sale?.price),
  },
  {
    code: 'currency_unknown_to_kyero',
    severity: 'error',
    explanation: "Kyero's schema has EUR, GBP and USD only.",
    fix: 'Give the price in euros.',
    portals: ['kyero'],
    check: ({ currency }) => when(!['EUR', 'GBP', 'USD'].includes(currency), 'currency', currency),
  },
  {
    code: 'yearly_costs_implausible',
    severity: 'warning',
    explanation: `Yearly costs are more than ${YEARLY_COSTS * 100}% of the price, or below 0.`,
    fix: 'Check community fees (per month), property tax and garbage tax (per year).',
    portals: [],
    check: ({ offers: { sale }, communityFees, garbageTax, propertyTax }) => {
      const most = (positive(sale?.price) ?? Number.POSITIVE_INFINITY) * YEARLY_COSTS;
      const found = (node: string, yearly: number | null): readonly Detail[] =>
        when(yearly !== null && (yearly < 0 || yearly > most), node, yearly);
      return [
        ...found('community_fees', communityFees === null ? null : communityFees * 12),
        ...found('ibi_fees', propertyTax),
        ...found('garbage_tax', garbageTax),
      ];
    },
  },
  {
    code: 'rental_license_missing',
    severity: 'warning',
    explanation:
      'A short-term rental has no licence. In Spain advertisements need a registration number since 1 July 2025 (Real Decreto 1312/2024).',
    fix: 'Give the number in the licence of the rental.',
    portals: [],
    check: ({ offers: { shortTerm } }) =>
      when(shortTerm !== undefined && !shortTerm.license?.trim(), 'rental_license', ''),
  },
];
