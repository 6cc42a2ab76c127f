import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../lib/time/time.ts';

/** What takes longer than a request: it is done by the consumer of a queue, and can be watched. */
export const KINDS = ['move', 'undo move', 'delete', 'restored'] as const;

/** Why an operation has failed: what it has not done can be begun again. */
export class OperationFailed extends Error {
  override readonly name = 'OperationFailed';
}

/** Seconds for which nobody else continues an operation that is under way; each step renews them. */
const LEASE_SECONDS = 120;

export interface Operation {
  readonly id: number;
  readonly kind: (typeof KINDS)[number];
  /** The code of the account; `null` for a database. */
  readonly account: string | null;
  /** The binding of the database: where to, or which one. `null` for a deletion. */
  readonly database: string | null;
  readonly state: 'waiting' | 'running' | 'finished' | 'failed';
  /** How far it has come, or what its result is. */
  readonly detail: string;
  readonly createdAt: EpochSeconds;
  readonly endedAt: EpochSeconds | null;
}

type Started = Pick<Operation, 'kind' | 'account' | 'database'>;

const COLUMNS = sql`id, kind, account, database, state, detail, created_at AS "createdAt", ended_at AS "endedAt"`;

/** Starts an operation, unless the same one is waiting or running: then that one. @param db the first database */
export async function startOperation(
  db: D1Database,
  { kind, account, database }: Started,
): Promise<Operation> {
  const isSame = sql`kind = ${kind} AND account IS ${account} AND database IS ${database}
    AND state IN ('waiting', 'running')`;
  const connection = drizzle(db);
  await connection.run(sql`
    INSERT INTO operations (kind, account, database)
    SELECT ${kind}, ${account}, ${database} WHERE NOT EXISTS (SELECT 1 FROM operations WHERE ${isSame})`);
  return connection.get<Operation>(
    sql`SELECT ${COLUMNS} FROM operations WHERE ${isSame} ORDER BY id LIMIT 1`,
  );
}

export async function findOperation(db: D1Database, id: number): Promise<Operation | null> {
  const [found] = await drizzle(db).all<Operation>(
    sql`SELECT ${COLUMNS} FROM operations WHERE id = ${id}`,
  );
  return found ?? null;
}

/** The last operations, newest first. */
export function listOperations(
  db: D1Database,
  before: number,
  limit: number,
): Promise<Operation[]> {
  return drizzle(db).all<Operation>(sql`
    SELECT ${COLUMNS} FROM operations WHERE id < ${before} ORDER BY id DESC LIMIT ${limit}`);
}

/**
 * Takes an operation that has not ended, unless somebody else has it, or another one of the same account; a lease that has run out
 * belongs to nobody.
 */
export async function takeOperation(db: D1Database, id: number): Promise<Operation | null> {
  const [taken] = await drizzle(db).all<Operation>(sql`
    UPDATE operations SET state = 'running', leased_until = unixepoch() + ${LEASE_SECONDS}
     WHERE id = ${id} AND state IN ('waiting', 'running')
       AND NOT EXISTS (
         SELECT 1 FROM operations o
          WHERE (o.id = ${id} OR o.account = operations.account) AND o.leased_until > unixepoch())
    RETURNING ${COLUMNS}`);
  return taken ?? null;
}

/** States how far an operation has come, and keeps it from others. */
export async function noteProgress(db: D1Database, id: number, detail: string): Promise<void> {
  await drizzle(db).run(sql`
    UPDATE operations SET detail = ${detail}, leased_until = unixepoch() + ${LEASE_SECONDS} WHERE id = ${id}`);
}

/** Lets the next message continue an operation. */
export async function releaseOperation(db: D1Database, id: number): Promise<void> {
  await drizzle(db).run(sql`UPDATE operations SET leased_until = 0 WHERE id = ${id}`);
}

export async function endOperation(
  db: D1Database,
  id: number,
  state: 'finished' | 'failed',
  detail: string,
): Promise<void> {
  await drizzle(db).run(sql`
    UPDATE operations SET state = ${state}, detail = ${detail}, ended_at = unixepoch(), leased_until = 0 WHERE id = ${id}`);
}

/** The operations whose message was lost, or whose isolate has ended. */
export async function stalledOperations(db: D1Database): Promise<number[]> {
  const rows = await drizzle(db).all<{ id: number }>(sql`
    SELECT id FROM operations WHERE state IN ('waiting', 'running') AND leased_until <= unixepoch() LIMIT 20`);
  return rows.map(({ id }) => id);
}

/** Ends what is open of this kind for an account and nobody works on: another operation undoes it. */
export async function cancelOperations(
  db: D1Database,
  account: string,
  kind: Operation['kind'],
): Promise<void> {
  await drizzle(db).run(sql`
    UPDATE operations SET state = 'failed', detail = 'undone', ended_at = unixepoch()
     WHERE account = ${account} AND kind = ${kind} AND state IN ('waiting', 'running') AND leased_until <= unixepoch()`);
}

/** Whether an operation of this kind is waiting or running for an account. */
export async function isOpen(
  db: D1Database,
  account: string,
  kind: Operation['kind'],
): Promise<boolean> {
  const rows = await drizzle(db).all(sql`
    SELECT 1 FROM operations WHERE account = ${account} AND kind = ${kind} AND state IN ('waiting', 'running') LIMIT 1`);
  return rows.length > 0;
}
