import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { readTogether } from '../news/changes.ts';
import type { ImportOptions, ImportState } from './imports.ts';

/** The sources of an account, at most. */
export const MAX_SOURCES = 50;

/** A source of an account. */
export interface SourceAddress {
  readonly accountId: number;
  readonly name: string;
}

export type Every = 'hour' | 'day' | 'week';

/** What is determined of a source, apart from its URL. */
export interface SourceSettings extends Omit<ImportOptions, 'replace'> {
  readonly every: Every;
  /** `HH:MM` in UTC, for a week after the name of a day. */
  readonly at: string;
  readonly enabled: boolean;
}

/** A source as its owner sees it. */
export interface Source extends SourceSettings {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  /** Without credentials. */
  readonly shownUrl: string;
  readonly createdAt: EpochSeconds;
  readonly failures: number;
  readonly nextRunAt: EpochSeconds;
  /** Its last import. */
  readonly lastId: number | null;
  readonly lastState: ImportState | null;
}

type Row = Omit<Source, 'strict' | 'enabled'> & { readonly strict: 0 | 1; readonly enabled: 0 | 1 };

const SELECT = sql`
  SELECT s.id, s.account_id AS "accountId", s.name, s.shown_url AS "shownUrl", s.format, s.every, s.at, s.strict, s.channel,
         s.max_withdrawn AS "maxWithdrawn", s.enabled, s.created_at AS "createdAt", s.failures, s.next_run_at AS "nextRunAt",
         i.id AS "lastId", i.state AS "lastState"
    FROM sources s LEFT JOIN imports i ON i.id = (SELECT max(l.id) FROM imports l WHERE l.source_id = s.id)`;

function sourceOf({ strict, enabled, ...row }: Row): Source {
  return { ...row, strict: strict === 1, enabled: enabled === 1 };
}

async function select(db: D1Database, where: SQL): Promise<Source[]> {
  return (await drizzle(db).all<Row>(sql`${SELECT} WHERE ${where}`)).map(sourceOf);
}

/** The sources of an account by name, after a name. */
export function listSources(db: D1Database, accountId: number, after: string | null, limit: number): Promise<Source[]> {
  return select(db, sql`s.account_id = ${accountId} AND s.name > ${after ?? ''} ORDER BY s.name LIMIT ${limit}`);
}

/** A source; `null` if the account has none with this name. */
export async function findSource(db: D1Database, { accountId, name }: SourceAddress): Promise<Source | null> {
  const [source] = await select(db, sql`s.account_id = ${accountId} AND s.name = ${name}`);
  return source ?? null;
}

/** The enabled sources whose time has come and that are not running. */
export function listDueSources(db: D1Database, now: EpochSeconds, limit: number): Promise<Source[]> {
  return select(db, sql`s.enabled AND s.next_run_at <= ${now} ORDER BY s.next_run_at LIMIT ${limit}`);
}

/**
 * Creates a source, or changes one.
 *
 * @param url sealed, and as it is shown; `null` keeps that of an existing source. With another one, nothing is known of its file
 * @param nextRunAt when it runs next, unless it exists and its schedule does not change
 * @returns whether it is new; `null` if the account has as many as it may
 */
export async function putSource(
  db: D1Database,
  { accountId, name }: SourceAddress,
  { format, every, at, strict, channel, maxWithdrawn, enabled }: SourceSettings,
  url: { readonly sealed: string; readonly shown: string } | null,
  nextRunAt: EpochSeconds,
): Promise<boolean | null> {
  const settings = sql`format = ${format}, strict = ${strict ? 1 : 0}, channel = ${channel}, max_withdrawn = ${maxWithdrawn},
    enabled = ${enabled ? 1 : 0}, every = ${every}, at = ${at}, failures = 0,
    next_run_at = iif((every, at) IS (${every}, ${at}), next_run_at, ${nextRunAt})`;
  const address =
    url === null
      ? sql``
      : sql`, url = ${url.sealed}, shown_url = ${url.shown}, next_run_at = 0, etag = NULL, last_modified = NULL`;
  const [existing, created] = await readTogether<[{ id: number }, { id: number }]>(db, [
    sql`UPDATE sources SET ${settings}${address} WHERE account_id = ${accountId} AND name = ${name} RETURNING id`,
    ...(url === null
      ? []
      : [
          sql`
            INSERT INTO sources (account_id, name, url, shown_url, format, every, at, max_withdrawn, strict, channel, enabled, next_run_at)
            SELECT ${accountId}, ${name}, ${url.sealed}, ${url.shown}, ${format}, ${every}, ${at}, ${maxWithdrawn},
                   ${strict ? 1 : 0}, ${channel}, ${enabled ? 1 : 0}, 0
             WHERE (SELECT count(*) FROM sources WHERE account_id = ${accountId}) < ${MAX_SOURCES}
                ON CONFLICT (account_id, name) DO NOTHING RETURNING id`,
        ]),
  ]);
  if (existing.length > 0) return false;
  return created !== undefined && created.length > 0 ? true : null;
}

