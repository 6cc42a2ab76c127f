/** Rows that are deleted by one statement. */
const STEP_ROWS = 200;

/** Seconds for which the old copy of an account is kept: isolates rely on the directory for an hour. */
const KEPT_SECONDS = 2 * 3_600;

/**
 * Deletes part of the copy of an account that lives in another database: bounded work, and complete after some calls. The copy
 * must not be written by anybody else; its ordinary triggers run and do no harm.
 *
 * @returns whether nothing is left
 */
export async function deleteCopy(db: D1Database, accountId: number): Promise<boolean> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, length(?1)) = ?1")
    .bind(`moving_${accountId}_`)
    .all<{ name: string }>();
  if (results.length > 0) await db.batch(results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)));
  for (const [table, key] of [
    ['properties', 'id'],
    ['unit_history', 'id'],
    ['units', 'id'],
  ] as const) {
    const { meta } = await db
      .prepare(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE account_id = ?1 LIMIT ${STEP_ROWS})`,
      )
      .bind(accountId)
      .run();
    if (meta.changes > 0) return false;
  }
  await db.batch([
    db.prepare('DELETE FROM accounts WHERE id = ?').bind(accountId),
    db.prepare('DELETE FROM moves WHERE account_id = ?').bind(accountId),
  ]);
  return true;
}

/** Deletes part of the copies of accounts that left the database hours ago. */
export async function deleteOldCopies(db: D1Database): Promise<void> {
  const old = await db
    .prepare("SELECT account_id FROM moves WHERE state = 'left' AND changed_at < unixepoch() - ? LIMIT 1")
    .bind(KEPT_SECONDS)
    .first<number>('account_id');
  if (old !== null) await deleteCopy(db, old);
}
