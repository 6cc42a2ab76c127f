import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** Words of SQL statements that change something. */
const CHANGES = /\b(INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)\b/i;

/** A way to open the database, and the failure of a command that a signal ends. */
export interface Interruptible {
  readonly open: Context['open'];
  /** States whether the command may have changed the database before. */
  failure(signal: NodeJS.Signals): Failure;
}

/** Watches which statements a command prepares on the databases that it opens. */
export function interruptible(open: Context['open']): Interruptible {
  let mayHaveChanged = false;
  const watched = (db: D1Database): D1Database => ({
    prepare: (sql: string) => {
      mayHaveChanged ||= CHANGES.test(sql);
      return db.prepare(sql);
    },
    batch: (statements) => db.batch(statements),
    exec: (sql) => {
      mayHaveChanged = true;
      return db.exec(sql);
    },
    dump: () => db.dump(),
    withSession: (constraint) => db.withSession(constraint),
  });
  return {
    open: async (target) => {
      const { env, dispose } = await open(target);
      return { env: { ...env, DB: watched(env.DB) }, dispose };
    },
    failure: (signal) =>
      new Failure(
        'interrupted',
        `Interrupted by ${signal}. ${mayHaveChanged ? 'Changes made before that remain.' : 'Nothing was changed.'}`,
      ),
  };
}
