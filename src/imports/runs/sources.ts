import { and, asc, eq, getTableColumns, gt, lte, notInArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { UNWRITABLE } from '../../accounts/moves.ts';
import { parameters } from '../../db/json-rows.ts';
import type { ImportNames } from '../../db/schema.ts';
import { type Address, change, runBatch, type Values, whereEquals } from '../../db/statements.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { type ImportOptions, type ImportState, imports, readsAs, sources } from './tables.ts';

export const MAX_SOURCES = 50;

/** A source as its owner sees it. */
export interface Source
  extends Readonly<Omit<typeof sources.$inferSelect, 'url' | 'etag' | 'lastModified'>> {
  readonly lastId: number | null;
  /** The state of its last import. */
  readonly lastState: ImportState | null;
}

/** What an account sets for a source, apart from its URL. */
export type SourceSettings = Readonly<
  Pick<
    Source,
    | ('format' | 'every' | 'at' | 'timeZone' | 'strict' | 'channel' | 'maxWithdrawn')
    | ('enabled' | 'copyPictures' | 'origin')
  >
>;

/** When a source is read. */
export type Schedule = Pick<SourceSettings, 'every' | 'at' | 'timeZone'>;

export type Every = Schedule['every'];

function select(
  db: D1Database,
  values: Values<typeof sources>,
  after: SQL,
  order: SQL,
  limit: number,
): Promise<Source[]> {
  const { url, etag, lastModified, ...own } = getTableColumns(sources);
  return drizzle(db)
    .select({
      ...own,
      lastId: sql<number | null>`${imports.id}`.as('last_id'),
      lastState: imports.state,
    })
    .from(sources)
    .leftJoin(
      imports,
      eq(imports.id, sql`(SELECT max(l.id) FROM imports l WHERE l.source_id = ${sources.id})`),
    )
    .where(and(whereEquals(sources, values), after))
    .orderBy(order)
    .limit(limit);
}

/** The sources of an account by name, after a name. */
export function listSources(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<Source[]> {
  return select(db, { accountId }, gt(sources.name, after ?? ''), asc(sources.name), limit);
}

/** A source; `null` if the account has none with this name. */
export async function findSource(
  db: D1Database,
  { accountId, name }: Address,
): Promise<Source | null> {
  return (await select(db, { accountId, name }, sql`1`, sql`1`, 1))[0] ?? null;
}

/** The enabled sources that are due, unless their account is disabled or cannot be written to. */
export function listDueSources(
  db: D1Database,
  now: EpochSeconds,
  limit: number,
): Promise<Source[]> {
  const { accountId, nextRunAt } = sources;
  const isDue = sql`enabled AND ${lte(nextRunAt, now)} AND ${notInArray(accountId, UNWRITABLE)}
    AND ${accountId} NOT IN (SELECT a.id FROM accounts a WHERE a.disabled)`;
  return select(db, {}, isDue, asc(nextRunAt), limit);
}

/**
 * Creates a source, or changes one. With another URL, format, channel or strictness, its file is read again even if it is the same.
 *
 * @param url sealed, and as it is shown; `null` leaves the URL of an existing source unchanged
 * @param nextRunAt when it runs next, unless it exists and its schedule does not change
 * @returns whether it is new; `null` if the account has the maximum number of sources
 */
export async function putSource(
  db: D1Database,
  { accountId, name }: Address,
  settings: SourceSettings,
  url: { readonly sealed: string; readonly shown: string } | null,
  nextRunAt: EpochSeconds,
): Promise<boolean | null> {
  const address = url && {
    url: url.sealed,
    shownUrl: url.shown,
    nextRunAt: 0,
    etag: null,
    lastModified: null,
  };
  const { format, every, at, timeZone, strict, channel, maxWithdrawn } = settings;
  const { enabled, copyPictures, origin } = settings;
  const kept = sql`iif((every, at, time_zone) IS (${every}, ${at}, ${timeZone}), next_run_at, ${nextRunAt})`;
  // Pictures are copied when a file is imported.
  const known = sql`${readsAs(settings)} AND copy_pictures >= ${Number(copyPictures)}`;
  const validators = {
    etag: sql`iif(${known}, etag, NULL)`,
    lastModified: sql`iif(${known}, last_modified, NULL)`,
  };
  const to = { ...settings, failures: 0, nextRunAt: kept, ...validators, ...address };
  const changed = () => change(db, sources, { accountId, name }, to);
  if (await changed()) return false;
  if (url === null) return null;
  const created = await drizzle(db).all(sql`
    INSERT INTO sources (account_id, name, url, shown_url, format, every, at, max_withdrawn, strict, channel, enabled,
           copy_pictures, origin, time_zone, next_run_at)
    SELECT ${accountId}, ${name}, ${url.sealed}, ${url.shown}, ${format}, ${every}, ${at}, ${maxWithdrawn},
           ${strict ? 1 : 0}, ${channel}, ${enabled ? 1 : 0}, ${Number(copyPictures)}, ${origin}, ${timeZone}, 0
     WHERE (SELECT count(*) FROM sources WHERE account_id = ${accountId}) < ${MAX_SOURCES}
        ON CONFLICT DO NOTHING
    RETURNING id`);
  if (created.length > 0) return true;
  // Either the account has too many, or another request has just created this one.
  return (await changed()) ? false : null;
}

/** Deletes a source. Its imports and properties remain. Returns whether it existed. */
export async function deleteSource(db: D1Database, { accountId, name }: Address): Promise<boolean> {
  const [, rows] = await runBatch<[never, { id: number }]>(db, [
    sql`UPDATE imports SET state = 'cancelled', ended_at = unixepoch(), leased_until = 0
         WHERE ended_at IS NULL
           AND source_id = (SELECT id FROM sources WHERE account_id = ${accountId} AND name = ${name})`,
    sql`DELETE FROM sources WHERE account_id = ${accountId} AND name = ${name} RETURNING id`,
  ]);
  return rows.length > 0;
}

/**
 * Starts an import of a source, unless one is waiting or under way; a source that was due then stays due. An import that is held is
 * cancelled.
 *
 * @param due only if the source is due at this time; `null` in any case
 * @param nextRunAt when it runs after that
 * @returns its id, or `null` if none is started, and the ids of the imports that were cancelled
 */
export async function startSourceImport(
  db: D1Database,
  { id, accountId, name, format, strict, maxWithdrawn, channel }: Source,
  due: EpochSeconds | null,
  nextRunAt: EpochSeconds,
) {
  const actor = { kind: 'source', name } as const;
  const options: ImportOptions = { actor, format, strict, replace: true, maxWithdrawn, channel };
  const isDue = due === null ? sql`1` : sql`s.next_run_at <= ${due} AND s.enabled`;
  const [started, held] = await runBatch<[{ id: number }, { id: number }, never]>(db, [
    sql`
      INSERT INTO imports (account_id, source_id, state, options)
      SELECT ${accountId}, s.id, 'fetching', ${JSON.stringify(options)} FROM sources s
       WHERE s.id = ${id} AND ${isDue} AND NOT EXISTS (
         SELECT 1 FROM imports i WHERE i.source_id = s.id AND i.state IN ('fetching', 'validating', 'applying'))
      RETURNING id`,
    sql`UPDATE imports SET state = 'cancelled', ended_at = unixepoch() WHERE source_id = ${id} AND state = 'held'
           AND EXISTS (SELECT 1 FROM imports i WHERE i.source_id = ${id} AND i.state = 'fetching')
         RETURNING id`,
    sql`UPDATE sources SET next_run_at = ${nextRunAt} WHERE id = ${id}
           AND EXISTS (SELECT 1 FROM imports i WHERE i.source_id = ${id} AND i.state = 'fetching' AND i.attempts = 0)`,
  ]);
  return { id: started[0]?.id ?? null, cancelled: held.map((one) => one.id) };
}

/** The properties in the last file of a source, each with the channels of the other sources that have it as well. */
export async function sourceProperties(db: D1Database, sourceId: number) {
  const rows = await drizzle(db).all<{ identifier: string; channels: string }>(sql`
    SELECT p.identifier, (
      SELECT json_group_array(s.channel)
        FROM sources s JOIN source_properties o ON o.source_id = s.id AND o.identifier = p.identifier
       WHERE s.account_id = (SELECT account_id FROM sources WHERE id = ${sourceId}) AND s.id <> ${sourceId}) AS channels
      FROM source_properties p WHERE p.source_id = ${sourceId}`);
  return new Map(
    rows.map(({ identifier, channels }) => [identifier, JSON.parse(channels) as (string | null)[]]),
  );
}

/** How many of these properties the last files of an account's other sources have, by the names of these sources. */
export async function countInSources(
  db: D1Database,
  accountId: number,
  except: number | null,
  identifiers: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const ids of parameters(identifiers)) {
    const rows = await drizzle(db).all<{ name: string; n: number }>(sql`
      SELECT s.name, count(*) AS n FROM sources s JOIN source_properties p ON p.source_id = s.id
       WHERE s.account_id = ${accountId} AND s.id IS NOT ${except} AND p.identifier IN (SELECT value FROM json_each(${ids}))
       GROUP BY s.name`);
    for (const { name, n } of rows) counts[name] = (counts[name] ?? 0) + n;
  }
  return counts;
}

/** Adds names to an account's, or removes them (`null`). Its sources are read again, even if their files are the same. */
export async function changeImportNames(
  db: D1Database,
  accountId: number,
  names: Readonly<Record<keyof ImportNames, Readonly<Record<string, string | null>>>>,
): Promise<void> {
  await runBatch(db, [
    sql`UPDATE accounts SET import_names = json_patch(import_names, ${JSON.stringify(names)}) WHERE id = ${accountId}`,
    sql`UPDATE sources SET etag = NULL, last_modified = NULL WHERE account_id = ${accountId}`,
    sql`UPDATE imports SET etag = NULL, last_modified = NULL WHERE account_id = ${accountId} AND ended_at IS NULL`,
  ]);
}
