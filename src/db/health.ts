/** Whether the database responds and has its tables. */
export async function isDatabaseReady(db: D1Database): Promise<boolean> {
  try {
    await db.prepare('SELECT 1 FROM accounts LIMIT 1').first();
    return true;
  } catch {
    return false;
  }
}
