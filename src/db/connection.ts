import { describeError, withCauses } from '../lib/log.ts';
import { withTimeout } from '../lib/time/timeout.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';

/** Attempts per operation, the first included. */
const MAX_ATTEMPTS = 3;

/**
 * Milliseconds after which D1 counts as failing. The platform ends a statement after 30 s; a read that a reader waits for
 * takes milliseconds.
 */
const READ_TIMEOUT_MS = 10_000;
const WRITE_TIMEOUT_MS = 30_000;

/** Milliseconds before the second attempt; the third waits twice as long. */
const DELAY_MS = 50;

/**
 * Parts of the messages of errors for which Cloudflare recommends retrying the operation
 * (https://developers.cloudflare.com/d1/observability/debug-d1/). For the others, such as an overloaded database, it does
 * not: retries would add to the load.
 */
const RETRYABLE = [
  'reset because its code was updated',
  'storage caused object to be reset',
  'Network connection lost',
  'due to transient issue on remote node',
  "Can't read from request stream because client disconnected",
];

type Execute = (...args: never[]) => Promise<unknown>;

/**
 * A D1 binding for all database access, which times out. Every failure is a `DependencyUnavailable`, with the error of D1
 * as its cause, so that each interface responds with its own 503. D1 repeats reads by itself
 * (https://developers.cloudflare.com/d1/best-practices/retry-queries/); writes that are idempotent go through
 * {@link retryIdempotent}.
 */
export function connect(db: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, Original>();

  function wrap(original: Original): D1PreparedStatement {
    const execute =
      (method: 'first' | 'all' | 'run' | 'raw') =>
      (...args: never[]) =>
        attempt(() => (original.statement[method] as Execute)(...args), original.isRead);
    const wrapped = {
      bind: (...values: unknown[]) =>
        wrap({ ...original, statement: original.statement.bind(...values) }),
      first: execute('first'),
      all: execute('all'),
      run: execute('run'),
      raw: execute('raw'),
    } as D1PreparedStatement;
    originals.set(wrapped, original);
    return wrapped;
  }

  return {
    prepare: (sql: string) => wrap({ statement: db.prepare(sql), isRead: isRead(sql) }),
    batch: (statements: D1PreparedStatement[]) => {
      const batch = statements.map((statement) => originals.get(statement)!);
      return attempt(
        () => db.batch(batch.map(({ statement }) => statement)),
        batch.every((original) => original.isRead),
      );
    },
  } as D1Database;
}

/** A statement of the binding itself. */
interface Original {
  readonly statement: D1PreparedStatement;
  readonly isRead: boolean;
}

/**
 * The result of a write, attempted again after a retryable error: the write must be idempotent, because the failed attempt
 * may have been committed.
 *
 * @param write called with the number of the attempt, from 1
 */
export async function retryIdempotent<Result>(
  write: (attempt: number) => Promise<Result>,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await write(number);
    } catch (error) {
      const reason = withCauses(error);
      if (number === MAX_ATTEMPTS || !RETRYABLE.some((part) => reason.includes(part))) throw error;
      const delay = DELAY_MS * 2 ** (number - 1);
      await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())));
    }
  }
}

async function attempt<Result>(execute: () => Promise<Result>, isRead: boolean): Promise<Result> {
  try {
    return await withTimeout('D1', execute(), isRead ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS);
  } catch (error) {
    const reason = /\bno such table\b/.test(String(error))
      ? 'The database is not set up. Run: npm run setup, or npm run deploy'
      : describeError(error);
    throw new DependencyUnavailable(reason, { cause: error });
  }
}

function isRead(sql: string): boolean {
  return (
    /^\s*SELECT\b/i.test(sql) ||
    (/^\s*WITH\b/i.test(sql) && !/\b(INSERT|UPDATE|DELETE|REPLACE)\b/i.test(sql))
  );
}
