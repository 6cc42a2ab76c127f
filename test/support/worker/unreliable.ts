import type { Random } from '../random.ts';

const KILLED = 'The process was killed';

/** Whether an error is one of {@link unreliable}: libraries wrap it in their own. */
export function isKilled(error: unknown): boolean {
  return String((error as Error).cause ?? error).includes(KILLED);
}

/**
 * A database whose calls fail at random, before or after they are executed: a process that is killed does no more.
 *
 * @param share of the calls that fail
 */
export function unreliable(db: D1Database, random: Random, share: number): D1Database {
  const failing = async <Result>(execute: () => Promise<Result>): Promise<Result> => {
    if (random.next() < share / 2) throw new Error(`${KILLED} before`);
    const result = await execute();
    if (random.next() < share / 2) throw new Error(`${KILLED} after`);
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      original: statement,
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => failing(() => statement.all()),
      run: () => failing(() => statement.run()),
      raw: () => failing(() => statement.raw()),
    }) as unknown as D1PreparedStatement;
  return {
    prepare: (text: string) => wrap(db.prepare(text)),
    batch: (statements: { original: D1PreparedStatement }[]) =>
      failing(() => db.batch(statements.map(({ original }) => original))),
  } as unknown as D1Database;
}
