import type { Listing } from '../listing.ts';
import { type Detail, type ListingChecks, NONE, when } from '../rule.ts';
import { isHome, type TypeKind, typeKind } from '../types.ts';

type Range = readonly [least: number, most: number];

/** Plausible prices of a home, in euros per square metre. */
const PER_SQUARE_METRE: Range = [150, 40_000];

/** Maximum shares of the sale price: of the rent per month, and of each yearly cost. */
const MAX_RENT_SHARE = 0.03;
const MAX_YEARLY_COST_SHARE = 0.1;

/** Prices that Trovit accepts, in euros, for sale and per month. */
const ACCEPTED: Readonly<Record<TypeKind, Readonly<Record<'sale' | 'rent', Range>>>> = {
  apartment: { sale: [10_000, 100_000_000], rent: [100, 50_000] },
  house: { sale: [10_000, 100_000_000], rent: [100, 50_000] },
  plot: { sale: [5_000, 50_000_000], rent: [10, 500_000] },
  parking: { sale: [1_000, 200_000], rent: [5, 10_000] },
  business: { sale: [1_000, 50_000_000], rent: [50, 500_000] },
  unknown: { sale: [1_000, 100_000_000], rent: [5, 500_000] },
};

function pricesOf({ offers: { sale, long_term, short_term } }: Listing) {
  const all = [
    { node: 'price', amount: sale?.price },
    { node: 'longterm', amount: long_term?.rent },
    { node: 'shortterm_low', amount: short_term?.low },
    { node: 'shortterm_high', amount: short_term?.high },
  ];
  return all.flatMap(({ node, amount }) => (amount == null ? [] : [{ node, amount }]));
}

/** A price to compare others with: infinite if there is none. */
function priceOf(sale: Listing['offers']['sale']): number {
  return sale?.price != null && sale.price > 0 ? sale.price : Number.POSITIVE_INFINITY;
}

function outside(amount: number | null | undefined, [least, most]: Range): boolean {
  return amount != null && amount !== 0 && (amount < least || amount > most);
}

export const PRICE_CHECKS: ListingChecks = {
  no_price: ({ offers: { sale, long_term, short_term } }) => [
    ...when(!!sale && !sale.price, 'price', sale?.price ?? ''),
    ...when(!!long_term && !long_term.rent, 'longterm', long_term?.rent ?? ''),
    ...when(
      !!short_term && !short_term.low && !short_term.high,
      'shortterm_low',
      short_term?.low ?? '',
    ),
  ],
  price_negative: (listing) =>
    pricesOf(listing).flatMap(({ node, amount }) => when(amount < 0, node, amount)),
  sale_price_implausible: (listing) => {
    const price = listing.offers.sale?.price;
    return when(outside(price, ACCEPTED[typeKind(listing)].sale), 'price', price);
  },
  rent_implausible: (listing) => {
    const rent = listing.offers.long_term?.rent;
    return when(outside(rent, ACCEPTED[typeKind(listing)].rent), 'longterm', rent);
  },
  rent_exceeds_price: ({ offers: { sale, long_term } }) => {
    const most = priceOf(sale) * MAX_RENT_SHARE;
    return when((long_term?.rent ?? 0) > most, 'longterm', long_term?.rent);
  },
  price_per_square_metre_implausible: (listing) => {
    const { built_area, offers } = listing;
    if (!isHome(listing) || !built_area || !offers.sale?.price) return NONE;
    const each = offers.sale.price / built_area;
    return when(outside(each, PER_SQUARE_METRE), 'price', `${Math.round(each)} / m²`);
  },
  minimum_price_exceeds_price: ({ offers: { sale } }) =>
    when(
      sale?.price != null && sale.minimum_price > sale.price,
      'price_minimum',
      sale?.minimum_price,
    ),
  low_season_exceeds_high_season: ({ offers: { short_term } }) =>
    when(
      (short_term?.low ?? 0) > (short_term?.high ?? Number.POSITIVE_INFINITY),
      'shortterm_low',
      short_term?.low,
    ),
  price_not_whole: (listing) =>
    pricesOf(listing).flatMap(({ node, amount }) => when(!Number.isInteger(amount), node, amount)),
  currency_unknown_to_kyero: ({ currency }) =>
    when(!['EUR', 'GBP', 'USD'].includes(currency), 'currency', currency),
  yearly_costs_implausible: ({ offers: { sale }, community_fees, garbage_tax, ibi_fees }) => {
    const most = priceOf(sale) * MAX_YEARLY_COST_SHARE;
    const found = (node: string, yearly: number | null): readonly Detail[] =>
      when(yearly !== null && (yearly < 0 || yearly > most), node, yearly);
    return [
      ...found('community_fees', community_fees === null ? null : community_fees * 12),
      ...found('ibi_fees', ibi_fees),
      ...found('garbage_tax', garbage_tax),
    ];
  },
};
