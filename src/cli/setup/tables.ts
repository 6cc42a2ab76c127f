import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { readConfig, type WranglerConfig } from '../cloudflare/config.ts';
import { Failure } from '../command/failure.ts';
import { CREATE_LEDGER, pendingMigrations, withLedgerRow } from '../deploy/migrations.ts';

/**
 * Loads Miniflare: for an `import`, Node would first search its megabytes for the names that they
 * export.
 */
const require = createRequire(import.meta.url);

/** A Worker that does nothing: its databases are used from outside. */
const NO_WORKER = {
  mainModule: 'none.js',
  modulesRoot: '/',
  modules: { 'none.js': { type: 'esm', contents: 'export default {}' } },
} as const;

/**
 * Applies the migrations that the databases of `wrangler dev` lack. Miniflare opens them as
 * wrangler does, in half of its time; and it runs a file as one script, which wrangler's own
 * command splits.
 *
 * @param configPath the path of `wrangler.toml`
 * @param persistTo the directory of the local state, as `wrangler dev --persist-to` takes it
 * @param tell called with a line for each addition
 * @returns the names of the migrations that were applied
 */
export async function setUpTables(
  configPath: string,
  persistTo: string,
  tell: (line: string) => void,
): Promise<string[]> {
  const config = await readConfig(configPath);
  const { Miniflare }: typeof import('miniflare') = require('miniflare');
  const { name, compatibility_date: compatibilityDate, d1_databases: databases } = config;
  const env = Object.fromEntries(
    databases.map((one) => [one.binding, { type: 'd1' as const, id: localId(one) }]),
  );
  const miniflare = new Miniflare({
    workers: [{ config: { name, compatibilityDate, manifest: NO_WORKER, env } }],
    resourcePersistencePath: join(resolve(persistTo), 'v3'),
  });
  const applied: string[] = [];
  try {
    const bindings = await miniflare.getBindings<Record<string, D1Database>>();
    for (const { binding, migrations_dir: folder = 'migrations' } of databases) {
      const db = bindings[binding]!;
      const query = async <Row>(sql: string) => (await db.prepare(sql).all<Row>()).results;
      for (const migration of await pendingMigrations(join(dirname(configPath), folder), query)) {
        await db.batch([db.prepare(CREATE_LEDGER), db.prepare(withLedgerRow(migration))]);
        applied.push(migration.name);
        tell(`Applied migration ${migration.name}${databases.length > 1 ? ` to ${binding}` : ''}.`);
      }
    }
    return applied;
  } catch (error) {
    const reason = (error as Error).message;
    if (!/SQLITE_BUSY|internal error/.test(reason)) throw error;
    throw new Failure(
      'database_busy',
      'Another process, such as npm start, uses the local database. Stop it first.',
    );
  } finally {
    await miniflare.dispose();
  }
}

/** The id under which `wrangler dev` keeps a database. */
function localId({
  preview_database_id,
  database_id,
  binding,
}: WranglerConfig['d1_databases'][number]): string {
  return preview_database_id ?? database_id ?? binding;
}
