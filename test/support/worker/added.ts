import { env } from 'cloudflare:workers';

/**
 * Drops the tables and triggers of a database that no migration creates: an earlier file has left them, such as the guards of
 * an account that is being moved.
 */
export async function dropAdded(db: D1Database): Promise<void> {
  const migrations = env.MIGRATIONS.flatMap(({ queries }) => queries).join();
  const { results } = await db
    .prepare(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger') AND name NOT GLOB '_cf_*'",
    )
    .all<{ type: string; name: string }>();
  const added = results.filter(
    ({ name }) => !name.startsWith('sqlite_') && !migrations.includes(name),
  );
  if (added.length > 0)
    await db.batch(added.map(({ type, name }) => db.prepare(`DROP ${type} "${name}"`)));
}
