/** A query of drizzle as a statement, for a batch with statements in plain SQL or for a result with its `meta`. */
export function toStatement(
  db: D1Database,
  query: { toSQL(): { readonly sql: string; readonly params: readonly unknown[] } },
): D1PreparedStatement {
  const { sql, params } = query.toSQL();
  return db.prepare(sql).bind(...params);
}
