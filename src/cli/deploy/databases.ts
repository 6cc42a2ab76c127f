import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Cloudflare } from '../cloudflare/api.ts';
import type { WranglerConfig } from '../cloudflare/config.ts';
import { Failure } from '../command/failure.ts';
import { temporaryFile } from '../command/files.ts';
import { deployLine } from '../command/lines.ts';
import type { DeployContext } from './context.ts';
import { CREATE_LEDGER, pendingMigrations, type Query, withLedgerRow } from './migrations.ts';
import { declaring } from './resources.ts';

/** A deployed database, by its binding. */
interface Database {
  readonly name: string;
  readonly query: Query;
  /** The folder of its migrations. */
  readonly migrations: string;
}

/** @param source the path of the configuration, which has the ids of the databases */
export function databasesIn(
  { d1_databases: databases }: WranglerConfig,
  source: string,
  cloudflare: Cloudflare,
): Database[] {
  return databases.map(({ binding: name, database_id, migrations_dir = 'migrations' }) => ({
    name,
    query: queryOf(database_id!, cloudflare),
    migrations: join(dirname(source), migrations_dir),
  }));
}

/** Runs statements in a deployed database, through Cloudflare's API. */
function queryOf(id: string, cloudflare: Cloudflare): Query {
  return async <Row>(sql: string) => {
    const [result] = await cloudflare.post<D1Result<Row>[]>(`/d1/database/${id}/query`, { sql });
    return result!.results;
  };
}

/**
 * @throws Failure if accounts are in a database that the configuration lacks: they would not be
 * served
 */
export async function checkDirectory(databases: readonly Database[]): Promise<void> {
  const listed = await databases[0]!.query<{ database: string }>(
    'SELECT DISTINCT database FROM directory',
  );
  const lacking = listed.find(({ database }) => databases.every(({ name }) => name !== database));
  if (lacking === undefined) return;
  const number = Number(lacking.database.split('_')[1]);
  throw new Failure('lacking_database', `Nothing was deployed. ${declaring(number)}`);
}

/**
 * Applies the pending migrations to a deployed database, all of them with their ledger entries in
 * one transaction: so D1's import endpoint runs a file, and it reads triggers as SQLite does.
 * `wrangler d1 migrations apply` posts files to the query endpoint instead, which splits triggers
 * (workers-sdk issues 14991, 15178 and 15314).
 *
 * The ledger decides whether they have been applied, whatever wrangler reports: the import may have
 * been committed although its result was lost.
 *
 * @param config the file in which wrangler finds the database
 */
export async function applyMigrations(
  { name: binding, query, migrations }: Database,
  config: string,
  { print, wrangler }: Pick<DeployContext, 'print' | 'wrangler'>,
): Promise<void> {
  const pending = await pendingMigrations(migrations, query);
  if (pending.length === 0) return;
  for (const { name } of pending) print(`Applying migration ${name}`);
  // The endpoint identifies an upload by its digest. A unique one prevents it from treating a file
  // as one that it has already imported, as after a restore of the database.
  const script = [`-- Import ${randomUUID()}`, CREATE_LEDGER, ...pending.map(withLedgerRow)].join(
    '\n',
  );
  const execute = ['d1', 'execute', binding, '--remote', '--yes', '--config', config, '--file'];
  using file = await temporaryFile('migrations.sql', script);
  const failure = await wrangler([...execute, file.path]).then(
    () => null,
    (error: Error) => error,
  );
  const left = await pendingMigrations(migrations, query);
  if (left.length === 0) return;
  throw new Failure(
    'migration_failed',
    `Migrations were not applied: ${left.map(({ name }) => name).join(', ')}; the database is as it was before them. ` +
      `${failure?.message ?? ''}\nThe deployed Worker was not replaced. Correct the cause, then repeat: ${deployLine()}`,
  );
}
