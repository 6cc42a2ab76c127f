import { appendFile } from 'node:fs/promises';
import { setUpDatabases } from '../../db/operator/databases.ts';
import type { Cloudflare } from '../cloudflare/api.ts';
import { readConfig, type WranglerConfig } from '../cloudflare/config.ts';
import { databaseOver } from '../platform/database.ts';

/**
 * Declares further databases in `wrangler.toml`, up to a number, so that later deployments and commands know them, too.
 *
 * @param environment of `wrangler.toml`; production by default
 */
export async function declareDatabases(path: string, count: number, environment: string | undefined): Promise<void> {
  const { d1_databases: declared } = await readConfig(path);
  const [first] = declared;
  const table = !environment ? 'd1_databases' : `env.${environment}.d1_databases`;
  const missing = Array.from({ length: count - 1 }, (_, index) => `DB_${index + 2}`).filter(
    (binding) => !declared.some((database) => database.binding === binding),
  );
  const blocks = missing.map(
    (binding) => `
[[${table}]]
binding = "${binding}"
database_name = "${first!.database_name}-${binding.slice('DB_'.length)}"
migrations_dir = "${first!.migrations_dir ?? 'migrations'}"
`,
  );
  if (blocks.length > 0) await appendFile(path, blocks.join(''));
}

/** Gives each deployed database a range of ids of its own, unless it has one: its tables exist. */
export async function setUpRemoteDatabases(
  databases: WranglerConfig['d1_databases'],
  cloudflare: Cloudflare,
): Promise<void> {
  if (databases.length === 1) return;
  const all = databases.map(({ binding, database_id }) => ({
    name: binding,
    db: databaseOver(async <Row>(statements: readonly { statement: string; params: readonly unknown[] }[]) => {
      const results: D1Result<Row>[] = [];
      for (const { statement: sql, params } of statements) {
        results.push(...(await cloudflare.post<D1Result<Row>[]>(`/d1/database/${database_id}/query`, { sql, params })));
      }
      return results;
    }),
  }));
  await setUpDatabases(all);
}
