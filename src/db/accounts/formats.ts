import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, type FormatSettings } from '../schema.ts';

/** What an account has stated for all readers of each format. */
export async function readFormatSettings(db: D1Database, accountId: number): Promise<FormatSettings> {
  const { formatSettings } = accounts;
  const [found] = await drizzle(db).select({ formatSettings }).from(accounts).where(eq(accounts.id, accountId));
  return found?.formatSettings ?? {};
}

/** Stores a query of the parameters of a format; an empty one states nothing. */
export async function writeFormatSettings(db: D1Database, accountId: number, format: string, query: string) {
  const path = `$.${format}`;
  const { formatSettings: all } = accounts;
  const changed = query === '' ? sql`json_remove(${all}, ${path})` : sql`json_set(${all}, ${path}, ${query})`;
  await drizzle(db).update(accounts).set({ formatSettings: changed }).where(eq(accounts.id, accountId));
}
