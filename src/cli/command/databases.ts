import { environmentsOf } from '../../databases/environments.ts';
import type { NamedDatabase } from '../../db/operator/databases.ts';
import type { Env } from '../../env.ts';

/** All databases that a target has, the first one first. */
export function databasesOf(env: Env): NamedDatabase[] {
  return [...environmentsOf(env, (db) => db)].map(([name, { DB }]) => ({ name, db: DB }));
}
