/** The password of the accounts that {@link openAccount} stores. */
export const PASSWORD = 'demo';

/** Its stored form, derived in one iteration: 100,000 would take longer than many tests. */
const STORED = '$pbkdf2-sha256$i=1$c2FsdA==$xKnO2H+VV3NK/GQ/Rqo2XoL5UgGrBo5HHekmpTLhLew=';

/** Stores an account whose code is also its name, and returns its id. */
export async function openAccount(db: D1Database, code: string): Promise<number> {
  const statement = db.prepare(
    'INSERT INTO accounts (code, name, password) VALUES (?1, ?1, ?2) RETURNING id',
  );
  return (await statement.bind(code, STORED).first<number>('id'))!;
}
