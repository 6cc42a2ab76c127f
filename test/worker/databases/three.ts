import { env } from 'cloudflare:workers';
import type { Env } from '../../../src/env.ts';
import { type NamedDatabase, setUpDatabase } from '../../../src/operator/databases.ts';
import { dropAdded } from '../../support/worker/added.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      readonly SECOND_DATABASE: D1Database;
      readonly THIRD_DATABASE: D1Database;
    }
  }
}

const { SECOND_DATABASE, THIRD_DATABASE } = env;

/** The databases of a service that has three, the first one first. */
export const databases: readonly NamedDatabase[] = [
  { name: 'DB', db: env.DB },
  { name: 'DB_2', db: SECOND_DATABASE },
  { name: 'DB_3', db: THIRD_DATABASE },
];

/** The bindings of a service that has three databases. */
export const three = { ...env, DB_2: SECOND_DATABASE, DB_3: THIRD_DATABASE } as Env;

/** Gives the other two databases the tables of the first one, and takes all accounts from them. */
export async function prepareThree(): Promise<void> {
  for (const { db } of databases) {
    if (
      (await db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first()) === null
    ) {
      await db.batch(
        env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => db.prepare(query))),
      );
    }
    await dropAdded(db);
    await db.exec('DELETE FROM moves');
    await db.exec('DELETE FROM directory');
    await db.exec('DELETE FROM accounts');
    // Another file may have prepared it.
    if (db !== env.DB) await db.exec('UPDATE time_line SET id_range = 0');
  }
  for (const database of databases) await setUpDatabase(database, databases);
}
