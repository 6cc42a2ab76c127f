const PATH = '/demo/pictures/';

/** The accounts that a setup creates. */
const ACCOUNTS = "(SELECT id FROM accounts WHERE code IN ('DEMO', 'OTHER'))";

/** The origin in the URLs of the demo agencies' pictures, such as `http://localhost:8787`; `null` if they have none. */
export function findPicturesOrigin(db: D1Database): Promise<string | null> {
  return db
    .prepare(
      `SELECT substr(pictures, 1, instr(pictures, '${PATH}') - 1) AS origin FROM properties
       WHERE account_id IN ${ACCOUNTS} AND instr(pictures, '${PATH}') > 0 LIMIT 1`,
    )
    .first<string>('origin');
}

/** Moves the demo agencies' pictures from one origin to another. */
export async function movePictures(db: D1Database, from: string, to: string): Promise<void> {
  await db
    .prepare(
      `UPDATE properties SET pictures = replace(pictures, ?1, ?2)
       WHERE account_id IN ${ACCOUNTS} AND instr(pictures, ?1) > 0`,
    )
    .bind(from + PATH, to + PATH)
    .run();
}
