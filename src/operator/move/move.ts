import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { findAccountId } from '../../accounts/accounts.ts';
import { deleteCopy } from '../../accounts/moves.ts';
import { runBatch } from '../../db/statements.ts';
import {
  databaseNamed,
  entriesOf,
  listAccount,
  type NamedDatabase,
  readDirectory,
  takeIdRange,
} from '../databases.ts';
import { OperationFailed } from '../operations.ts';
import { type Copying, copyRows, findDifferences } from './copy.ts';
import { readTables } from './tables.ts';

/**
 * Milliseconds from when an account is frozen until it is copied: what requests under way may need to end. Changes of what
 * feeds show are refused at once, but a request that has been let in may still write something else, such as a reader.
 */
export const GRACE_MS = 3_000;

/** Copies until one must be equal: it differs if a request took longer than the grace. */
const MAX_COPIES = 3;

/** How far the move of an account has come: in the database that it leaves, and in the other. */
export type MoveState = 'leaving' | 'left' | 'arriving';

/** What a move does next; `released` once it has failed, and the account can be changed again. */
export type Step = 'freezing' | 'copying' | 'switching' | 'completing' | 'released';

export interface Move {
  readonly code: string;
  readonly accountId: number;
  /** The same as `to` if the account is there already. */
  readonly from: NamedDatabase;
  readonly to: NamedDatabase;
  /** Whether the directory names `to`. */
  readonly isSwitched: boolean;
  /** The databases of the service, the first one first. */
  readonly all: readonly NamedDatabase[];
}

/** The move of an account to a database, which may have begun already; `null` if there is no such account. */
export async function planMove(
  all: readonly NamedDatabase[],
  code: string,
  to: NamedDatabase,
): Promise<Move | null> {
  const entry = (await readDirectory(all[0]!.db)).find(({ account }) => account === code);
  const listed = databaseNamed(all, entry?.database ?? all[0]!.name);
  const accountId = await findAccountId(listed.db, code);
  if (accountId === null) return null;
  const isSwitched = listed === to;
  const from = (isSwitched ? await originOf(listed, accountId, all) : null) ?? listed;
  return { code, accountId, from, to, isSwitched, all };
}

/** The database that an account has left, if its move into this one has been switched and is not complete. */
async function originOf({ db }: NamedDatabase, accountId: number, all: readonly NamedDatabase[]) {
  const arrival = await moveIn(db, accountId);
  return arrival?.state === 'arriving' ? databaseNamed(all, arrival.other) : null;
}

/** How an account is moved. */
interface Moving {
  /** Called before each step. */
  readonly onStep?: (step: Step) => unknown;
  readonly graceMs?: number;
}

/**
 * Moves an account to another database. Its feeds are served throughout; its writes are refused while it is copied. It can be
 * repeated after it was interrupted at any point. Until the directory names the other database it then begins again, and a
 * move that fails ends the refusal. From then on it continues, and the move back completes it first.
 *
 * @returns whether the account was not there already
 */
export async function moveAccount(
  move: Move,
  { onStep = () => {}, graceMs = GRACE_MS }: Moving = {},
): Promise<boolean> {
  const { code, accountId, from, to, isSwitched, all } = move;
  if (from === to) return false;
  if (isSwitched) {
    await onStep('completing');
    await finish(from, to, accountId);
    return true;
  }
  const origin = await originOf(from, accountId, all);
  if (origin !== null) await finish(origin, from, accountId);
  await refuseOtherMove(move);
  await onStep('freezing');
  try {
    await freeze(move);
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    await onStep('copying');
    await copy(move);
  } catch (error) {
    // If the database fails, it stays frozen until the move is repeated or undone.
    await release(from, accountId).then(
      () => onStep('released'),
      () => {},
    );
    throw error;
  }
  const [entry] = (await entriesOf([from])).filter(({ account }) => account === code);
  await onStep('switching');
  await listAccount(all[0]!.db, {
    account: code,
    database: to.name,
    clients: entry?.clients ?? [],
  });
  await onStep('completing');
  await finish(from, to, accountId);
  return true;
}

