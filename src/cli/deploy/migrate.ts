import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appliedMigrations, CREATE_LEDGER, withLedgerRow } from '../../db/operator/migrations.ts';
import type { Cloudflare } from '../cloudflare/api.ts';
import { atExit } from '../command/ending.ts';
import { Failure } from '../command/failure.ts';
import { databaseOver, pendingMigrations, type Statement } from '../platform/database.ts';

/** What a deployment works with. */
export interface DeployContext {
  readonly config: string;
  print(line: string): void;
  wrangler(args: readonly string[]): Promise<unknown>;
}

/** A deployed database, through Cloudflare's API. */
export function remoteDatabase(id: string, cloudflare: Cloudflare): D1Database {
  return databaseOver(async <Row>(statements: readonly Statement[]) => {
    const results: D1Result<Row>[] = [];
    for (const { statement: sql, params } of statements) {
      results.push(...(await cloudflare.post<D1Result<Row>[]>(`/d1/database/${id}/query`, { sql, params })));
    }
    return results;
  });
}

/**
 * Applies the pending migrations to a deployed database, all of them with their ledger entries in one transaction: so D1's
 * import endpoint runs a file, and it reads triggers as SQLite does. `wrangler d1 migrations apply` posts files to the query
 * endpoint instead, which splits triggers (workers-sdk issues 14991, 15178 and 15314).
 *
 * The ledger decides whether they have been applied, whatever wrangler reports: the import may have been committed although its
 * result was lost.
 *
 * @param directory that of the migrations
 * @param target the name of the database's binding, and the configuration by which wrangler finds it
 */
export async function applyRemoteMigrations(
  db: D1Database,
  directory: string,
  target: { readonly binding: string; readonly config: string },
  { print, wrangler }: DeployContext,
): Promise<void> {
  const pending = await pendingMigrations(directory, await appliedMigrations(db));
  if (pending.length === 0) return;
  for (const { name } of pending) print(`Applying migration ${name}`);
  // The endpoint identifies an upload by its digest. A unique one prevents it from treating a file as one that it has already
  // imported, as after a restore of the database.
  const script = [`-- Import ${randomUUID()}`, CREATE_LEDGER, ...pending.map(withLedgerRow)].join('\n');
  const execute = ['d1', 'execute', target.binding, '--remote', '--yes', '--config', target.config, '--file'];
  const failure = await withFile('migrations.sql', script, (file) => wrangler([...execute, file])).catch(
    (error: Error) => error,
  );
  const left = await pendingMigrations(directory, await appliedMigrations(db));
  if (left.length === 0) return;
  throw new Failure(
    'migration_failed',
    `Migrations were not applied: ${left.map(({ name }) => name).join(', ')}; the database is as it was before them. ` +
      `${failure?.message ?? ''}\nThe deployed Worker was not replaced. Correct the cause, then repeat: npm run deploy`,
  );
}

/** Does some work with a temporary file that only its owner can read. */
export async function withFile(name: string, text: string, work: (path: string) => Promise<unknown>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'lindero-deploy-'));
  const removeDirectory = atExit(() => rmSync(directory, { recursive: true }));
  try {
    const path = join(directory, name);
    await writeFile(path, text, { mode: 0o600 });
    await work(path);
  } finally {
    removeDirectory();
  }
}
