import {
  A_PLACE_IN_THE_SUN_PRICES,
  JAMES_EDITION_PRICE,
  PER_SQUARE_METRE,
  RENT_OF_PRICE,
  YEARLY_COSTS,
} from '../limits.ts';
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
    portals: [],
    check: (listing) => pricesOf(listing).flatMap(({ node, amount }) => when(amount < 0, node, amount)),
  },
  {
    code: 'sale_price_implausible',
    severity: 'error',
    portals: ['trovit'],
    check: (listing) => {
      const price = listing.offers.sale?.price;
      return when(outside(price, SALE[typeKind(listing)]), 'price', price);
    },
  },
  {
    code: 'rent_implausible',
    severity: 'error',
    portals: ['trovit'],
    check: (listing) => {
      const rent = listing.offers.longTerm?.rent;
      return when(outside(rent, RENT[typeKind(listing)]), 'longterm', rent);
    },
  },
  {
    code: 'rent_exceeds_price',
    severity: 'warning',
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
    portals: [],
    check: (listing) => {
      const kind = typeKind(listing);
      const { builtArea, offers } = listing;
      if ((kind !== 'apartment' && kind !== 'house') || !builtArea || !offers.sale?.price) return NONE;
      const each = offers.sale.price / builtArea;
      return when(outside(each, PER_SQUARE_METRE), 'price', `${Math.round(each)} / m²`);
    },
  },
  {
    code: 'minimum_price_exceeds_price',
    severity: 'warning',
    portals: [],
    check: ({ offers: { sale } }) =>
      when(sale?.price != null && sale.minimum > sale.price, 'price_minimum', sale?.minimum),
  },
  {
    code: 'low_season_exceeds_high_season',
    severity: 'warning',
    portals: [],
    check: ({ offers: { shortTerm } }) =>
      when((shortTerm?.low ?? 0) > (shortTerm?.high ?? Number.POSITIVE_INFINITY), 'shortterm_low', shortTerm?.low),
  },
  {
    code: 'price_not_whole',
    severity: 'info',
    portals: ['kyero', 'property-showrooms'],
    check: (listing) => pricesOf(listing).flatMap(({ node, amount }) => when(!Number.isInteger(amount), node, amount)),
  },
  {
    code: 'price_outside_a_place_in_the_sun',
    severity: 'info',
    portals: ['a-place-in-the-sun'],
    onRequest: true,
    check: ({ offers: { sale } }) => when(outside(sale?.price, A_PLACE_IN_THE_SUN_PRICES), 'price', sale?.price),
  },
  {
    code: 'price_below_james_edition',
    severity: 'info',
    portals: ['james-edition'],
    onRequest: true,
    check: ({ offers: { sale } }) =>
      when(outside(sale?.price, [JAMES_EDITION_PRICE, Number.MAX_VALUE]), 'price', sale?.price),
  },
  {
    code: 'currency_unknown_to_kyero',
    severity: 'error',
    portals: ['kyero'],
    check: ({ currency }) => when(!['EUR', 'GBP', 'USD'].includes(currency), 'currency', currency),
  },
  {
    code: 'yearly_costs_implausible',
    severity: 'warning',
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
    portals: [],
    check: ({ offers: { shortTerm } }) =>
      when(shortTerm !== undefined && !shortTerm.license?.trim(), 'rental_license', ''),
  },
];
