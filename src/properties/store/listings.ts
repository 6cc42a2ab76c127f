import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../../db/json-rows.ts';
import { accounts, properties, propertySearch, units } from '../../db/schema.ts';
import { statementOf, whereEquals } from '../../db/statements.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import type { PropertyDocument } from '../documents.ts';
import { type StoredDocument, storedFields } from './property-rows.ts';

/** In which order properties are listed; the last two are those of feeds. */
export type ListOrder = 'changed' | 'reference' | 'added' | 'listed';

export interface ListFilter {
  readonly identifiers?: readonly string[] | undefined;
  readonly numbers?: readonly number[] | undefined;
  /** The one that is this unit. */
  readonly unit?: Readonly<Record<'development' | 'name', string>> | undefined;
  readonly order: ListOrder;
  /** Whether the rows have what rules of selections look at, too. */
  readonly forRules?: boolean;
}

const { accountId, number, identifier, reference, rent } = properties;

const STATUS = sql<PropertyDocument['status']>`
  iif(${properties.status} = 'Withdrawn', 'Withdrawn', coalesce(${units.feedStatus}, ${properties.status}))`;
const PRICE = sql<number | null>`
  iif(${properties.forSale}, coalesce(${units.price}, ${properties.salePrice}), NULL)`;

const ORDERS: Readonly<Record<ListOrder, readonly SQL[]>> = {
  changed: [desc(properties.changedAt), desc(number)],
  reference: [sql`${reference}`, sql`${number}`],
  added: [sql`${number}`],
  listed: [desc(properties.listedAt), desc(number)],
};

/** Only columns that precede the documents: SQLite then reads no page of a document, however many properties it looks at. */
const COLUMNS = {
  number,
  identifier,
  reference,
  town: properties.town,
  area: properties.area,
  beds: sql<number>`ifnull(${propertySearch.beds}, 0)`,
  status: STATUS,
  salePrice: PRICE,
  rent,
  type: properties.type,
  rented: properties.rented,
  onWebsites: properties.onWebsites,
  forSale: properties.forSale,
  forLongTerm: properties.forLongTerm,
  forShortTerm: properties.forShortTerm,
  channels: properties.channels,
  restrictions: properties.restrictions,
  change: properties.change,
  changedAt: properties.changedAt,
};

const { monthlyRent, weeklyRent, features, photographs } = properties;

/** What only rules of selections look at. SQLite reads the documents for these. */
const OF_RULES = { monthlyRent, weeklyRent, features, photographs };

/** Instead of {@link OF_RULES}, where no rule looks. */
const WITHOUT_RULES = {
  monthlyRent: sql`NULL`,
  weeklyRent: sql`NULL`,
  features: sql`'[]'`,
  photographs: sql`0`,
};

const NAMES = Object.keys({ ...COLUMNS, ...OF_RULES });

/** A property in a list. If it is a unit, it has the unit's status and price, as in feeds. */
export interface ListedRow
  extends Readonly<
    Pick<
      typeof properties.$inferSelect,
      Exclude<keyof typeof COLUMNS, 'status' | 'salePrice' | 'beds'> | keyof typeof OF_RULES
    >
  > {
  readonly beds: number;
  readonly status: PropertyDocument['status'];
  readonly salePrice: number | null;
}

/** The properties of an account that match, in an order. */
export async function listProperties(
  db: D1Database,
  account: number,
  { identifiers, numbers, unit, order, forRules }: ListFilter,
): Promise<ListedRow[]> {
  const found = and(
    eq(accountId, account),
    identifiers && inArray(identifier, listOf(identifiers)),
    numbers && inArray(number, listOf(numbers)),
    unit &&
      sql`${properties.unitId} IN (SELECT u.id FROM units u JOIN developments d ON d.id = u.development_id
        WHERE d.account_id = ${account} AND d.identifier = ${unit.development} AND u.name = ${unit.name})`,
  );
  const query = drizzle(db)
    .select(columnsOf(forRules))
    .from(properties)
    .leftJoin(propertySearch, eq(propertySearch.propertyId, properties.id))
    .leftJoin(units, eq(units.id, properties.unitId))
    .where(found)
    .orderBy(...ORDERS[order]);
  const rows = await statementOf(db, query).raw<(string | number | null)[]>();
  return rows.map((values) => listedRow(values));
}

/** The columns of {@link listedRow}, with what rules of selections look at or without. */
function columnsOf(forRules = false) {
  return { ...COLUMNS, ...(forRules ? OF_RULES : WITHOUT_RULES) };
}

/** A row as the database returns it: the values of {@link NAMES}. */
type Stored = readonly (string | number | null)[];

/** Columns with few values, which rows share, and those that are lists of names in JSON. */
const SHARED: ReadonlySet<string> = new Set(['town', 'area', 'type', 'status']);
const LISTS: ReadonlySet<string> = new Set(['channels', 'restrictions', 'features']);

