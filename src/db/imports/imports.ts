import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochMilliseconds, EpochSeconds } from '../../lib/time/time.ts';
import { listOf } from '../json-rows.ts';
import { readTogether, statementOf } from '../news/changes.ts';
import { eventStatements } from '../news/webhook-calls.ts';

/** Imports of an account that wait or are under way, at most. */
export const MAX_WAITING = 20;

export type ImportState =
  | 'receiving'
  | 'fetching'
  | 'validating'
  | 'applying'
  | 'held'
  | 'finished'
  | 'unchanged'
  | 'failed'
  | 'cancelled';

/** How a file is imported. */
export interface ImportOptions {
  /** Detected unless given. */
  readonly format: 'kyero' | 'resales' | 'ndjson' | null;
  readonly strict: boolean;
  /** Whether listed properties that are not in the file are withdrawn. */
  readonly replace: boolean;
  /** The most of the listed properties, in percent, that may be withdrawn. */
  readonly maxWithdrawn: number;
  /** The channel of the properties that the file has. */
  readonly channel: string | null;
}

/** An import as its owner sees it. */
export interface Import {
  readonly id: number;
  /** The name of its source. */
  readonly source: string | null;
  readonly state: ImportState;
  readonly options: ImportOptions;
  readonly createdAt: EpochSeconds;
  readonly endedAt: EpochSeconds | null;
  readonly bytes: number;
  /** Of the file, once it has been validated. */
  readonly records: number | null;
  /** How far the plan has been applied; JSON, `{}` before. */
  readonly progress: string;
  readonly hasReport: boolean;
  /** Why it has failed or is held. */
  readonly code: string | null;
  readonly detail: string | null;
}

/** The right to continue an import, and what that needs. */
export interface Run extends Import {
  readonly accountId: number;
  readonly account: string;
  readonly sourceId: number | null;
  /** Of its source, before this import. */
  readonly failures: number;
  /** Sealed; `null` for a file that was sent. */
  readonly url: string | null;
  /** What the server stated of the last file of the source, and of this one. */
  readonly knownEtag: string | null;
  readonly knownLastModified: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Where the plan is in the bucket. */
  readonly plan: string | null;
  readonly lease: string;
  readonly attempts: number;
}

type Stored<Row> = Omit<Row, 'options' | 'hasReport'> & { readonly options: string; readonly hasReport: 0 | 1 };

const COLUMNS = sql`i.id, s.name AS source, i.state, i.options, i.created_at AS "createdAt", i.ended_at AS "endedAt", i.bytes,
  i.records, i.progress, i.has_report AS "hasReport", i.code, i.detail`;

const ACTIVE = sql`('fetching', 'validating', 'applying')`;

function loaded<Row extends Import>({ options, hasReport, ...row }: Stored<Row>): Row {
  return { ...row, options: JSON.parse(options), hasReport: hasReport === 1 } as unknown as Row;
}

/**
 * Begins an import of an account.
 *
 * @param url sealed; `null` for a file that is being received
 * @returns its id; `null` if too many of the account wait
 */
export async function createImport(
  db: D1Database,
  accountId: number,
  options: ImportOptions,
  url: string | null,
): Promise<number | null> {
  const [row] = await drizzle(db).all<{ id: number }>(sql`
    INSERT INTO imports (account_id, state, options, url)
    SELECT ${accountId}, ${url === null ? 'receiving' : 'fetching'}, ${JSON.stringify(options)}, ${url}
     WHERE (SELECT count(*) FROM imports WHERE account_id = ${accountId} AND state IN ('receiving', 'fetching', 'validating', 'applying'))
           < ${MAX_WAITING}
    RETURNING id`);
  return row?.id ?? null;
}

/** Notes that the file of an import has been received. Returns whether it has not been cancelled. */
export async function markReceived(db: D1Database, id: number, bytes: number): Promise<boolean> {
  const rows = await drizzle(db).all(sql`
    UPDATE imports SET state = 'validating', bytes = ${bytes} WHERE id = ${id} AND state = 'receiving' RETURNING id`);
  return rows.length > 0;
}

/** Deletes an import whose file could not be received. */
export async function deleteReceiving(db: D1Database, id: number): Promise<void> {
  await drizzle(db).run(sql`DELETE FROM imports WHERE id = ${id} AND state = 'receiving'`);
}

/** An import of an account; `null` if it has none with this id. */
export async function findImport(db: D1Database, accountId: number, id: number): Promise<Import | null> {
  const [row] = await drizzle(db).all<Stored<Import>>(sql`
    SELECT ${COLUMNS} FROM imports i LEFT JOIN sources s ON s.id = i.source_id
     WHERE i.account_id = ${accountId} AND i.id = ${id}`);
  return row === undefined ? null : loaded(row);
}

/**
 * The imports of an account, the latest first.
 *
 * @param source of this source only; `null` for all
 * @param before with smaller ids than this
 */
