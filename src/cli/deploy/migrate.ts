import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CREATE_LEDGER, LIST_LEDGER, withLedgerRow } from '../../db/operator/migrations.ts';
import type { Cloudflare } from '../cloudflare/api.ts';
import { atExit } from '../command/ending.ts';
import { Failure } from '../command/failure.ts';
import { pendingMigrations, readMigrations } from '../platform/migrations.ts';
import type { DeployContext } from './context.ts';

/** The deployed database. */
export interface Target {
  readonly id: string;
  /** The configuration by which wrangler finds it, and the name of its binding there. */
  readonly config: string;
  readonly binding: string;
}

/**
 * Applies the pending migrations to the deployed database, each together with its ledger entry, through D1's import
 * endpoint: it runs a file in one transaction and reads triggers as SQLite does. `wrangler d1 migrations apply` posts
 * the file to the query endpoint instead, which splits triggers (workers-sdk issues 14991, 15178 and 15314).
 *
 * The ledger decides whether a migration has been applied, whatever wrangler reports: the import may have been committed
 * although its result was lost.
 *
 * @throws Failure `migration_failed` for the first one that is not applied; those before it remain applied
 */
export async function applyRemoteMigrations(
  target: Target,
  directory: string,
  cloudflare: Cloudflare,
  { print, wrangler }: DeployContext,
): Promise<void> {
  const pending = pendingMigrations(await readMigrations(directory), await readLedger(target, cloudflare));
  for (const migration of pending) {
    const { name } = migration;
    print(`Applying migration ${name}`);
    const reported = await runImport(target, withLedgerRow(migration), wrangler);
    if (!(await readLedger(target, cloudflare)).includes(name)) {
      throw new Failure(
        'migration_failed',
        `Migration ${name} was not applied; the database is as it was before it. ${reported ?? ''}\n` +
          'The deployed Worker was not replaced. Correct the cause, then repeat: npm run deploy',
      );
    }
  }
}

/** The names in the ledger, which is created if the database has none. */
async function readLedger({ id }: Target, cloudflare: Cloudflare): Promise<string[]> {
  const sql = `${CREATE_LEDGER} ${LIST_LEDGER}`;
  const results = await cloudflare.post<{ results: { name: string }[] }[]>(`/d1/database/${id}/query`, { sql });
  return results.at(-1)?.results.map(({ name }) => name) ?? [];
}

/** Runs SQL through the import endpoint; returns what wrangler reports if it fails. */
async function runImport(
  { config, binding }: Target,
  sql: string,
  wrangler: DeployContext['wrangler'],
): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'lindero-migration-'));
  const removeDirectory = atExit(() => rmSync(directory, { recursive: true }));
  try {
    const file = join(directory, 'migration.sql');
    // The endpoint identifies an upload by its digest. A unique digest prevents it from treating a file as one that it
    // has already imported, as after a restore of the database.
    await writeFile(file, `-- Import ${randomUUID()}\n${sql}`);
    await wrangler(['d1', 'execute', binding, '--remote', '--yes', '--config', config, '--file', file]);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  } finally {
    removeDirectory();
  }
}