/** Deletes a source. Its imports and properties remain. Returns whether it existed. */
export async function deleteSource(db: D1Database, { accountId, name }: SourceAddress): Promise<boolean> {
  const [, rows] = await readTogether<[never, { id: number }]>(db, [
    sql`UPDATE imports SET state = 'cancelled', ended_at = unixepoch(), leased_until = 0
         WHERE ended_at IS NULL
           AND source_id = (SELECT id FROM sources WHERE account_id = ${accountId} AND name = ${name})`,
    sql`DELETE FROM sources WHERE account_id = ${accountId} AND name = ${name} RETURNING id`,
  ]);
  return rows.length > 0;
}

/**
 * Starts an import of a source, unless one is waiting or under way. One that is held is cancelled.
 *
 * @param due only if the source is due at this time; `null` in any case
 * @param nextRunAt when it runs after that
 * @returns its id
 */
export async function startSourceImport(
  db: D1Database,
  { id, accountId, ...source }: Source,
  due: EpochSeconds | null,
  nextRunAt: EpochSeconds,
): Promise<number | null> {
  const { format, strict, maxWithdrawn, channel } = source;
  const options: ImportOptions = { format, strict, replace: true, maxWithdrawn, channel };
  const isDue = due === null ? sql`1` : sql`s.next_run_at <= ${due} AND s.enabled`;
  const [started] = await readTogether<[{ id: number }, never, never]>(db, [
    sql`
      INSERT INTO imports (account_id, source_id, state, options)
      SELECT ${accountId}, s.id, 'fetching', ${JSON.stringify(options)} FROM sources s
       WHERE s.id = ${id} AND ${isDue} AND NOT EXISTS (
         SELECT 1 FROM imports i WHERE i.source_id = s.id AND i.state IN ('fetching', 'validating', 'applying'))
      RETURNING id`,
    sql`UPDATE imports SET state = 'cancelled', ended_at = unixepoch() WHERE source_id = ${id} AND state = 'held'
           AND EXISTS (SELECT 1 FROM imports i WHERE i.source_id = ${id} AND i.state = 'fetching')`,
    sql`UPDATE sources SET next_run_at = ${nextRunAt} WHERE id = ${id}`,
  ]);
  return started[0]?.id ?? null;
}

/** The properties in the last file of a source, and those of them that are also in that of another one. */
export async function sourceProperties(
  db: D1Database,
  sourceId: number,
): Promise<{ readonly own: ReadonlySet<string>; readonly shared: ReadonlySet<string> }> {
  const rows = await drizzle(db).all<{ identifier: string; shared: 0 | 1 }>(sql`
    SELECT p.identifier, EXISTS (
      SELECT 1 FROM sources s JOIN source_properties o ON o.source_id = s.id AND o.identifier = p.identifier
       WHERE s.account_id = (SELECT account_id FROM sources WHERE id = ${sourceId}) AND s.id <> ${sourceId}) AS shared
      FROM source_properties p WHERE p.source_id = ${sourceId}`);
  return {
    own: new Set(rows.map(({ identifier }) => identifier)),
    shared: new Set(rows.filter(({ shared }) => shared === 1).map(({ identifier }) => identifier)),
  };
}
