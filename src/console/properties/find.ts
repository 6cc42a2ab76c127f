import { type ListedRow, listAll } from '../../properties/store/listings.ts';
import { findByText } from '../../properties/store/search.ts';
import { MAX_SEARCH_LENGTH } from '../frame/form.tsx';
import { isTried, loadPortals, type PortalView, withRefused } from '../portals/portal.ts';
import { type LoadedReport, loadReport } from '../report/load.ts';
import type { Visitor } from '../visit.ts';
import { type Asked, FILTERS, type Filtered, filtered, valuesIn } from './filters.ts';
import { type Names, readNames } from './property.ts';

type Order = 'changed' | 'price' | 'reference';

/** Rows that are equal stay in the order of their numbers. */
const COMPARED: Readonly<Record<Order, (a: ListedRow, b: ListedRow) => number>> = {
  changed: (a, b) => b.changedAt - a.changedAt || b.number - a.number,
  price: (a, b) => priceOf(b) - priceOf(a),
  reference: (a, b) => Number(a.reference > b.reference) - Number(a.reference < b.reference),
};

/** The orders of the list of properties; the first one is the usual one. */
export const ORDERS = Object.keys(COMPARED) as readonly Order[];

/** Those without a price come last. */
function priceOf({ salePrice, rent }: ListedRow): number {
  return salePrice ?? rent ?? Number.NEGATIVE_INFINITY;
}

/** The properties that a query asks for, in their order. */
export interface Found extends Filtered<ListedRow> {
  readonly asked: Asked;
  readonly names: Names;
  readonly portals: readonly PortalView[];
  readonly report: LoadedReport | null;
  /** The codes of the rules that properties break, by their identifiers. */
  readonly findings: ReadonlyMap<string, readonly string[]>;
}

/** Finds the properties that a query asks for: every page of the list, and what is changed together. */
export async function findProperties(
  visitor: Visitor,
  query: Readonly<Record<string, string>> = visitor.c.req.query(),
): Promise<Found> {
  const { db, account } = visitor;
  const given = [...FILTERS, 'q' as const, 'order' as const].map(
    (name) => [name, query[name]?.trim().slice(0, MAX_SEARCH_LENGTH)] as const,
  );
  const asked: Asked = Object.fromEntries(given.filter(([, value]) => value));
  const order = ORDERS.find((known) => known === asked.order) ?? 'changed';
  const readers = await loadPortals(visitor);
  const forRules = readers.some(({ parameters }) => parameters.policy.selection != null);
  const [names, report, all, matching] = await Promise.all([
    readNames(visitor),
    loadReport(visitor, {}),
    listAll(db, account.id, forRules),
    asked.q === undefined ? null : findByText(db, account.id, asked.q),
  ]);
  // Trying all properties with a format takes longer than anybody waits for a number that nobody has asked for.
  const portals = await Promise.all(
    readers.map(async (portal) => {
      const isAsked = asked.portal?.split(':')[0] === portal.name;
      return isTried(portal) && !isAsked ? portal : (await withRefused(visitor, [portal], all))[0]!;
    }),
  );
  const broken = Map.groupBy(report?.findings ?? [], ({ property }) => property);
  const findings = new Map([...broken].map(([id, found]) => [id, found.map(({ rule }) => rule)]));
  const searched = matching === null ? all : all.filter(({ number }) => matching.has(number));
  const found = filtered(searched, (row) => valuesIn(row, portals, findings), asked);
  const rows = found.rows.toSorted(COMPARED[order]);
  return { ...found, rows, asked, names, portals, report, findings };
}
