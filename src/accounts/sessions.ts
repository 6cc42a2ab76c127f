import { and, desc, eq, gt, lt, ne, notInArray, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, sessions } from '../db/schema.ts';
import { change, remove, whereEquals } from '../db/statements.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import { ACCOUNT_COLUMNS, type Account } from './accounts.ts';
import { UNWRITABLE } from './moves.ts';

/** The most sessions of somebody that are listed. */
const LISTED = 50;

/** For how many seconds a use is not noted again. */
const NOTED_SECONDS = 300;

/** Characters that are kept of what a browser calls itself. */
const MAX_BROWSER = 300;

/** Whose sessions: somebody of an account, and what their cookies are signed with at present. */
export interface SessionOwner {
  readonly accountId: number;
  readonly subject: string;
  readonly signedWith: string;
}

/** A session that has not ended. */
export interface Session {
  readonly id: string;
  /** What its browser calls itself. */
  readonly browser: string;
  readonly startedAt: EpochSeconds;
  readonly lastUsedAt: EpochSeconds;
}

/** An account, of which somebody has a session. */
export interface AccountInUse extends Account {
  readonly lastUsedAt: EpochSeconds;
}

/** Starts a session, or renews one whose cookie is signed with something else from now on. */
export async function startSession(
  db: D1Database,
  owner: SessionOwner,
  { id, browser }: Pick<Session, 'id' | 'browser'>,
  now: EpochSeconds,
  expiresAt: EpochSeconds,
): Promise<void> {
  const renewed = { signedWith: owner.signedWith, lastUsedAt: now, expiresAt };
  await drizzle(db)
    .insert(sessions)
    .values({ id, ...owner, browser: browser.slice(0, MAX_BROWSER), startedAt: now, ...renewed })
    .onConflictDoUpdate({ target: sessions.id, set: renewed });
}

/** The account with a code that is not disabled, if it has this session; `null` if it has ended. */
export async function findAccountOfSession(
  db: D1Database,
  code: string,
  session: string,
): Promise<AccountInUse | null> {
  const found = await drizzle(db)
    .select({ ...ACCOUNT_COLUMNS, lastUsedAt: sessions.lastUsedAt })
    .from(accounts)
    .innerJoin(sessions, and(eq(sessions.accountId, accounts.id), eq(sessions.id, session)))
    .where(whereEquals(accounts, { code, disabled: false }))
    .get();
  return found ?? null;
}

/** Whether the use of a session has not been noted for some minutes. */
export function isUnnoted({ lastUsedAt }: AccountInUse, now: EpochSeconds): boolean {
  return lastUsedAt <= now - NOTED_SECONDS;
}

/** Notes that a session is used now, unless that was noted minutes ago, or its account is being moved. */
export async function noteUse(db: D1Database, id: string, now: EpochSeconds): Promise<void> {
  const isDue = and(
    lt(sessions.lastUsedAt, now - NOTED_SECONDS + 1),
    notInArray(sessions.accountId, UNWRITABLE),
  );
  await change(db, sessions, { id }, { lastUsedAt: now }, isDue);
}

/** The sessions of somebody, last used ones first. Those whose cookies were signed with another password are over. */
export function listSessions(
  db: D1Database,
  owner: SessionOwner,
  now: EpochSeconds,
): Promise<Session[]> {
  const { id, browser, startedAt, lastUsedAt, expiresAt } = sessions;
  return drizzle(db)
    .select({ id, browser, startedAt, lastUsedAt })
    .from(sessions)
    .where(and(isOf(owner), gt(expiresAt, now)))
    .orderBy(desc(lastUsedAt), id)
    .limit(LISTED);
}

/** Ends a session of somebody; returns whether they had it. */
export function endSession(db: D1Database, owner: SessionOwner, id: string): Promise<boolean> {
  return remove(db, sessions, { id }, isOf(owner));
}

/** Ends all sessions of somebody but one. */
export async function endOtherSessions(
  db: D1Database,
  owner: SessionOwner,
  kept: string,
): Promise<void> {
  await drizzle(db)
    .delete(sessions)
    .where(and(isOf(owner), ne(sessions.id, kept)));
}

function isOf(owner: SessionOwner): SQL {
  const { accountId, subject, signedWith } = owner;
  return whereEquals(sessions, { accountId, subject, signedWith });
}
