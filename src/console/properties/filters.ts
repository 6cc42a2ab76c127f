import type { ListedRow } from '../../properties/store/listings.ts';
import { leftOutOf, type PortalView } from '../portals/portal.ts';

/** What the list of properties is filtered by, in the order of the page. */
export const FILTERS = [
  'status',
  'offer',
  'type',
  'price',
  'beds',
  'town',
  'portal',
  'finding',
] as const;

export type FilterName = (typeof FILTERS)[number];

/** What a query asks for: the words searched for, an order, and one value of each filter. */
export type Asked = Readonly<Partial<Record<FilterName | 'q' | 'order', string>>>;

/** The values of each filter that a property has. */
type Values = Readonly<Record<FilterName, readonly string[]>>;

/** Rows that a query asks for, and how many each value of a filter would give instead, with the other filters as they are. */
export interface Filtered<Row> {
  readonly rows: readonly Row[];
  readonly counts: ReadonlyMap<FilterName, ReadonlyMap<string, number>>;
  /** How many more there would be without each filter that leaves something out by itself. */
  readonly without: ReadonlyMap<FilterName, number>;
}

/** Filters rows, and counts what each filter would give. */
export function filtered<Row>(
  all: readonly Row[],
  valuesOf: (row: Row) => Values,
  asked: Asked,
): Filtered<Row> {
  const counts = new Map(FILTERS.map((name) => [name, new Map<string, number>()]));
  const without = new Map<FilterName, number>();
  const given = FILTERS.filter((name) => asked[name] !== undefined);
  const rows = all.filter((row) => {
    const values = valuesOf(row);
    const failed = given.filter((name) => !values[name].includes(asked[name]!));
    // With another value of the only filter that it fails, a row would be listed.
    if (failed.length > 1) return false;
    for (const name of failed) without.set(name, (without.get(name) ?? 0) + 1);
    for (const name of failed.length === 0 ? FILTERS : failed) {
      const count = counts.get(name)!;
      for (const value of values[name]) count.set(value, (count.get(value) ?? 0) + 1);
    }
    return failed.length === 0;
  });
  return { rows, counts, without };
}

/** The bounds of the ranges that prices are filtered by: of rents, then of sale prices. */
const BOUNDS = [
  0, 1_000, 2_000, 50_000, 100_000, 200_000, 300_000, 400_000, 500_000, 750_000, 1_000_000,
  2_000_000, 5_000_000,
];

/** The ranges of prices as a query has them: `200000-300000`, the last one `5000000-`. */
const RANGES = BOUNDS.map((bound, index) => `${bound}-${BOUNDS[index + 1] ?? ''}`);

function rangeOf(price: number): string {
  return RANGES[BOUNDS.findLastIndex((bound) => bound <= price)]!;
}

/** The most bedrooms that a filter asks for, and the values of a property with so many. */
const MOST_BEDS = 6;
const BEDS = Array.from({ length: MOST_BEDS + 1 }, (_, beds) =>
  Array.from({ length: beds }, (_, index) => `${index + 1}`),
);

/**
 * The values of a property. Bedrooms are at least that many; a portal whose feed leaves the property out is there with the reason.
 *
 * @param findings the codes of rules by the properties that break them
 */
export function valuesIn(
  row: ListedRow,
  portals: readonly PortalView[],
  findings: ReadonlyMap<string, readonly string[]>,
): Values {
  const { status, type, town, salePrice, rent, identifier } = row;
  const offers: string[] = [];
  if (row.forSale) offers.push('sale');
  if (row.forLongTerm) offers.push('long');
  if (row.forShortTerm) offers.push('short');
  const prices = [salePrice, row.forLongTerm || row.forShortTerm ? rent : null];
  const ranges = prices.flatMap((price) => (price !== null && price > 0 ? rangeOf(price) : []));
  return {
    status: [status],
    offer: offers.length === 0 ? ['none'] : offers,
    type: [type],
    price: ranges[0] === ranges[1] ? ranges.slice(1) : ranges,
    beds: BEDS[Math.min(Math.max(0, row.beds), MOST_BEDS)]!,
    town: town === '' ? [] : [town],
    portal: portals.map((portal) => {
      const reason = leftOutOf(portal, row);
      return reason === null ? portal.name : `${portal.name}:${reason}`;
    }),
    finding: findings.get(identifier) ?? [],
  };
}
