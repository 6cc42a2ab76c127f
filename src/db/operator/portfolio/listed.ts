/** Properties per statement. */
const PAGE = 5_000;

/** The identifiers of an account's listed properties, in the order of their sequence numbers. */
export async function* listListed(db: D1Database, accountId: number): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const { results } = await db
      .prepare(
        `SELECT sequence_number, identifier FROM properties
          WHERE account_id = ?1 AND sequence_number > ?2 AND listed ORDER BY sequence_number LIMIT ?3`,
      )
      .bind(accountId, after, PAGE)
      .all<{ sequence_number: number; identifier: string }>();
    for (const { identifier } of results) yield identifier;
    const last = results.at(-1);
    if (last === undefined || results.length < PAGE) return;
    after = last.sequence_number;
  }
}

/** Withdraws properties, in several transactions; returns how many were not withdrawn before. */
export async function withdraw(db: D1Database, accountId: number, identifiers: readonly string[]): Promise<number> {
  let withdrawn = 0;
  for (let start = 0; start < identifiers.length; start += PAGE) {
    const { results } = await db
      .prepare(
        `UPDATE properties SET status = 'Withdrawn'
          WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2)) AND status <> 'Withdrawn'
          RETURNING id`,
      )
      .bind(accountId, JSON.stringify(identifiers.slice(start, start + PAGE)))
      .all();
    withdrawn += results.length;
  }
  return withdrawn;
}
