import { type ListedRow, type ListOrder, listProperties } from '../../properties/store/listings.ts';
import { MAX_SEARCH_LENGTH } from '../frame/form.tsx';
import { isTried, loadPortals, type PortalView, withRefused } from '../portals/portal.ts';
import { type LoadedReport, loadReport } from '../report/load.ts';
import type { Visitor } from '../visit.ts';
import { type Asked, FILTERS, type Filtered, filtered, valuesIn } from './filters.ts';
import { type Names, readNames } from './property.ts';

/** The orders of the list of properties; the first one is the usual one. */
export const ORDERS = ['changed', 'price', 'reference'] as const satisfies readonly ListOrder[];

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
  const [names, report, all] = await Promise.all([
    readNames(visitor),
    loadReport(visitor, {}),
    listProperties(db, account.id, { search: asked.q, order, forRules }),
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
  const result = filtered(all, (row) => valuesIn(row, portals, findings), asked);
  return { ...result, asked, names, portals, report, findings };
}
