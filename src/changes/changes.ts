import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../db/json-rows.ts';
import { runBatch } from '../db/statements.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import type { PropertyDocument } from '../properties/documents.ts';
import { onePage } from '../properties/store/listed.ts';
import { type PropertyRow, storedProperty } from '../properties/store/property-rows.ts';
import { type Listing, listedIn, type Shown, wasShownIn } from '../readers/selection.ts';
import type { Unit } from '../units/units.ts';

/** Which properties a caller sees. */
export interface Audience extends Shown {
  /** Which properties it sees, and what it is. */
  readonly listing: Listing;
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

/** How far the changes of an account go; `null` if it no longer exists. */
export async function readChangeState(
  db: D1Database,
  accountId: number,
): Promise<ChangeState | null> {
  const [state] = await drizzle(db).all<ChangeState>(selectState(accountId));
  return state ?? null;
}

function selectState(accountId: number) {
  return sql`SELECT a.changes AS number, a.incarnation, unixepoch() AS now FROM accounts a WHERE a.id = ${accountId}`;
}

/** The removed properties `r` that the audience was shown, unless it was also shown one that has the id now. */
export function removedProperties(audience: Audience): SQL {
  const { accountId } = audience;
  const isOfId = sql`s.identifier = r.identifier`;
  const ofProperty = sql`${isOfId} AND s.property_id = p.id`;
  return sql`removals r
    WHERE r.account_id = ${accountId} AND ${wasShownIn(audience, sql`r.shown_to`, isOfId)}
      AND NOT EXISTS (SELECT 1 FROM properties p
        WHERE p.account_id = r.account_id AND p.identifier = r.identifier
          AND ${wasShownIn(audience, sql`p.shown_to`, ofProperty)})`;
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
  const loadedAt = after
    ? sql`${after.loadedAt}`
    : sql`(SELECT changes FROM accounts WHERE id = ${accountId})`;
  const [[state], ...found] = await runBatch<[ChangeState, Row, Row]>(db, [
    selectState(accountId),
    sql`${changed(from, loadedAt)} LIMIT ${limit + 1}`,
    sql`${removed} AND r.change > max(${from}, ${loadedAt}) ORDER BY r.change LIMIT ${limit + 1}`,
  ]);
  if (state === undefined) return null;
  const rows = found.flat().sort((a, b) => a.number - b.number);
  const changes = onePage(rows.slice(0, limit));
  const hasMore = rows.length > changes.length;
  const next = {
    number: hasMore ? changes.at(-1)!.number : state.number,
    loadedAt: after?.loadedAt ?? state.number,
  };
  return { ...state, changes, next, hasMore };
}

interface ChangeRow {
  readonly id: string;
  readonly number: number;
  readonly visible: 0 | 1;
  /** Of its document, if it is visible. */
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
  const { accountId, listing, channel } = audience;
  const ofProperty = sql`s.identifier = id AND s.property_id = row_id`;
  const wasShown = wasShownIn(audience, sql`shown_to`, ofProperty);
  const page = await readPage<ChangeRow>(
    db,
    accountId,
    after,
    limit,
    (from, loadedAt) => sql`
      SELECT id, number, visible, iif(visible, bytes, 0) AS bytes
        FROM (SELECT p.identifier AS id, p.change AS number, ${listedIn(listing, channel)} AS visible,
                     p.bytes, p.shown_to, p.id AS row_id
                FROM properties p LEFT JOIN units u ON u.id = p.unit_id
               WHERE p.account_id = ${accountId} AND p.change > ${from} AND p.change > 0)
       WHERE visible OR number > ${loadedAt} AND ${wasShown}
       ORDER BY number`,
    sql`SELECT r.identifier AS id, r.change AS number, 0 AS visible, 0 AS bytes FROM ${removedProperties(audience)}`,
  );
  return page && { ...page, changes: await withDocuments(db, accountId, page.changes) };
}

interface DocumentRow extends PropertyRow {
  readonly change: number;
  /** Of the unit that the property is; `null` without one. */
  readonly feed_status: PropertyDocument['status'] | null;
  readonly price: number | null;
  readonly directions: string | null;
}

async function withDocuments(
  db: D1Database,
  accountId: number,
  page: readonly ChangeRow[],
): Promise<PropertyChange[]> {
  const visible = page.filter((row) => row.visible).map(({ number }) => number);
  const rows =
    visible.length === 0
      ? []
      : await drizzle(db).all<DocumentRow>(sql`
          SELECT p.identifier, p.change, p.changed_at, p.document, p.pictures, p.texts,
                 u.feed_status, u.price, u.directions
            FROM properties p LEFT JOIN units u ON u.id = p.unit_id
           WHERE p.account_id = ${accountId} AND p.change > 0 AND p.change IN ${listOf(visible)}`);
  const byNumber = new Map(rows.map((row) => [row.change, row]));
  return page.flatMap(({ id, number, visible }): PropertyChange[] => {
    if (!visible) return [{ id, number, document: null, directions: null }];
    const row = byNumber.get(number);
    return row === undefined
      ? []
      : [{ id, number, document: documentOf(row), directions: row.directions }];
  });
}

/** A property's document; the status and the sale price are those of its unit. */
function documentOf(row: DocumentRow): PropertyDocument {
  const document = storedProperty(row);
  const { feed_status: status, price } = row;
  if (status === null) return document;
  const { sale } = document.offers;
  return { ...document, status, offers: { ...document.offers, sale: sale && { ...sale, price } } };
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
  const page = await readPage<
    Omit<Unit, 'changedAt'> & { number: number; changedAt: number | null }
  >(
    db,
    accountId,
    after,
    limit,
    (from) => sql`
      SELECT u.change AS number, d.identifier AS development, u.name, u.status, u.price, u.directions, u.version,
             u.changed_at AS "changedAt"
        FROM units u JOIN developments d ON d.id = u.development_id
       WHERE u.account_id = ${accountId} AND u.change > ${from} AND u.change > 0 ORDER BY u.change`,
    sql`SELECT r.change AS number, r.development, r.name, 0 AS status, 0 AS price, '[]' AS directions, 0 AS version,
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
