import { appendFile } from 'node:fs/promises';
import { setUpDatabases } from '../../db/operator/databases.ts';
import type { Cloudflare } from '../cloudflare/api.ts';
import { readConfig, type WranglerConfig } from '../cloudflare/config.ts';
import { databaseOver, type Statement } from '../platform/database.ts';

/**
 * Declares further databases in `wrangler.toml`, up to a number, so that later deployments and commands know them, too.
 *
 * @returns whether any was missing
 */
export async function declareDatabases(path: string, count: number): Promise<boolean> {
  const { d1_databases: declared } = await readConfig(path);
  const { database_name: name, migrations_dir: migrations = 'migrations' } = declared[0]!;
  const environment = process.env.CLOUDFLARE_ENV;
  const table = environment ? `env.${environment}.d1_databases` : 'd1_databases';
  const blocks = Array.from({ length: count - 1 }, (_, index) => index + 2)
    .filter((number) => !declared.some(({ binding }) => binding === `DB_${number}`))
    .map(
      (number) => `
[[${table}]]
binding = "DB_${number}"
database_name = "${name}-${number}"
migrations_dir = "${migrations}"
`,
    );
  await appendFile(path, blocks.join(''));
  return blocks.length > 0;
}

/** Gives each deployed database a range of ids of its own, unless it has one: its tables exist. */
export async function setUpRemoteDatabases(
  databases: WranglerConfig['d1_databases'],
  cloudflare: Cloudflare,
): Promise<void> {
  if (databases.length === 1) return;
  const all = databases.map(({ binding, database_id }) => ({
    name: binding,
    db: databaseOver(async <Row>(statements: readonly Statement[]) => {
      const results: D1Result<Row>[] = [];
      for (const { statement: sql, params } of statements) {
        results.push(...(await cloudflare.post<D1Result<Row>[]>(`/d1/database/${database_id}/query`, { sql, params })));
      }
      return results;
    }),
  }));
  await setUpDatabases(all);
}
