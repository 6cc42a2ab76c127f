import { and, asc, eq, getTableColumns, gt, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { people } from '../db/schema.ts';
import { change, remove, selectOne } from '../db/statements.ts';
import { newSecret, sha256Hex } from '../lib/secrets/secrets.ts';
import { DAY_SECONDS, type EpochSeconds } from '../lib/time/time.ts';

export const ROLES = people.role.enumValues;

export const MAX_PERSON_NAME = 100;

const INVITATION_SECONDS = 7 * DAY_SECONDS;

/** Wrong codes in a row after which no code is accepted for a while. */
const MAX_FAILURES = 8;
const LOCKED_SECONDS = 900;

const { invitation, createdAt, totpFailures, ...COLUMNS } = getTableColumns(people);
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** Somebody with their own sign-in. */
export type Person = Readonly<Pick<typeof people.$inferSelect, keyof typeof COLUMNS>>;

/** An owner may do everything, an editor everything except people, clients and passwords, a viewer only look. */
export type Role = Person['role'];

/** The people of an account by name. */
export function listPeople(db: D1Database, account: number): Promise<Person[]> {
  const { accountId, name } = people;
  return drizzle(db).select(COLUMNS).from(people).where(eq(accountId, account)).orderBy(asc(name));
}

/** Somebody by name, in any case of ASCII letters; they may not have accepted their invitation yet. */
export function findPersonByName(
  db: D1Database,
  accountId: number,
  name: string,
): Promise<Person | null> {
  return selectOne(db, people, NAMES, { accountId, name });
}

export function findPerson(db: D1Database, accountId: number, id: number): Promise<Person | null> {
  return selectOne(db, people, NAMES, { accountId, id });
}

/** Whether an owner of the account has their own password. */
export async function hasOwner(db: D1Database, accountId: number): Promise<boolean> {
  return (
    (await selectOne(
      db,
      people,
      ['id'],
      { accountId, role: 'owner' },
      isNotNull(people.password),
    )) !== null
  );
}

/** The person with a valid invitation to an account that is not disabled. */
export function findInvited(db: D1Database, digest: string): Promise<Person | null> {
  const isEnabled = sql`${people.accountId} IN (SELECT id FROM accounts WHERE NOT disabled)`;
  return selectOne(db, people, NAMES, { invitation: digest }, and(IS_VALID, isEnabled));
}

const IS_VALID = gt(people.invitationExpiresAt, sql`unixepoch()`);

/**
 * Invites somebody. If they exist already, their password stays valid until they choose another.
 *
 * @returns the token of the link, of which only the digest is stored; `null` if no owner would remain
 */
export async function invite(
  db: D1Database,
  accountId: number,
  { name, role }: { readonly name: string; readonly role: Role },
  now: EpochSeconds,
): Promise<string | null> {
  const token = newSecret();
  const values = {
    role,
    invitation: sha256Hex(token),
    invitationExpiresAt: now + INVITATION_SECONDS,
  };
  const invited = await drizzle(db)
    .insert(people)
    .values({ accountId, name, ...values })
    .onConflictDoUpdate({
      target: [people.accountId, people.name],
      set: values,
      setWhere: mayBecome(role),
    })
    .returning({ id: people.id });
  return invited.length > 0 ? token : null;
}

const NO_SECOND_FACTOR = {
  totpSecret: null,
  totpStep: 0,
  totpFailures: 0,
  totpLockedUntil: 0,
  recoveryCodes: sql`'[]'`,
};

/** Sets the password of an invited person, and uses up the invitation; returns whether it was valid. */
export function acceptInvitation(
  db: D1Database,
  digest: string,
  password: string,
): Promise<boolean> {
  const values = { password, invitation: null, invitationExpiresAt: null, ...NO_SECOND_FACTOR };
  return change(db, people, { invitation: digest }, values, IS_VALID);
}

/** Sets a password, which is hashed already; all sessions of the person end. */
export async function setPersonPassword(
  db: D1Database,
  accountId: number,
  id: number,
  password: string,
) {
  await change(db, people, { accountId, id }, { password });
}

/** Stores the sealed secret of a second factor, and the step of the code that turned it on; `null` removes it. */
export async function setTotp(
  db: D1Database,
  accountId: number,
  id: number,
  totpSecret: string | null,
  totpStep = 0,
) {
  await change(db, people, { accountId, id }, { ...NO_SECOND_FACTOR, totpSecret, totpStep });
}

/** Accepts the code of a time step, unless a code of this or a later step was accepted before; returns whether it was. */
export function useTotpStep(
  db: D1Database,
  accountId: number,
  id: number,
  step: number,
): Promise<boolean> {
  const isOpen = and(lt(people.totpStep, step), sql`${people.totpLockedUntil} <= unixepoch()`);
  return change(db, people, { accountId, id }, { totpStep: step, totpFailures: 0 }, isOpen);
}

/** Replaces the digests of a person's recovery codes. */
export async function setRecoveryCodes(
  db: D1Database,
  accountId: number,
  id: number,
  digests: readonly string[],
): Promise<void> {
  const recoveryCodes = sql`${JSON.stringify(digests)}`;
  await change(db, people, { accountId, id }, { recoveryCodes });
}

/** Uses a recovery code up, unless no code is accepted at the moment; returns whether the person had it. */
export function useRecoveryCode(
  db: D1Database,
  accountId: number,
  id: number,
  digest: string,
): Promise<boolean> {
  const { recoveryCodes, totpLockedUntil } = people;
  const left = sql`(SELECT json_group_array(value) FROM json_each(${recoveryCodes}) WHERE value <> ${digest})`;
  const has = sql`instr(${recoveryCodes}, ${digest}) AND ${totpLockedUntil} <= unixepoch()`;
  const used = { recoveryCodes: left, totpFailures: 0 };
  return change(db, people, { accountId, id }, used, has);
}

/** Counts a wrong code; after too many, none is accepted for a while. */
export async function countWrongCode(db: D1Database, accountId: number, id: number): Promise<void> {
  const isLocked = sql`${totpFailures} + 1 >= ${MAX_FAILURES}`;
  const counted = {
    totpFailures: sql`iif(${isLocked}, 0, ${totpFailures} + 1)`,
    totpLockedUntil: sql`iif(${isLocked}, unixepoch() + ${LOCKED_SECONDS}, ${people.totpLockedUntil})`,
  };
  await change(db, people, { accountId, id }, counted);
}

/** Changes somebody's role, unless no owner would remain; returns whether it was changed. */
export function setRole(
  db: D1Database,
  accountId: number,
  id: number,
  role: Role,
): Promise<boolean> {
  return change(db, people, { accountId, id }, { role }, mayBecome(role));
}

/** Removes somebody, unless no owner would remain; all their sessions end. Returns whether they were removed. */
export function removePerson(db: D1Database, accountId: number, id: number): Promise<boolean> {
  return remove(db, people, { accountId, id }, IS_NOT_LAST_OWNER);
}

/** Whether a person is not the only owner with a password. */
const IS_NOT_LAST_OWNER = sql`(people.role <> 'owner' OR people.password IS NULL OR EXISTS (SELECT 1 FROM people o
  WHERE o.account_id = people.account_id AND o.id <> people.id AND o.role = 'owner' AND o.password IS NOT NULL))`;

/** Whether an owner with a password remains if a person gets a role. */
function mayBecome(role: Role): SQL {
  return sql`(${role} = 'owner' OR ${IS_NOT_LAST_OWNER})`;
}
