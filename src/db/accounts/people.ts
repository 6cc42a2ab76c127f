import { and, asc, eq, gt, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { newSecret, sha256Hex } from '../../lib/secrets/secrets.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { accounts, people } from '../schema.ts';

export const ROLES = people.role.enumValues;

export const MAX_PERSON_NAME = 100;

const INVITATION_SECONDS = 7 * 86_400;

/** Wrong codes in a row after which no code is accepted for a while. */
const MAX_FAILURES = 8;
const LOCKED_SECONDS = 900;

const { id, accountId, name, role, password, totpSecret, totpStep, totpLockedUntil, invitationExpiresAt } = people;
const COLUMNS = { id, accountId, name, role, password, totpSecret, totpStep, totpLockedUntil, invitationExpiresAt };

/** Somebody with a sign-in of their own. */
export type Person = Readonly<Pick<typeof people.$inferSelect, keyof typeof COLUMNS>>;

/** What somebody may do: everything; everything except people, clients and passwords; look. */
export type Role = Person['role'];

/** The people of an account by name. */
export function listPeople(db: D1Database, account: number): Promise<Person[]> {
  return drizzle(db).select(COLUMNS).from(people).where(eq(accountId, account)).orderBy(asc(name));
}

/** Somebody who has accepted an invitation, by name, in any case of ASCII letters. */
export async function findPersonByName(db: D1Database, account: number, wanted: string): Promise<Person | null> {
  return find(db, and(eq(accountId, account), eq(name, wanted), isNotNull(password)));
}

export async function findPerson(db: D1Database, account: number, wanted: number): Promise<Person | null> {
  return find(db, isPerson(account, wanted));
}

/** The person with a valid invitation, and the account's code. */
export async function findInvited(
  db: D1Database,
  digest: string,
): Promise<{ readonly person: Person; readonly account: string; readonly accountName: string } | null> {
  const found = await drizzle(db)
    .select({ ...COLUMNS, account: accounts.code, accountName: sql<string>`${accounts.name}`.as('account_name') })
    .from(people)
    .innerJoin(accounts, and(eq(accounts.id, accountId), eq(accounts.disabled, false)))
    .where(isInvited(digest))
    .get();
  if (found === undefined) return null;
  const { account, accountName, ...person } = found;
  return { person, account, accountName };
}

/** Whether an owner of the account has a password of their own. */
export async function hasOwner(db: D1Database, account: number): Promise<boolean> {
  return (await find(db, and(eq(accountId, account), eq(role, 'owner'), isNotNull(password)))) !== null;
}

/**
 * Invites somebody, or somebody who exists again: their password stays valid until they choose another.
 *
 * @returns the token of the link, of which the digest is stored
 */
export async function invite(
  db: D1Database,
  account: number,
  person: { readonly name: string; readonly role: Role },
  now: EpochSeconds,
): Promise<string> {
  const token = newSecret();
  const values = { role: person.role, invitation: sha256Hex(token), invitationExpiresAt: now + INVITATION_SECONDS };
  await drizzle(db)
    .insert(people)
    .values({ accountId: account, name: person.name, ...values })
    .onConflictDoUpdate({ target: [accountId, name], set: values });
  return token;
}

/** Sets the password of whoever has a valid invitation, which is then used up; returns whether it was valid. */
export async function acceptInvitation(db: D1Database, digest: string, stored: string): Promise<boolean> {
  const values = { password: stored, invitation: null, invitationExpiresAt: null, ...NO_SECOND_FACTOR };
  const found = await drizzle(db).update(people).set(values).where(isInvited(digest)).returning({ id });
  return found.length > 0;
}

/** Sets a password; all sessions of the person end. */
export async function setPersonPassword(
  db: D1Database,
  account: number,
  person: number,
  stored: string,
): Promise<void> {
  await drizzle(db).update(people).set({ password: stored }).where(isPerson(account, person));
}

/** @param sealed `null` removes the second factor */
export async function setTotp(db: D1Database, account: number, person: number, sealed: string | null): Promise<void> {
  await drizzle(db)
    .update(people)
    .set({ ...NO_SECOND_FACTOR, totpSecret: sealed })
    .where(isPerson(account, person));
}

/** Accepts a code of a time step, unless that of this or a later step was accepted before; returns whether it was. */
export async function useTotpStep(db: D1Database, account: number, person: number, step: number): Promise<boolean> {
  const found = await drizzle(db)
    .update(people)
    .set({ totpStep: step, totpFailures: 0 })
    .where(and(isPerson(account, person), lt(totpStep, step), sql`${totpLockedUntil} <= unixepoch()`))
    .returning({ id });
  return found.length > 0;
}

/** Counts a wrong code; after too many, none is accepted for a while. */
export async function countWrongCode(db: D1Database, account: number, person: number): Promise<void> {
  const isLocked = sql`${people.totpFailures} + 1 >= ${MAX_FAILURES}`;
  await drizzle(db)
    .update(people)
    .set({
      totpFailures: sql`iif(${isLocked}, 0, ${people.totpFailures} + 1)`,
      totpLockedUntil: sql`iif(${isLocked}, unixepoch() + ${LOCKED_SECONDS}, ${totpLockedUntil})`,
    })
    .where(isPerson(account, person));
}

/** Changes what somebody may do, unless nobody would remain who may do everything; returns whether it was changed. */
export async function setRole(db: D1Database, account: number, person: number, to: Role): Promise<boolean> {
  const condition = and(isPerson(account, person), to === 'owner' ? undefined : anotherOwner(account, person));
  return (await drizzle(db).update(people).set({ role: to }).where(condition).returning({ id })).length > 0;
}

/** Removes somebody, unless they are the last owner among others; all their sessions end. Returns whether they are removed. */
export async function removePerson(db: D1Database, account: number, person: number): Promise<boolean> {
  const condition = and(isPerson(account, person), anotherOwner(account, person));
  return (await drizzle(db).delete(people).where(condition).returning({ id })).length > 0;
}

const NO_SECOND_FACTOR = { totpSecret: null, totpStep: 0, totpFailures: 0, totpLockedUntil: 0 };

async function find(db: D1Database, condition: SQL | undefined): Promise<Person | null> {
  return (await drizzle(db).select(COLUMNS).from(people).where(condition).get()) ?? null;
}

function isPerson(account: number, person: number): SQL | undefined {
  return and(eq(accountId, account), eq(id, person));
}

function isInvited(digest: string): SQL | undefined {
  return and(eq(people.invitation, digest), gt(invitationExpiresAt, sql`unixepoch()`));
}

/** Whether somebody is not an owner with a password, or not the only one. */
function anotherOwner(account: number, person: number): SQL | undefined {
  const owners = sql`(SELECT count(*) FROM people o WHERE o.account_id = ${account} AND o.id <> ${person}
    AND o.role = 'owner' AND o.password IS NOT NULL)`;
  return or(sql`${role} <> 'owner'`, sql`${password} IS NULL`, sql`${owners} > 0`);
}
