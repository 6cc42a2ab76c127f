const PREFIX = "rtrim(reference, '0123456789')";
const FIGURES = `substr(reference, length(${PREFIX}) + 1)`;

/** Longer ones are not numbers that somebody counts. */
const MOST_FIGURES = 15;

/**
 * The next free reference of an account: the highest with the same prefix, plus one; `null` if there is none to follow.
 *
 * @param like a reference with the prefix; by default, that of the property that was added last
 */
export async function nextReference(
  db: D1Database,
  accountId: number,
  like?: string,
): Promise<string | null> {
  const numbered = `account_id = ?1 AND length(${FIGURES}) BETWEEN 1 AND ${MOST_FIGURES}`;
  const last = `SELECT ${PREFIX} FROM properties WHERE ${numbered} ORDER BY number DESC LIMIT 1`;
  const row = await db
    .prepare(
      `SELECT ${PREFIX} AS prefix, ${FIGURES} AS figures FROM properties WHERE ${numbered}
       AND ${PREFIX} = coalesce(?2, (${last})) ORDER BY CAST(${FIGURES} AS INTEGER) DESC LIMIT 1`,
    )
    .bind(accountId, like?.replace(/\d+$/, '') ?? null)
    .first<{ prefix: string; figures: string }>();
  if (row === null) return null;
  const { prefix, figures } = row;
  return prefix + String(Number(figures) + 1).padStart(figures.length, '0');
}

/** The identifier of the property of an account with a reference; `null` if there is none. */
export function findByReference(
  db: D1Database,
  accountId: number,
  reference: string,
): Promise<string | null> {
  return db
    .prepare('SELECT identifier FROM properties WHERE account_id = ? AND reference = ? LIMIT 1')
    .bind(accountId, reference)
    .first<string>('identifier');
}
