import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { deleteCopy, withoutGuards } from '../../accounts/moves.ts';
import { readTogether } from '../../statements.ts';
import { entriesOf, listAccount, type NamedDatabase, takeIdRange } from '../databases.ts';
import { type Copying, copyAll, copyChanged, findDifferences } from './copy.ts';
import { guards } from './guards.ts';
import { readTables } from './tables.ts';

/** Rounds in which changed rows are copied before the account is frozen, and how few must be left then. */
const MAX_ROUNDS = 100;
const FEW_CHANGES = 50;

/** How far the move of an account has come: in the database that it leaves, and in the other. */
type MoveState = 'leaving' | 'frozen' | 'left' | 'arriving';

/** An account that is to be moved. */
export interface Move {
  readonly code: string;
  readonly accountId: number;
  readonly from: NamedDatabase;
  readonly to: NamedDatabase;
  /** The databases of the service, the first one first. */
  readonly all: readonly NamedDatabase[];
}

/** Why an account was not moved; nothing is lost, and the move can be repeated or undone. */
export class MoveFailed extends Error {
  override readonly name = 'MoveFailed';
}

/**
 * Moves an account to another database. Its feeds are served throughout; its writes are refused only from when the last changes
 * are copied until the directory names the other database. It can be repeated after it was interrupted at any point.
 *
 * @param step called with what is about to be done
 */
export async function moveAccount(move: Move, step: (what: string) => void = () => {}): Promise<void> {
  const { from, to, accountId } = move;
  const [other] = await drizzle(from.db).all<{ code: string }>(sql`
    SELECT code FROM moves WHERE state IN ('leaving', 'frozen') AND account_id <> ${accountId}`);
  if (other) throw new MoveFailed(`${from.name} can move one account at a time, and ${other.code} is being moved.`);
  const tables = await readTables(from.db);
  const copying: Copying = { accountId, tables, source: from.db, target: to.db };
  if ((await stateOf(from.db, accountId)) === 'frozen') await setState(from.db, accountId, 'leaving');
  else {
    step('copying');
    await begin(move, copying);
    await copyAll(copying);
  }
  for (let round = 0; (await copyChanged(copying)) > FEW_CHANGES; round++) {
    if (round === MAX_ROUNDS) throw new MoveFailed('The account changes faster than it can be copied.');
  }
  step('freezing');
  await setState(from.db, accountId, 'frozen');
  try {
    while ((await copyChanged(copying)) > 0);
    const differences = await findDifferences(copying);
    if (differences.length > 0) throw new MoveFailed(`The copy differs in ${differences.join(', ')}.`);
  } catch (error) {
    await setState(from.db, accountId, 'leaving');
    throw error;
  }
  step('switching');
  const [entry] = (await entriesOf([from])).filter(({ account }) => account === move.code);
  await listAccount(move.all[0]!.db, { account: move.code, database: to.name, clients: entry?.clients ?? [] });
  await finishMove(move);
}

/** Prepares both databases: new ids of the target are beyond all that are copied, and both have guards. */
async function begin({ code, from, to, all, accountId }: Move, { tables }: Copying): Promise<void> {
  await takeIdRange(to.db, all);
  await removeCopy(to.db, accountId);
  const created = guards(tables, accountId).map((trigger) => sql.raw(trigger));
  const insert = (other: string, state: MoveState) => sql`
    INSERT OR REPLACE INTO moves (account_id, code, other, state) VALUES (${accountId}, ${code}, ${other}, ${state})`;
  await readTogether(to.db, [insert(from.name, 'arriving'), ...created]);
  const removed = await withoutGuards(from.db, accountId);
  await readTogether(from.db, [...removed, sql`DELETE FROM moved_rows`, insert(to.name, 'leaving'), ...created]);
}

/**
 * Completes a move once the directory names the target. The old copy first stops to answer: isolates that still know the old
 * database then ask the directory again. Only then can the copy in the target be written.
 */
export async function finishMove({ from, to, accountId }: Pick<Move, 'from' | 'to' | 'accountId'>): Promise<void> {
  const isOver = sql`DELETE FROM moves WHERE account_id = ${accountId}`;
  await readTogether(from.db, [
    isOver,
    sql`UPDATE accounts SET disabled = 1 WHERE id = ${accountId}`,
    sql`DELETE FROM moved_rows`,
    sql`INSERT INTO moves (account_id, code, other, state)
        SELECT id, code, ${to.name}, 'left' FROM accounts WHERE id = ${accountId}`,
  ]);
  await readTogether(to.db, [...(await withoutGuards(to.db, accountId)), isOver]);
}

/** Undoes a move that has not switched: the account stays where it is, and the copy is deleted. */
export async function undoMove({ from, to, accountId }: Pick<Move, 'from' | 'to' | 'accountId'>): Promise<void> {
  const isOver = sql`DELETE FROM moves WHERE account_id = ${accountId}`;
  await readTogether(from.db, [...(await withoutGuards(from.db, accountId)), isOver, sql`DELETE FROM moved_rows`]);
  await removeCopy(to.db, accountId);
}

/** Deletes what a database has of an account that does not live there: an incomplete copy, or the one of an earlier move. */
async function removeCopy(db: D1Database, accountId: number): Promise<void> {
  const state = await stateOf(db, accountId);
  if (state === 'leaving' || state === 'frozen') throw new Error('The account lives in this database');
  if (state !== null) while (!(await deleteCopy(db, accountId)));
}

/** How far the move of an account has come in a database; `null` if it is not being moved. */
export async function stateOf(db: D1Database, accountId: number): Promise<MoveState | null> {
  return (await moveIn(db, accountId))?.state ?? null;
}

/** The other database of a move. */
export async function otherDatabase(db: D1Database, accountId: number): Promise<string | null> {
  return (await moveIn(db, accountId))?.other ?? null;
}

async function moveIn(db: D1Database, accountId: number) {
  const query = sql`SELECT state, other FROM moves WHERE account_id = ${accountId}`;
  return (await drizzle(db).all<{ state: MoveState; other: string }>(query))[0];
}

async function setState(db: D1Database, accountId: number, state: MoveState): Promise<void> {
  await drizzle(db).run(
    sql`UPDATE moves SET state = ${state}, changed_at = unixepoch() WHERE account_id = ${accountId}`,
  );
}
