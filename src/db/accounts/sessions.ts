import { and, inArray, lte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { endedSessions } from '../schema.ts';
import { type Account, findAccount } from './accounts.ts';

/**
 * The account with a code; `null` if there is none, it is disabled, or the session has ended.
 *
 * @param code in upper case
 * @param session the id of a session
 */
export function findAccountOfSession(db: D1Database, code: string, session: string): Promise<Account | null> {
  return findAccount(db, code, sql`NOT EXISTS (SELECT 1 FROM ended_sessions e WHERE e.id = ${session})`);
}

/** Ends a session of an account, whose cookie expires at a time. A session can be ended several times. */
export async function endSession(db: D1Database, accountId: number, id: string, expiresAt: EpochSeconds) {
  await drizzle(db).insert(endedSessions).values({ id, accountId, expiresAt }).onConflictDoNothing();
}

/** Deletes the ends of sessions of these accounts whose cookies have expired. */
export async function sweepSessions(db: D1Database, accountIds: readonly number[]): Promise<void> {
  const { accountId, expiresAt } = endedSessions;
  const isOld = and(inArray(accountId, [...accountIds]), lte(expiresAt, sql`unixepoch()`));
  await drizzle(db).delete(endedSessions).where(isOld);
}