/** @param shared what several rows have the same, each once in memory: texts and lists by their JSON */
function listedRow(values: Stored, shared = new Map<unknown, unknown>()): ListedRow {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < NAMES.length; index++) {
    const name = NAMES[index]!;
    const value = values[index]!;
    const isList = LISTS.has(name);
    if (isList || SHARED.has(name)) {
      if (!shared.has(value)) shared.set(value, isList ? JSON.parse(String(value)) : value);
      row[name] = shared.get(value);
    } else row[name] = value;
  }
  return row as unknown as ListedRow;
}

/** The properties of an account at one of its states, in the order of their numbers. */
interface Kept {
  readonly incarnation: number;
  /** The number of the account's last change. */
  readonly number: number;
  readonly forRules: boolean;
  readonly rows: readonly ListedRow[];
}

/** About what a row takes. */
const ROW_BYTES = 600;

/** What was read of accounts last. */
const KEPT = boundedCache<Kept>({
  maxBytes: 12_000_000,
  valueBytes: ({ rows }) => ROW_BYTES * rows.length,
});

/**
 * All properties of an account, in the order of their numbers. An isolate keeps them, and reads only those that have changed since:
 * whatever a row shows, a change of it gives the property another number. The same array means the same properties.
 *
 * @param forRules whether the rows have what rules of selections look at, too
 */
export async function listAll(
  db: D1Database,
  account: number,
  forRules = false,
): Promise<readonly ListedRow[]> {
  const kept = KEPT.get(`${account}`);
  const before = kept?.forRules || !forRules ? kept : undefined;
  const read =
    (await readSince(db, account, before?.forRules ?? forRules, before)) ??
    (await readSince(db, account, forRules));
  if (read === null) return [];
  if (read !== before) KEPT.set(`${account}`, read);
  return read.rows;
}

/**
 * The properties of an account as they are now. One statement reads them with the state that they are in.
 *
 * @param before an earlier state: only what has changed since is read
 * @returns `before` if it is still the state; `null` if the account does not exist, or what has left it since is not known
 */
async function readSince(
  db: D1Database,
  account: number,
  forRules: boolean,
  before?: Kept,
): Promise<Kept | null> {
  const { incarnation, changes, deleted } = accounts;
  // The index has those with a number. Of two lower bounds, SQLite uses the first.
  const since = before && sql`${properties.change} > ${before.number} AND ${properties.change} > 0`;
  const query = drizzle(db)
    .select({ incarnation, changes, deleted, ...columnsOf(forRules) })
    .from(accounts)
    .leftJoin(properties, and(eq(accountId, accounts.id), since))
    .leftJoin(propertySearch, eq(propertySearch.propertyId, properties.id))
    .leftJoin(units, eq(units.id, properties.unitId))
    .where(eq(accounts.id, account));
  const read = await statementOf(db, query).raw<[number, number, number, ...Stored]>();
  const [first] = read;
  if (first === undefined) return null;
  const state = { incarnation: first[0], number: first[1], forRules };
  const isLater = before?.incarnation === state.incarnation && before.number <= state.number;
  if (before !== undefined && (!isLater || first[2] > before.number)) return null;
  if (before?.number === state.number) return before;
  const shared = new Map<unknown, unknown>();
  const found = read.filter(([, , , number]) => number !== null);
  const changed = new Map(
    found.map(([, , , ...values]) => [values[0] as number, listedRow(values, shared)]),
  );
  const rows = before === undefined ? [] : before.rows.filter((row) => !changed.has(row.number));
  return { ...state, rows: [...rows, ...changed.values()].sort((a, b) => a.number - b.number) };
}

/** How many properties have the same status and offers. */
export interface PropertyGroup
  extends Readonly<Pick<ListedRow, 'status' | 'forSale' | 'forLongTerm' | 'forShortTerm'>> {
  readonly properties: number;
}

/** Counts properties by status and offers. */
export function countProperties(rows: readonly ListedRow[]): PropertyGroup[] {
  const groups = Map.groupBy(
    rows,
    ({ status, forSale, forLongTerm, forShortTerm }) =>
      `${status}${forSale}${forLongTerm}${forShortTerm}`,
  );
  return [...groups.values()].map((alike) => ({ ...alike[0]!, properties: alike.length }));
}

/** What a page of a list shows of a property's document. */
export interface ListedFacts {
  readonly document: Pick<
    StoredDocument,
    'currency' | 'offers' | 'beds' | 'bath' | 'built_area' | 'plot_area'
  >;
  /** The address of its first picture. */
  readonly picture: string | null;
}

/** The rows of a page with what it shows of their documents; without those that were deleted meanwhile. */
export async function withFacts(
  db: D1Database,
  account: number,
  rows: readonly ListedRow[],
): Promise<(ListedRow & ListedFacts)[]> {
  const picture = sql<string | null>`coalesce(
    ${properties.pictures} ->> '$[0].url', ${properties.pictures} ->> '$[0]')`;
  const found = await drizzle(db)
    .select({ number, document: properties.document, picture })
    .from(properties)
    .where(whereEquals(properties, { accountId: account, number: rows.map((row) => row.number) }));
  const byNumber = new Map(found.map((one) => [one.number, one]));
  return rows.flatMap((row) => {
    const one = byNumber.get(row.number);
    return one ? [{ ...row, document: storedFields(one.document), picture: one.picture }] : [];
  });
}
