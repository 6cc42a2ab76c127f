import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { readTogether } from '../news/changes.ts';
import { accounts, type ImportNames } from '../schema.ts';

export async function readImportNames(db: D1Database, accountId: number): Promise<ImportNames> {
  const { importNames } = accounts;
  const found = await drizzle(db).select({ importNames }).from(accounts).where(eq(accounts.id, accountId)).get();
  return found?.importNames ?? {};
}

/** Adds names to those of an account, or removes them: `null`. Its sources are read again, even if their files are the same. */
export async function changeImportNames(
  db: D1Database,
  accountId: number,
  names: Readonly<Record<keyof ImportNames, Readonly<Record<string, string | null>>>>,
): Promise<void> {
  await readTogether(db, [
    sql`UPDATE accounts SET import_names = json_patch(import_names, ${JSON.stringify(names)}) WHERE id = ${accountId}`,
    sql`UPDATE sources SET etag = NULL, last_modified = NULL WHERE account_id = ${accountId}`,
  ]);
}
