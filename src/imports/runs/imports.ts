import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  lt,
  lte,
  notExists,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Actor } from '../../accounts/actor.ts';
import { eventStatements } from '../../accounts/events.ts';
import { UNWRITABLE } from '../../accounts/moves.ts';
import { parameters } from '../../db/json-rows.ts';
import {
  change,
  remove,
  runBatch,
  statementOf,
  type Values,
  whereEquals,
} from '../../db/statements.ts';
import { withCauses } from '../../lib/log.ts';
import { DAY_SECONDS, type EpochMilliseconds, type EpochSeconds } from '../../lib/time/time.ts';
import { type CodedMessage, message } from '../../messages/messages.ts';
import { type ImportOptions, type ImportState, imports, readsAs, sources } from './tables.ts';

export type { ImportOptions, ImportState };

/** Maximum number of an account's imports that wait or are under way. */
export const MAX_WAITING = 20;

const COLUMNS = { ...getTableColumns(imports), source: sources.name };
const { id, accountId, sourceId, state, leasedUntil, options } = imports;

/** An import as its owner sees it, with the name of its source. */
export interface Import extends Readonly<typeof imports.$inferSelect> {
  readonly source: string | null;
}

/** The states in which an import is in the queue or under way. */
const ACTIVE: ImportState[] = ['fetching', 'validating', 'applying'];

/**
 * Begins an import of an account.
 *
 * @param url sealed; `null` for a file that is being received
 * @returns its id; `null` if too many of the account wait, not counting files that have not arrived within an hour
 */
export async function createImport(
  db: D1Database,
  account: number,
  given: ImportOptions,
  url: string | null,
) {
  const [row] = await drizzle(db).all<{ id: number }>(sql`
    INSERT INTO imports (account_id, state, options, url)
    SELECT ${account}, ${url === null ? 'receiving' : 'fetching'}, ${JSON.stringify(given)}, ${url}
     WHERE (SELECT count(*) FROM imports WHERE account_id = ${account} AND state IN ('receiving', 'fetching', 'validating', 'applying')
             AND (state <> 'receiving' OR created_at > unixepoch() - 3600)) < ${MAX_WAITING}
    RETURNING id`);
  return row?.id ?? null;
}

/** Notes that the file of an import has been received. Returns `false` if the import has been cancelled meanwhile. */
export function markReceived(db: D1Database, id: number, bytes: number): Promise<boolean> {
  return change(db, imports, { id, state: 'receiving' }, { state: 'validating', bytes });
}

/** Deletes an import whose file has not been received. Returns whether there was one. */
export function deleteReceiving(db: D1Database, id: number): Promise<boolean> {
  return remove(db, imports, { id, state: 'receiving' });
}

function select(db: D1Database, account: number, condition: SQL | undefined) {
  return drizzle(db)
    .select(COLUMNS)
    .from(imports)
    .leftJoin(sources, eq(sources.id, sourceId))
    .where(and(eq(accountId, account), condition));
}

/** An import of an account; `null` if it has none with this id. */
export async function findImport(
  db: D1Database,
  account: number,
  one: number,
): Promise<Import | null> {
  return (await select(db, account, eq(id, one)).get()) ?? null;
}

/** The imports of an account, or of one of its sources, with ids smaller than `before`: the latest first. */
export function listImports(
  db: D1Database,
  account: number,
  source: string | null,
  before: number,
  limit: number,
): Promise<Import[]> {
  const ofSource = source === null ? undefined : eq(sources.name, source);
  return select(db, account, and(lt(id, before), ofSource))
    .orderBy(desc(id))
    .limit(limit);
}

/** The right to continue an import, and what that needs. */
export interface Run extends Import {
  readonly lease: string;
  /** The failures of its source before this import. */
  readonly failures: number;
  /** What the server stated about the last file of the source. */
  readonly knownEtag: string | null;
  readonly knownLastModified: string | null;
}

/**
 * Takes the right to continue the import of an account that is being applied, or else the oldest one that is not at its end:
 * no two of an account overlap.
 *
 * @returns `null` if there is none, or somebody else continues it
 */
