/** The statement that removes properties for good. */
export function purge(db: D1Database, accountId: number, identifiers: readonly string[]): D1PreparedStatement {
  return db
    .prepare(
      `DELETE FROM properties
        WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))`,
    )
    .bind(accountId, JSON.stringify(identifiers));
}
