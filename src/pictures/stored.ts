import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { DependencyUnavailable } from '../lib/unavailable.ts';

/** A picture whose files are stored, or about to be. */
export interface StoredPicture {
  readonly digest: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** Seconds after which nobody can still be deleting files that the sweep has begun to delete. */
const DELETION_SECONDS = 900;

/**
 * Records a picture before its files are stored, so that the sweep knows of them whatever happens; for a day it leaves them
 * alone.
 *
 * @throws DependencyUnavailable while the sweep deletes the same picture
 */
export async function recordPicture(
  db: D1Database,
  accountId: number,
  { digest, width, height, bytes }: StoredPicture,
): Promise<void> {
  const recorded = await drizzle(db).all(sql`
    INSERT INTO pictures (account_id, digest, width, height, bytes)
    VALUES (${accountId}, ${digest}, ${width}, ${height}, ${bytes})
        ON CONFLICT (account_id, digest)
        DO UPDATE SET received_at = unixepoch(), unnamed_since = NULL, deleted_at = NULL
     WHERE deleted_at IS NULL OR deleted_at < unixepoch() - ${DELETION_SECONDS}
    RETURNING 1 AS one`);
  if (recorded.length === 0) throw new DependencyUnavailable('picture: it is being deleted');
}

/** Seconds for which a file is kept after no document names it: longer than backups, which may name it. */
export const KEPT_SECONDS = 31 * 86_400;

/** Seconds for which a file that was received may still await the document that will name it. */
const AWAITED_SECONDS = 86_400;

/**
 * The digests that documents name, wherever they do: in an address of any origin, or in what was copied from it.
 *
 * @param path how the paths of the account's pictures begin
 */
function named(accountId: number, path: string) {
  const digest = sql`substr(e.value, instr(e.value, ${path}) + length(${path}), 32)`;
  return sql`
    SELECT ${digest} FROM properties p, json_each(p.pictures) e
     WHERE p.account_id = ${accountId} AND instr(p.pictures, ${path}) AND instr(e.value, ${path})
     UNION
    SELECT ${digest} FROM developments v, json_each(v.document, '$.details.pictures') e
     WHERE v.account_id = ${accountId} AND instr(e.value, ${path})`;
}

/** The digests that the history of the last days names: a person may undo a change. */
function namedBefore(accountId: number, path: string) {
  return sql`
    SELECT substr(e.value, instr(e.value, ${path}) + length(${path}), 32)
      FROM properties p JOIN property_history h ON h.property_id = p.id, json_each(h.pictures) e
     WHERE p.account_id = ${accountId} AND h.changed_at > unixepoch() - ${KEPT_SECONDS}
       AND instr(h.pictures, ${path}) AND instr(e.value, ${path})`;
}

/**
 * Notes which pictures of an account no document names any more, and since when; and begins to delete those that none has named
 * for long enough, of which there are at most so many.
 *
 * @returns the digests of those, whose files are to be deleted now
 */
export async function beginDeletion(
  db: D1Database,
  accountId: number,
  path: string,
  most: number,
): Promise<string[]> {
  const connection = drizzle(db);
  await connection.run(sql`
    UPDATE pictures SET unnamed_since = iif(unnamed_since IS NULL, unixepoch(), NULL)
     WHERE account_id = ${accountId} AND (unnamed_since IS NULL) = (digest NOT IN (${named(accountId, path)}))`);
  const isOld = sql`account_id = ${accountId} AND unnamed_since <= unixepoch() - ${KEPT_SECONDS}
    AND received_at < unixepoch() - ${AWAITED_SECONDS}`;
  const begun = await connection.all<{ digest: string }>(sql`
    UPDATE pictures SET deleted_at = unixepoch()
     WHERE account_id = ${accountId} AND digest IN (SELECT digest FROM pictures WHERE ${isOld} LIMIT ${most})
       AND digest NOT IN (${named(accountId, path)}) AND digest NOT IN (${namedBefore(accountId, path)})
    RETURNING digest`);
  return begun.map(({ digest }) => digest);
}

/** Forgets pictures whose files are gone. */
export async function endDeletion(
  db: D1Database,
  accountId: number,
  digests: readonly string[],
): Promise<void> {
  await drizzle(db).run(sql`
    DELETE FROM pictures WHERE account_id = ${accountId} AND deleted_at IS NOT NULL
      AND digest IN (SELECT value FROM json_each(${JSON.stringify(digests)}))`);
}