export async function takeImport(
  db: D1Database,
  account: number,
  lease: string,
  now: EpochMilliseconds,
  until: EpochMilliseconds,
): Promise<Run | null> {
  const connection = drizzle(db);
  const isActive = and(
    eq(accountId, account),
    inArray(state, ACTIVE),
    notInArray(accountId, UNWRITABLE),
  );
  const next = connection
    .select({ id })
    .from(imports)
    .where(isActive)
    .orderBy(sql`state = 'applying' DESC`, id)
    .limit(1);
  const leased = connection
    .select({ id })
    .from(imports)
    .where(and(isActive, sql`${leasedUntil} > ${now}`));
  const [, rows] = await connection.batch([
    connection
      .update(imports)
      .set({ lease, leasedUntil: until, attempts: sql`${imports.attempts} + 1` })
      .where(and(eq(id, next), notExists(leased))),
    connection
      .select({
        ...COLUMNS,
        // These have names of their own, because the rows of a batch are read by the names of columns.
        failures: sql<number>`ifnull(${sources.failures}, 0)`.as('source_failures'),
        url: sql<string | null>`coalesce(${imports.url}, ${sources.url})`.as('file_url'),
        knownEtag: sql<string | null>`${sources.etag}`.as('known_etag'),
        knownLastModified: sql<string | null>`${sources.lastModified}`.as('known_last_modified'),
      })
      .from(imports)
      .leftJoin(sources, eq(sources.id, sourceId))
      .where(and(isActive, eq(imports.lease, lease))),
  ]);
  return rows[0] === undefined ? null : { ...rows[0], lease };
}

/** The state of an import that only the holder of this lease can continue. */
function held({ id, lease }: Run): Values<typeof imports> {
  return { id, lease, state: ACTIVE };
}

/** Changes an import, such as its state or its lease. Returns whether the lease was still held. */
export function updateRun(
  db: D1Database,
  run: Run,
  changes: Values<typeof imports>,
): Promise<boolean> {
  return change(db, imports, held(run), changes);
}

/** Stores progress in the transaction of a batch, which fails if the lease has been lost or the import been cancelled. */
export function progressStatement(
  db: D1Database,
  run: Run,
  progress: object,
  until: EpochMilliseconds,
) {
  const checked = sql`iif(${whereEquals(imports, held(run))}, ${JSON.stringify(progress)}, NULL)`;
  const update = drizzle(db)
    .update(imports)
    .set({ progress: checked, leasedUntil: until, attempts: 0 });
  return statementOf(db, update.where(eq(id, run.id)));
}

/** Whether {@link progressStatement} has failed because the lease is lost. */
export function isLeaseLost(error: unknown): boolean {
  return withCauses(error).includes('constraint failed: imports.progress');
}

export interface End {
  readonly state: 'finished' | 'unchanged' | 'held' | 'failed';
  readonly hasReport?: boolean;
  readonly code?: string;
  readonly reason?: CodedMessage;
  /** The properties that its source has got, and lost. */
  readonly added?: readonly string[];
  readonly gone?: readonly string[];
}

/**
 * Ends an import in one transaction: records the outcome in its source, and adds news for the account's webhooks. Nothing
 * happens if the lease has been lost.
 *
 * @param retryAt when its source runs again after a failure
 * @returns whether the lease was not lost
 */
export async function endImport(
  db: D1Database,
  run: Run,
  { added = [], gone = [], ...end }: End,
  now: EpochSeconds,
  retryAt: EpochSeconds,
): Promise<boolean> {
  const isOwn = whereEquals(imports, held(run));
  const isHeld = sql`EXISTS (SELECT 1 FROM imports WHERE ${isOwn})`;
  const { sourceId: source, url } = run;
  const ofSource: Partial<Record<End['state'], SQL>> = {
    failed: sql`failures = failures + 1, next_run_at = ${retryAt}`,
    finished: sql`failures = 0, (etag, last_modified) = (
      SELECT i.etag, i.last_modified FROM imports i WHERE i.id = ${run.id} AND ${readsAs(run.options)})`,
  };
  const type = end.state === 'finished' ? 'import.finished' : 'import.failed';
  const toSource = [
    ...parameters(added).map(
      (ids) => sql`INSERT INTO source_properties (source_id, identifier)
        SELECT ${source}, value FROM json_each(${ids}) WHERE ${isHeld} ON CONFLICT DO NOTHING`,
    ),
    ...parameters(gone).map(
      (ids) => sql`DELETE FROM source_properties
        WHERE source_id = ${source} AND identifier IN (SELECT value FROM json_each(${ids})) AND ${isHeld}`,
    ),
    // How a run of another URL has ended says nothing about this one.
    sql`UPDATE sources SET ${ofSource[end.state] ?? sql`failures = 0`}
         WHERE id = ${source} AND url = ${url} AND ${isHeld}`,
  ];
  const results = await runBatch<{ id: number }[]>(db, [
    ...(source === null ? [] : toSource),
    ...(end.state === 'unchanged' || run.options.dryRun
      ? []
      : eventStatements(
          type,
          sql`SELECT ${run.accountId} AS account_id, ${String(run.id)} AS subject WHERE ${isHeld}`,
        )),
    drizzle(db)
      .update(imports)
      .set({ ...end, endedAt: end.state === 'held' ? null : now, leasedUntil: 0 })
      .where(isOwn)
      .returning({ id }),
  ]);
  return results.at(-1)!.length > 0;
}