export async function listImports(
  db: D1Database,
  accountId: number,
  source: string | null,
  before: number,
  limit: number,
): Promise<Import[]> {
  const ofSource = source === null ? sql`1` : sql`s.name = ${source}`;
  const rows = await drizzle(db).all<Stored<Import>>(sql`
    SELECT ${COLUMNS} FROM imports i LEFT JOIN sources s ON s.id = i.source_id
     WHERE i.account_id = ${accountId} AND i.id < ${before} AND ${ofSource} ORDER BY i.id DESC LIMIT ${limit}`);
  return rows.map(loaded);
}

/**
 * Takes the right to continue the import of an account that is being applied, or else the oldest one that is not at its end:
 * no two of an account overlap.
 *
 * @returns `null` if there is none, or somebody else continues it
 */
export async function takeImport(
  db: D1Database,
  accountId: number,
  lease: string,
  now: EpochMilliseconds,
  until: EpochMilliseconds,
): Promise<Run | null> {
  const [, [row]] = await readTogether<[never, Stored<Run>]>(db, [
    sql`
      UPDATE imports SET lease = ${lease}, leased_until = ${until}, attempts = attempts + 1
       WHERE id = (
         SELECT id FROM imports WHERE account_id = ${accountId} AND state IN ${ACTIVE}
          ORDER BY state = 'applying' DESC, id LIMIT 1)
         AND NOT EXISTS (
           SELECT 1 FROM imports WHERE account_id = ${accountId} AND state IN ${ACTIVE} AND leased_until > ${now})`,
    sql`
      SELECT ${COLUMNS}, i.account_id AS "accountId", a.code AS account, i.source_id AS "sourceId",
             ifnull(s.failures, 0) AS failures, coalesce(s.url, i.url) AS url, s.etag AS "knownEtag",
             s.last_modified AS "knownLastModified", i.etag, i.last_modified AS "lastModified", i.plan, i.lease, i.attempts
        FROM imports i JOIN accounts a ON a.id = i.account_id LEFT JOIN sources s ON s.id = i.source_id
       WHERE i.account_id = ${accountId} AND i.lease = ${lease} AND i.state IN ${ACTIVE}`,
  ]);
  return row === undefined ? null : loaded(row);
}

/** Lets others continue an import at once. */
export async function releaseImport(db: D1Database, { id, lease }: Run): Promise<void> {
  await drizzle(db).run(sql`UPDATE imports SET leased_until = 0 WHERE id = ${id} AND lease = ${lease}`);
}

/** Whether whoever has this lease may still continue the import. */
function isHeld({ id, lease }: Pick<Run, 'id' | 'lease'>): SQL {
  return sql`EXISTS (SELECT 1 FROM imports i WHERE i.id = ${id} AND i.lease = ${lease} AND i.state IN ${ACTIVE})`;
}

/** Stores how many bytes have been fetched, and prolongs the lease. Returns whether it has not been lost. */
export async function recordBytes(db: D1Database, run: Run, bytes: number, until: EpochMilliseconds): Promise<boolean> {
  const rows = await drizzle(db).all(sql`
    UPDATE imports SET bytes = ${bytes}, leased_until = ${until} WHERE id = ${run.id} AND ${isHeld(run)} RETURNING id`);
  return rows.length > 0;
}

/** The file has been fetched. */
export async function recordFetched(
  db: D1Database,
  run: Run,
  { bytes, etag, lastModified }: Pick<Run, 'bytes' | 'etag' | 'lastModified'>,
): Promise<void> {
  await drizzle(db).run(sql`
    UPDATE imports SET state = 'validating', bytes = ${bytes}, etag = ${etag}, last_modified = ${lastModified}, attempts = 0
     WHERE id = ${run.id} AND ${isHeld(run)}`);
}

/** The file has been validated, and can be applied. */
export async function recordPlan(
  db: D1Database,
  run: Run,
  { plan, records, progress }: { readonly plan: string; readonly records: number; readonly progress: object },
): Promise<void> {
  await drizzle(db).run(sql`
    UPDATE imports SET state = 'applying', plan = ${plan}, records = ${records}, progress = ${JSON.stringify(progress)}, attempts = 0
     WHERE id = ${run.id} AND ${isHeld(run)}`);
}

/** Stores progress in the transaction of a batch, which fails if the lease has been lost or the import been cancelled. */
export function progressStatement(
  db: D1Database,
  run: Run,
  progress: object,
  until: EpochMilliseconds,
): D1PreparedStatement {
  return statementOf(
    db,
    sql`UPDATE imports SET progress = iif(${isHeld(run)}, ${JSON.stringify(progress)}, NULL), leased_until = ${until}, attempts = 0
         WHERE id = ${run.id}`,
  );
}

/** Whether an error is that of {@link progressStatement} without a lease. */
export function isLeaseLost(error: unknown): boolean {
  if (String(error).includes('constraint failed: imports.progress')) return true;
  return error instanceof Error && error.cause !== undefined && isLeaseLost(error.cause);
}

