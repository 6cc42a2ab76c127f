import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CREATE_LEDGER, LIST_LEDGER, withLedgerRow } from '../../db/operator/migrations.ts';
import type { Cloudflare } from '../cloudflare/api.ts';
import { atExit } from '../command/ending.ts';
import { Failure } from '../command/failure.ts';
import { pendingMigrations } from '../platform/migrations.ts';

/** What a deployment works with. */
export interface DeployContext {
  /** The path of the project's `wrangler.toml`. */
  readonly config: string;
  /** Prints a line about the progress. */
  print(line: string): void;
  /** Runs wrangler; throws a Failure if it fails. */
  wrangler(args: readonly string[]): Promise<void>;
}

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
 */
export async function applyRemoteMigrations(
  target: Target,
  directory: string,
  cloudflare: Cloudflare,
  { print, wrangler }: DeployContext,
): Promise<void> {
  const pending = await pendingMigrations(directory, await readLedger(target, cloudflare));
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
  // The endpoint identifies an upload by its digest. A unique digest prevents it from treating a file as one that it
  // has already imported, as after a restore of the database.
  const text = `-- Import ${randomUUID()}\n${sql}`;
  const execute = ['d1', 'execute', binding, '--remote', '--yes', '--config', config, '--file'];
  try {
    await withFile('migration.sql', text, (file) => wrangler([...execute, file]));
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Does some work with a temporary file that only its owner can read. */
export async function withFile(name: string, text: string, work: (path: string) => Promise<void>): Promise<void> {
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
