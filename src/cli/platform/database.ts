import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Migration } from '../../db/operator/migrations.ts';
import type { Env } from '../../env.ts';
import { noteChange } from '../command/ending.ts';
import { Failure } from '../command/failure.ts';

export interface Statement {
  readonly statement: string;
  readonly params: readonly unknown[];
}

/** Runs statements in one transaction, and returns a result for each. */
type RunBatch = <Row>(statements: readonly Statement[]) => Promise<D1Result<Row>[]>;

/** Words of SQL statements that change something. */
const CHANGES = /\b(INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)\b/i;

/** The migrations of a folder, ordered by name, as wrangler applies them. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })));
}

/** The migrations of a folder that are still to be applied to a database. */
export async function pendingMigrations(folder: string, applied: readonly string[]): Promise<Migration[]> {
  return (await readMigrations(folder)).filter(({ name }) => !applied.includes(name));
}

export function withDatabases(env: Env, retry?: typeof retryWhileLocked): Env {
  const entries = Object.entries(env).map(([name, binding]) =>
    /^DB(_\d+)?$/.test(name) ? [name, overProxy(binding as D1Database, retry)] : [name, binding],
  );
  return Object.fromEntries(entries);
}

/**
 * A database behind the proxy of wrangler or Miniflare, which would make a synchronous call for each `prepare` and `bind`. D1's
 * `batch` reads only the text and parameters of a statement, under these names.
 */
export function overProxy(db: D1Database, retry: typeof retryWhileLocked = (runBatch) => runBatch): D1Database {
  const send: RunBatch = (statements) => {
    if (statements.some(({ statement }) => CHANGES.test(statement))) noteChange();
    return db.batch(statements as unknown as D1PreparedStatement[]);
  };
  return databaseOver(retry(send));
}

export function databaseOver(runBatch: RunBatch): D1Database {
  const database: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare: (statement) => prepared(runBatch, statement, []),
    batch: (statements) =>
      runBatch(
        (statements as (D1PreparedStatement & Statement)[]).map(({ statement, params }) => ({ statement, params })),
      ),
  };
  return database as D1Database;
}

/** A statement. Results have rows as objects, so the columns must have distinct names. */
function prepared(runBatch: RunBatch, statement: string, params: readonly unknown[]): D1PreparedStatement & Statement {
  const all = async <Row>() => (await runBatch<Row>([{ statement, params }]))[0]!;
  return {
    statement,
    params,
    bind: (...values: unknown[]) => prepared(runBatch, statement, values),
    all,
    run: all,
    async first(column?: string) {
      const [row] = (await all<Record<string, unknown>>()).results;
      return (column === undefined ? row : row?.[column]) ?? null;
    },
    // biome-ignore lint/suspicious/noExplicitAny: the platform's two signatures have no common type
    raw: async (): Promise<any> => (await all<object>()).results.map(Object.values),
  } as D1PreparedStatement & Statement;
}

/** Attempts on a locked database; the delays between them add up to ten seconds. */
const ATTEMPTS = 20;
const FIRST_WAIT_MS = 50;

/**
 * Retries batches while another process, such as `wrangler dev`, locks the local database; SQLite has then rolled the
 * transaction back. The error of a locked commit, `internal error`, is also that of a damaged file.
 */
export function retryWhileLocked(runBatch: RunBatch, firstWaitMs = FIRST_WAIT_MS): RunBatch {
  return async <Row>(statements: readonly Statement[]) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runBatch<Row>(statements);
      } catch (error) {
        const [cause] = /SQLITE_BUSY|internal error/.exec(String(error)) ?? [];
        if (cause === undefined) throw error;
        if (attempt === ATTEMPTS) throw cause === 'SQLITE_BUSY' ? BUSY : UNUSABLE;
        await setTimeout(attempt * firstWaitMs);
      }
    }
  };
}

const BUSY = new Failure('database_busy', 'Another process, such as npm start, uses the local database. Retry later.');
const UNUSABLE = new Failure(
  'database_unusable',
  'The local database cannot be used: its files are damaged or not writable, or another process, such as npm start, has ' +
    'locked them.',
);
