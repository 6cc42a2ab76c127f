const PATH = '/demo/pictures/';

/** Moves the pictures of the demo agencies, which a setup creates, to an origin such as `http://localhost:8787`. */
export async function movePictures(db: D1Database, origin: string): Promise<void> {
  /** @param first the address of the first picture, from which the present origin is known */
  const move = (table: string, column: string, first: string) =>
    `UPDATE ${table} SET ${column} = replace(${column}, substr(${first}, 1, instr(${first}, ?1) - 1) || ?1, ?2)
     WHERE account_id IN (SELECT id FROM accounts WHERE code IN ('DEMO', 'OTHER'))
       AND instr(${first}, ?1) > 0 AND instr(${first}, ?2) = 0`;
  const statements = [
    move('properties', 'pictures', "pictures ->> '$[0]'"),
    move('developments', 'document', "document ->> '$.details.pictures[0]'"),
  ];
  await db.batch(statements.map((sql) => db.prepare(sql).bind(PATH, origin + PATH)));
}