/** @throws OperationFailed if the account is being moved to a third database */
async function refuseOtherMove({ code, accountId, from, to }: Move): Promise<void> {
  const begun = await moveIn(from.db, accountId);
  if (begun?.state !== 'leaving' || begun.other === to.name) return;
  throw new OperationFailed(
    `${code} is being moved to ${begun.other}: complete or undo that first.`,
  );
}

/** Refuses changes of the account, and prepares the target: its new ids are beyond all that are copied. */
async function freeze(move: Move): Promise<void> {
  const { code, from, to, all, accountId } = move;
  await takeIdRange(to.db, all);
  await emptyTarget(move);
  await runBatch(from.db, [
    sql`INSERT OR REPLACE INTO moves (account_id, code, other, state)
        VALUES (${accountId}, ${code}, ${to.name}, 'leaving')`,
    sql`UPDATE accounts SET frozen = 1 WHERE id = ${accountId}`,
  ]);
}

/** Ends the refusal of changes in the database that an account does not leave after all. */
async function release(from: NamedDatabase, accountId: number): Promise<void> {
  await runBatch(from.db, [
    sql`UPDATE accounts SET frozen = 0 WHERE id = ${accountId}`,
    sql`DELETE FROM moves WHERE account_id = ${accountId}`,
  ]);
}

/** Removes what the target has of an account, and states that it arrives there. */
async function emptyTarget({ code, accountId, from, to }: Move): Promise<void> {
  await removeCopy(to.db, accountId);
  await drizzle(to.db).run(sql`
    INSERT INTO moves (account_id, code, other, state) VALUES (${accountId}, ${code}, ${from.name}, 'arriving')`);
}

/** @throws OperationFailed if no copy is equal */
async function copy(move: Move): Promise<void> {
  const { accountId, from, to } = move;
  const tables = await readTables(from.db);
  const copying: Copying = { accountId, tables, source: from.db, target: to.db };
  for (let copies = 1; ; copies++) {
    await copyRows(copying);
    const differences = await findDifferences(copying);
    if (differences.length === 0) return;
    if (copies === MAX_COPIES)
      throw new OperationFailed(`The copy differs in ${differences.join(', ')}.`);
    await emptyTarget(move);
  }
}

/**
 * Completes a move once the directory names the target. The old copy first stops answering: isolates that still know the old
 * database then ask the directory again. It stays frozen. Only then can the copy in the target be changed.
 */
export async function finish(
  from: NamedDatabase,
  to: NamedDatabase,
  accountId: number,
): Promise<void> {
  const isOver = sql`DELETE FROM moves WHERE account_id = ${accountId}`;
  await runBatch(from.db, [
    isOver,
    sql`UPDATE accounts SET disabled = 1, frozen = 1 WHERE id = ${accountId}`,
    sql`INSERT INTO moves (account_id, code, other, state)
        SELECT id, code, ${to.name}, 'left' FROM accounts WHERE id = ${accountId}`,
  ]);
  await release(to, accountId);
}

/** Undoes a move that was interrupted before it was switched: the account stays where it is, and the copy is deleted. */
export async function undoMove(move: Move): Promise<void> {
  const { from, to, accountId, isSwitched } = move;
  if (isSwitched) throw new OperationFailed(`The account is in ${to.name}.`);
  await refuseOtherMove(move);
  await release(from, accountId);
  await removeCopy(to.db, accountId);
}

/** Deletes what a database has of an account that does not live there: an incomplete copy, or the one of an earlier move. */
async function removeCopy(db: D1Database, accountId: number): Promise<void> {
  const state = await stateOf(db, accountId);
  if (state === 'leaving') throw new Error('The account lives in this database');
  if (state !== null) while (!(await deleteCopy(db, accountId)));
}

/** How far the move of an account has come in a database; `null` if it is not being moved. */
export async function stateOf(db: D1Database, accountId: number): Promise<MoveState | null> {
  return (await moveIn(db, accountId))?.state ?? null;
}

async function moveIn(db: D1Database, accountId: number) {
  const query = sql`SELECT state, other FROM moves WHERE account_id = ${accountId}`;
  return (await drizzle(db).all<{ state: MoveState; other: string }>(query))[0];
}
