import { type SQL, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { keyOf, type PropertyDocument } from '../../portfolio/documents.ts';
import type { ReaderKind } from '../../portfolio/restrictions.ts';
import { readAccount } from '../account-read.ts';
import type { Selection } from '../feed/feed-properties.ts';
import { isAllowedFor, isInChannel, wasSeen } from '../feed/segments.ts';
import { bytesOf, onePage } from '../portfolio/listed.ts';
import { selectStored } from '../portfolio/read.ts';
import { readTogether } from '../statements.ts';
import type { Unit } from '../units/units.ts';

/** Which properties a caller sees. */
export interface Audience {
  readonly accountId: number;
  /** The states in which properties are listed that the caller sees, from {@link statesOf}. */
  readonly states: number;
  /** The id of the channel whose properties the caller sees; `null` for all. */
  readonly channel: number | null;
  /** What kind of reader it is; `null` for every listing. */
  readonly kind: ReaderKind | null;
}

/** Where a reading of changes stands. */
export interface Position {
  /** Changes up to this number have been read. */
  readonly number: number;
  /** The account's number when the first load began: of what was removed before, the caller knows nothing. */
  readonly loadedAt: number;
}

/** The last change of a property: its present document, or `null` if the caller no longer sees it. */
export interface PropertyChange {
  readonly id: string;
  readonly number: number;
  readonly document: PropertyDocument | null;
  /** The directions of the property's unit, as JSON; `null` if it has none. */
  readonly directions: string | null;
}

/** A page of changes, in the order of their numbers. */
export interface ChangesPage<Change> {
  readonly changes: readonly Change[];
  readonly next: Position;
  readonly hasMore: boolean;
}

/** How far an account's changes go. */
export interface ChangeState {
  /** The number of the account's last change. */
  readonly number: number;
  /** Advances when the database has been restored to an earlier state. */
  readonly incarnation: number;
  /** The database's clock. */
  readonly now: EpochSeconds;
}

const STATES = 32;

/** The states in which the properties are listed that a feed with this selection shows, as a mask of the bits of `listed_states`. */
export function statesOf(selection: Omit<Selection, 'languages'>): number {
  const { category, onWebsites, withoutRented, availableOnly } = selection;
  let states = 0;
  for (let state = 0; state < STATES; state++) {
    const [forSale, forRent, available, notRented, onBothWebsites] = [1, 2, 4, 8, 16].map((bit) => (state & bit) !== 0);
    const offered = { SALE: forSale, RENT: forRent, All: forSale || forRent }[category];
    if (offered && (available || !availableOnly) && (notRented || !withoutRented) && (onBothWebsites || !onWebsites)) {
      states += 2 ** state;
    }
  }
  return states;
}

/** The states of every listed property. */
export const ALL_STATES = statesOf({ category: 'All', onWebsites: false, withoutRented: false, availableOnly: false });

/** How far the changes of an account go; `null` if it no longer exists. */
export async function readChangeState(db: D1Database, accountId: number): Promise<ChangeState | null> {
  const [state] = await drizzle(db).all<ChangeState>(selectState(accountId));
  return state ?? null;
}

function selectState(accountId: number) {
  return sql`SELECT a.change_number AS number, a.incarnation, unixepoch() AS now
    FROM accounts a WHERE a.id = ${accountId}`;
}

/** Whether an audience sees the property `p`, and whether it has seen the one whose column `seen` is in scope. */
export function visibilityOf({ states, channel, kind }: Audience) {
  const inChannel = channel === null ? sql`1` : isInChannel(channel);
  return {
    isVisible: sql`(ifnull((SELECT s.bit FROM listed_states s WHERE s.property_id = p.id), 0)
      & CAST(${states} AS INTEGER) <> 0 AND ${inChannel} AND ${isAllowedFor(kind)})`,
    wasVisible: wasSeen(states, channel, kind),
  };
}

/** The removed properties `r` that the account does not have again, and that the audience has seen. */
export function removedProperties(audience: Audience): SQL {
  const { isVisible, wasVisible } = visibilityOf(audience);
  return sql`removed_properties r
    WHERE r.account_id = ${audience.accountId} AND ${wasVisible}
      AND NOT EXISTS (SELECT 1 FROM properties p
        WHERE p.account_id = r.account_id AND p.identifier = r.identifier AND (${isVisible} OR ${wasVisible}))`;
}

/** The removed units `r` that the account does not have again. */
export function removedUnits(accountId: number): SQL {
  return sql`removed_units r
    WHERE r.account_id = ${accountId}
      AND NOT EXISTS (SELECT 1 FROM units u JOIN developments d ON d.id = u.development_id
        WHERE d.account_id = r.account_id AND d.identifier = r.development AND u.name = r.name)`;
}

/**
 * Up to `limit` rows that have changed after a position, fewer if their texts are long, each once, at its last change; without a
 * position all of them.
 *
 * @param changed the query of the rows that exist, in the order of their numbers
 * @param removed the query of the rows that have been removed
 * @returns `null` if the account no longer exists
 */
async function readPage<Row extends { readonly number: number; readonly bytes?: number }>(
  db: D1Database,
  accountId: number,
  after: Position | null,
  limit: number,
  changed: (from: number, loadedAt: SQL) => SQL,
  removed: SQL,
): Promise<(ChangesPage<Row> & ChangeState) | null> {
  const from = after?.number ?? 0;
  const loadedAt = after ? sql`${after.loadedAt}` : sql`(SELECT change_number FROM accounts WHERE id = ${accountId})`;
  const [[state], ...found] = await readTogether<[ChangeState, Row, Row]>(db, [
    selectState(accountId),
    sql`${changed(from, loadedAt)} LIMIT ${limit + 1}`,
    sql`${removed} AND r.change_number > max(${from}, ${loadedAt}) ORDER BY r.change_number LIMIT ${limit + 1}`,
  ]);
  if (state === undefined) return null;
  const rows = found.flat().sort((a, b) => a.number - b.number);
  const changes = onePage(rows.slice(0, limit));
  const hasMore = rows.length > changes.length;
  const next = { number: hasMore ? changes.at(-1)!.number : state.number, loadedAt: after?.loadedAt ?? state.number };
  return { ...state, changes, next, hasMore };
}

interface ChangeRow {
  readonly id: string;
  readonly number: number;
  readonly visible: 0 | 1;
  /** Status, price and directions are the unit's, if the property is one. */
  readonly status: PropertyDocument['status'] | null;
  readonly price: number | null;
  readonly directions: string | null;
  readonly bytes: number;
}

/**
 * Up to `limit` properties that have changed after a position, each once, at its last change; without a position every one
 * that the caller sees. The documents are read by a second statement: a property that has changed again by then is left out,
 * as its later number brings it into a later page.
 *
 * @returns `null` if the account no longer exists
 */
export async function readPropertyChanges(
  db: D1Database,
  audience: Audience,
  after: Position | null,
  limit: number,
): Promise<(ChangesPage<PropertyChange> & ChangeState) | null> {
  const { accountId } = audience;
  const { isVisible, wasVisible } = visibilityOf(audience);
  const page = await readPage<ChangeRow>(
    db,
    accountId,
    after,
    limit,
    (from, loadedAt) => sql`
      SELECT p.identifier AS id, p.change_number AS number, ${isVisible} AS visible, u.feed_status AS status, u.price,
             u.directions, ${sql.raw(bytesOf('p'))} AS bytes
        FROM properties p LEFT JOIN units u ON u.id = p.unit_id
       WHERE p.account_id = ${accountId} AND p.change_number > ${from} AND p.change_number > 0
         AND (${isVisible} OR p.change_number > ${loadedAt} AND ${wasVisible})
       ORDER BY p.change_number`,
    sql`SELECT r.identifier AS id, r.change_number AS number, 0 AS visible, NULL AS status, NULL AS price,
               NULL AS directions, 0 AS bytes
          FROM ${removedProperties(audience)}`,
  );
  return page && { ...page, changes: await withDocuments(db, accountId, page.changes) };
}

async function withDocuments(db: D1Database, accountId: number, page: readonly ChangeRow[]): Promise<PropertyChange[]> {
  const visible = page.filter((row) => row.visible);
  const keys = visible.map(({ id }) => ({ kind: 'property', id }) as PropertyDocument);
  if (keys.length === 0) return page.map(({ id, number }) => ({ id, number, document: null, directions: null }));
  const { stored, versions } = await readAccount(db, accountId, (select) => selectStored(select, keys));
  return page.flatMap(({ id, number, visible, status, price, directions }): PropertyChange[] => {
    if (!visible) return [{ id, number, document: null, directions }];
    const key = keyOf('property', id);
    const document = stored.get(key) as PropertyDocument | undefined;
    if (document === undefined || versions.get(key)?.changeNumber !== number) return [];
    if (status === null) return [{ id, number, document, directions }];
    // A property that is a unit has the unit's status and price.
    const offers = { ...document.offers, sale: document.offers.sale && { ...document.offers.sale, price } };
    return [{ id, number, document: { ...document, status, offers }, directions }];
  });
}

/** The last change of a unit, or its removal. */
export type UnitChange = { readonly number: number } & (
  | { readonly kind: 'changed'; readonly unit: Unit }
  | { readonly kind: 'removed'; readonly development: string; readonly name: string }
);

/** Like {@link readPropertyChanges}, but of units, which every caller sees. */
export async function readUnitChanges(
  db: D1Database,
  accountId: number,
  after: Position | null,
  limit: number,
): Promise<(ChangesPage<UnitChange> & ChangeState) | null> {
  const page = await readPage<Omit<Unit, 'changedAt'> & { number: number; changedAt: number | null }>(
    db,
    accountId,
    after,
    limit,
    (from) => sql`
      SELECT u.change_number AS number, d.identifier AS development, u.name, u.status, u.price, u.directions, u.version,
             u.changed_at AS "changedAt"
        FROM units u JOIN developments d ON d.id = u.development_id
       WHERE u.account_id = ${accountId} AND u.change_number > ${from} ORDER BY u.change_number`,
    sql`SELECT r.change_number AS number, r.development, r.name, 0 AS status, 0 AS price, '[]' AS directions, 0 AS version,
               NULL AS "changedAt" FROM ${removedUnits(accountId)}`,
  );
  const changes = page?.changes.map(
    ({ number, changedAt, ...unit }): UnitChange =>
      changedAt === null
        ? { kind: 'removed', number, development: unit.development, name: unit.name }
        : { kind: 'changed', number, unit: { ...unit, changedAt } },
  );
  return page && { ...page, changes: changes! };
}
