import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type Actor, actorIn, actorText } from '../accounts/actor.ts';
import { UNWRITABLE } from '../accounts/moves.ts';
import { listOf, parameters } from '../db/json-rows.ts';
import type { CodedMessage } from '../messages/messages.ts';

/** Seconds for which nobody else fetches pictures that somebody has begun to: longer than an invocation lasts. */
const LEASE_SECONDS = 1_000;

/** Accounts whose copying one run of the schedule continues. */
const AT_ONCE = 200;

/** Seconds for which it is known why a picture could not be copied. */
const FAILURE_SECONDS = 30 * 86_400;

/** Pictures of a property that are to be copied, and are leased. */
export interface Copies {
  readonly property: string;
  readonly addresses: readonly string[];
  /** Of the addresses that they get. */
  readonly origin: string;
  readonly actor: Actor;
  /** How often this was begun before by somebody who has ended without a word. */
  readonly attempts: number;
}

/** A picture that is to be copied (`null`), or why it could not be. */
export interface Copying {
  readonly address: string;
  readonly reason: CodedMessage | null;
}

/** Asks for copies of a property's pictures. Those that could not be copied are tried again; of those under way, nothing changes. */
export async function askForCopies(
  db: D1Database,
  accountId: number,
  { property, addresses, origin, actor }: Omit<Copies, 'attempts'>,
): Promise<void> {
  await drizzle(db).run(sql`
    INSERT INTO picture_copies (account_id, property, address, origin, actor)
    SELECT ${accountId}, ${property}, value, ${origin}, ${actorText(actor)} FROM json_each(${JSON.stringify(addresses)})
     WHERE true
        ON CONFLICT DO UPDATE
       SET reason = NULL, attempts = 0, leased_until = 0, asked_at = unixepoch(), origin = excluded.origin, actor = excluded.actor
     WHERE reason IS NOT NULL`);
}

/**
 * Asks for copies of the pictures of these listed properties that are elsewhere, except those that could not be copied within a month.
 *
 * @param path how the paths of the account's own pictures begin
 */
export async function askForCopiesOfAll(
  db: D1Database,
  accountId: number,
  properties: readonly string[],
  path: string,
  { origin, actor }: Pick<Copies, 'origin' | 'actor'>,
): Promise<void> {
  const address = sql`iif(e.type = 'object', e.value ->> '$.url', e.value)`;
  for (const ids of parameters(properties)) {
    await drizzle(db).run(sql`
      INSERT INTO picture_copies (account_id, property, address, origin, actor)
      SELECT ${accountId}, p.identifier, ${address}, ${origin}, ${actorText(actor)}
        FROM properties p, json_each(p.pictures) e
       WHERE p.account_id = ${accountId} AND p.listed AND p.identifier IN (SELECT value FROM json_each(${ids}))
         AND NOT instr(${address}, ${path})
          ON CONFLICT DO NOTHING`);
  }
}

/**
 * Leases the pictures of an account that are to be copied next, all of one property; `null` if there are none, or somebody else copies
 * pictures of the account: so no server gets several requests at the same time. Once somebody has ended without a word, they are taken
 * one by one, to find the one that is to blame.
 */
export async function takeCopies(
  db: D1Database,
  accountId: number,
  most: number,
): Promise<Copies | null> {
  const waiting = sql`account_id = ${accountId} AND reason IS NULL`;
  type Row = Record<'property' | 'address' | 'origin' | 'actor', string> & { attempts: number };
  const rows = await drizzle(db).all<Row>(sql`
    UPDATE picture_copies SET leased_until = unixepoch() + ${LEASE_SECONDS}, attempts = attempts + 1
     WHERE ${waiting} AND (property, address) IN (
             SELECT property, address FROM picture_copies
              WHERE ${waiting} AND property = (
                      SELECT property FROM picture_copies WHERE ${waiting} ORDER BY asked_at, property LIMIT 1)
              LIMIT iif(EXISTS (SELECT 1 FROM picture_copies WHERE ${waiting} AND attempts > 0), 1, ${most}))
       AND account_id NOT IN ${UNWRITABLE}
       AND NOT EXISTS (SELECT 1 FROM picture_copies WHERE ${waiting} AND leased_until > unixepoch())
    RETURNING property, address, origin, actor, attempts`);
  const [first] = rows;
  if (first === undefined) return null;
  const { property, origin, actor } = first;
  const addresses = rows.map(({ address }) => address);
  const attempts = Math.max(...rows.map((row) => row.attempts)) - 1;
  return { property, addresses, origin, actor: actorIn(actor), attempts };
}

/** Gives leased pictures back, which somebody else can then copy. */
export async function releaseCopies(
  db: D1Database,
  accountId: number,
  { property, addresses }: Copies,
): Promise<void> {
  await drizzle(db).run(sql`
    UPDATE picture_copies SET leased_until = 0, attempts = max(attempts - 1, 0)
     WHERE account_id = ${accountId} AND property = ${property} AND address IN ${listOf(addresses)}`);
}

/** Notes why a picture could not be copied; it stays where it is. */
export async function noteFailure(
  db: D1Database,
  accountId: number,
  property: string,
  { address, reason }: Copying,
): Promise<void> {
  await drizzle(db).run(sql`
    UPDATE picture_copies SET reason = ${JSON.stringify(reason)}, leased_until = 0
     WHERE account_id = ${accountId} AND property = ${property} AND address = ${address}`);
}

/** Forgets pictures that could not be copied a month ago. */
export async function forgetOldFailures(db: D1Database, accountId: number): Promise<void> {
  await drizzle(db).run(sql`
    DELETE FROM picture_copies
     WHERE account_id = ${accountId} AND reason IS NOT NULL AND asked_at < unixepoch() - ${FAILURE_SECONDS}`);
}

/** Forgets pictures that are copied, or that their property no longer names. */
export async function forgetCopies(
  db: D1Database,
  accountId: number,
  property: string,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  await drizzle(db).run(sql`
    DELETE FROM picture_copies
     WHERE account_id = ${accountId} AND property = ${property} AND address IN ${listOf(addresses)}`);
}

/** The pictures of a property that are to be copied, and those that could not be. */
export async function listCopies(
  db: D1Database,
  accountId: number,
  property: string,
): Promise<Copying[]> {
  const rows = await drizzle(db).all<{ address: string; reason: string | null }>(sql`
    SELECT address, reason FROM picture_copies WHERE account_id = ${accountId} AND property = ${property}`);
  return rows.map(({ address, reason }) => ({
    address,
    reason: reason === null ? null : JSON.parse(reason),
  }));
}

/** The accounts that have pictures to copy, which nobody does. */
export async function accountsWithCopies(db: D1Database): Promise<number[]> {
  const rows = await drizzle(db).all<{ id: number }>(sql`
    SELECT DISTINCT account_id AS id FROM picture_copies
     WHERE reason IS NULL AND leased_until <= unixepoch() AND account_id NOT IN ${UNWRITABLE}
     LIMIT ${AT_ONCE}`);
  return rows.map(({ id }) => id);
}