/** How an import ends. */
export interface End {
  readonly state: 'finished' | 'unchanged' | 'held' | 'failed';
  readonly hasReport: boolean;
  readonly code: string | null;
  readonly detail: string | null;
  /** When its source runs again after a failure; `null` for its schedule. */
  readonly retryAt: EpochSeconds | null;
}

/**
 * Ends an import, tells its source and the account's webhooks, and does what else belongs to it, in one transaction; nothing
 * if the lease has been lost.
 *
 * @param changes of the source's properties
 * @returns whether the lease was not lost
 */
export async function endImport(
  db: D1Database,
  run: Run,
  { state, hasReport, code, detail, retryAt }: End,
  now: EpochSeconds,
  changes: { readonly added: readonly string[]; readonly gone: readonly string[] } = { added: [], gone: [] },
): Promise<boolean> {
  const { id, accountId, sourceId, etag, lastModified } = run;
  const held = isHeld(run);
  const ofSource =
    sourceId === null
      ? []
      : [
          ...chunksOf(changes.added).map(
            (chunk) => sql`INSERT INTO source_properties (source_id, identifier)
              SELECT ${sourceId}, value FROM json_each(${JSON.stringify(chunk)}) WHERE ${held} ON CONFLICT DO NOTHING`,
          ),
          ...chunksOf(changes.gone).map(
            (chunk) => sql`DELETE FROM source_properties
              WHERE source_id = ${sourceId} AND identifier IN ${listOf(chunk)} AND ${held}`,
          ),
          state === 'failed'
            ? sql`UPDATE sources SET failures = failures + 1, next_run_at = ${retryAt} WHERE id = ${sourceId} AND ${held}`
            : sql`UPDATE sources SET failures = 0 WHERE id = ${sourceId} AND ${held}`,
          ...(state === 'finished'
            ? [
                sql`UPDATE sources SET etag = ${etag}, last_modified = ${lastModified} WHERE id = ${sourceId} AND ${held}`,
              ]
            : []),
        ];
  const type = state === 'finished' ? 'import.finished' : 'import.failed';
  const results = await readTogether<{ id: number }[]>(db, [
    ...ofSource,
    ...(state === 'unchanged' ? [] : eventStatements(accountId, type, String(id), held)),
    sql`UPDATE imports SET state = ${state}, ended_at = ${state === 'held' ? null : now}, has_report = ${hasReport ? 1 : 0},
          code = ${code}, detail = ${detail}, leased_until = 0
         WHERE id = ${id} AND ${held} RETURNING id`,
  ]);
  return results.at(-1)!.length > 0;
}

function chunksOf(all: readonly string[]): string[][] {
  const size = 5_000;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}

/** Cancels an import that is not at its end. Returns whether there was one. */
export async function cancelImport(db: D1Database, accountId: number, id: number, now: EpochSeconds): Promise<boolean> {
  const rows = await drizzle(db).all(sql`
    UPDATE imports SET state = 'cancelled', ended_at = ${now}, leased_until = 0
     WHERE account_id = ${accountId} AND id = ${id} AND ended_at IS NULL RETURNING id`);
  return rows.length > 0;
}

/** Lets an import that is held withdraw as many properties as it would. Returns whether it was held. */
export async function approveImport(db: D1Database, accountId: number, id: number): Promise<boolean> {
  const rows = await drizzle(db).all(sql`
    UPDATE imports SET state = 'validating', options = json_set(options, '$.maxWithdrawn', 100), code = NULL, detail = NULL
     WHERE account_id = ${accountId} AND id = ${id} AND state = 'held' RETURNING id`);
  return rows.length > 0;
}

/** The accounts with imports that a lost message or an isolate that ended has left behind. */
export async function listStalledAccounts(db: D1Database, now: EpochMilliseconds): Promise<number[]> {
  const rows = await drizzle(db).all<{ id: number }>(sql`
    SELECT DISTINCT account_id AS id FROM imports WHERE state IN ${ACTIVE} AND leased_until <= ${now}`);
  return rows.map(({ id }) => id);
}

/** Imports with files that are no longer needed, an account's id and its own. */
export interface Swept {
  readonly accountId: number;
  readonly id: number;
}

/**
 * Deletes imports that ended `days` ago, except the last one with a report of each source, and ends those whose file has not
 * arrived within a day.
 */
export async function sweepImports(db: D1Database, days: number, limit: number): Promise<Swept[]> {
  const [, deleted] = await readTogether<[never, Swept]>(db, [
    sql`UPDATE imports SET state = 'failed', ended_at = unixepoch(), code = 'interrupted', detail = 'The file was not received.'
         WHERE state = 'receiving' AND created_at < unixepoch() - 86400`,
    sql`
      DELETE FROM imports WHERE id IN (
        SELECT i.id FROM imports i
         WHERE i.ended_at < unixepoch() - ${days * 86_400}
           AND (i.source_id IS NULL OR i.id <> (
             SELECT max(l.id) FROM imports l WHERE l.source_id = i.source_id AND l.has_report))
         LIMIT ${limit}) RETURNING account_id AS "accountId", id`,
  ]);
  return deleted;
}
