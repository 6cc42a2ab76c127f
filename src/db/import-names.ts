import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { readTogether } from './changes.ts';
import { accounts, type ImportNames } from './schema.ts';

export async function readImportNames(db: D1Database, accountId: number): Promise<ImportNames> {
  const { importNames } = accounts;
  const found = await drizzle(db).select({ importNames }).from(accounts).where(eq(accounts.id, accountId)).get();
  return found?.importNames ?? {};
}

/** Adds names to those of an account. Its sources are read again, even if their files have not changed. */
export async function addImportNames(db: D1Database, accountId: number, names: ImportNames): Promise<void> {
  await readTogether(db, [
    sql`UPDATE accounts SET import_names = json_patch(import_names, ${JSON.stringify(names)}) WHERE id = ${accountId}`,
    sql`UPDATE sources SET etag = NULL, last_modified = NULL WHERE account_id = ${accountId}`,
  ]);
}
