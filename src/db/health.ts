import { drizzle } from 'drizzle-orm/d1';
import { accounts } from './schema.ts';

/** Whether the database responds and has its tables. */
export async function isDatabaseReady(db: D1Database): Promise<boolean> {
  try {
    await drizzle(db).select({ id: accounts.id }).from(accounts).limit(1);
    return true;
  } catch {
    return false;
  }
}