/** Cancels an import that is not at its end. Returns whether there was one. */
export function cancelImport(
  db: D1Database,
  accountId: number,
  id: number,
  now: EpochSeconds,
): Promise<boolean> {
  const cancelled = { state: 'cancelled', endedAt: now, leasedUntil: 0 } as const;
  return change(db, imports, { accountId, id, endedAt: null }, cancelled);
}

/** Lets an import that is held withdraw all properties that are not in its file. Returns whether it was held. */
export function approveImport(db: D1Database, accountId: number, id: number): Promise<boolean> {
  const approved = {
    options: sql`json_set(${options}, '$.approved', json('true'))`,
    code: null,
    reason: null,
  };
  return change(
    db,
    imports,
    { accountId, id, state: 'held' },
    { state: 'validating', ...approved },
  );
}

/**
 * Lets a dry run whose file is kept import it.
 *
 * @param actor who wants it to be imported
 * @returns whether it was such a dry run
 */
export function applyTried(
  db: D1Database,
  accountId: number,
  id: number,
  actor: Actor,
): Promise<boolean> {
  const given = sql`json_set(json_remove(${options}, '$.keepsFile', '$.dryRun'), '$.actor', json(${JSON.stringify(actor)}))`;
  return change(
    db,
    imports,
    { accountId, id, state: 'finished' },
    { state: 'validating', options: given, endedAt: null, hasReport: false, attempts: 0 },
    sql`${options} ->> '$.keepsFile'`,
  );
}

/** The dry runs whose file was kept for so many days, and is no longer needed. */
export function forgetTried(
  db: D1Database,
  days: number,
  limit: number,
): Promise<Pick<Import, 'accountId' | 'id'>[]> {
  return drizzle(db).all(sql`
    UPDATE imports SET options = json_remove(options, '$.keepsFile') WHERE id IN (
      SELECT id FROM imports
       WHERE state = 'finished' AND ended_at < unixepoch() - ${days * DAY_SECONDS} AND options ->> '$.keepsFile'
         AND account_id NOT IN ${UNWRITABLE}
       LIMIT ${limit}) RETURNING account_id AS "accountId", id`);
}

/** The accounts with imports that a lost message or an isolate that ended has left behind. */
export async function listStalledAccounts(
  db: D1Database,
  now: EpochMilliseconds,
): Promise<number[]> {
  const rows = await drizzle(db)
    .selectDistinct({ accountId })
    .from(imports)
    .where(and(inArray(state, ACTIVE), lte(leasedUntil, now), notInArray(accountId, UNWRITABLE)));
  return rows.map((row) => row.accountId);
}

/**
 * Deletes imports that ended `days` ago or have been held since then, except the last one with a report of each source. Ends those
 * whose file has not arrived within a day.
 *
 * @returns the deleted ones, whose files are no longer needed
 */
export async function sweepImports(db: D1Database, days: number, limit: number) {
  const [, deleted] = await runBatch<[never, Pick<Import, 'accountId' | 'id' | 'plan'>]>(db, [
    sql`UPDATE imports SET state = 'failed', ended_at = unixepoch(), code = 'interrupted',
                reason = ${JSON.stringify(message('file_not_received'))}
         WHERE state = 'receiving' AND created_at < unixepoch() - ${DAY_SECONDS} AND account_id NOT IN ${UNWRITABLE}`,
    sql`
      DELETE FROM imports WHERE id IN (
        SELECT i.id FROM imports i
         WHERE coalesce(i.ended_at, iif(i.state = 'held', i.created_at, NULL)) < unixepoch() - ${days * DAY_SECONDS}
           AND i.account_id NOT IN ${UNWRITABLE}
           AND i.id IS NOT (SELECT max(l.id) FROM imports l WHERE l.source_id = i.source_id AND l.has_report)
         LIMIT ${limit}) RETURNING account_id AS "accountId", id, plan`,
  ]);
  return deleted;
}
