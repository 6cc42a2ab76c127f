const PATH = '/demo/pictures/';

/** Moves the pictures of the demo agencies, which a setup creates, to an origin such as `http://localhost:8787`. */
export async function movePictures(db: D1Database, origin: string): Promise<void> {
  await db
    .prepare(
      `UPDATE properties SET pictures = replace(pictures, substr(pictures, 1, instr(pictures, ?1) - 1) || ?1, ?2)
       WHERE account_id IN (SELECT id FROM accounts WHERE code IN ('DEMO', 'OTHER'))
         AND instr(pictures, ?1) > 0 AND instr(pictures, ?2) = 0`,
    )
    .bind(PATH, origin + PATH)
    .run();
}
