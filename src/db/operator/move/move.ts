import { sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { deleteCopy, withoutGuards } from '../../accounts/moves.ts';
import { readTogether } from '../../statements.ts';
import { findAccountId } from '../accounts.ts';
import { entriesOf, listAccount, type NamedDatabase, readDirectory, takeIdRange } from '../databases.ts';
import { type Copying, copyChanged, findDifferences } from './copy.ts';
import { guards, noteAll } from './guards.ts';
import { readTables } from './tables.ts';

/** The account is frozen once at most this number of rows is left to copy. */
const FEW_CHANGES = 50;

/** How far the move of an account has come: in the database that it leaves, and in the other. */
type MoveState = 'leaving' | 'frozen' | 'left' | 'arriving';

export type Step = 'copying' | 'freezing' | 'switching' | 'completing';

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

/** Why an account was not moved; nothing is lost, and the move can be repeated or undone. */
export class MoveFailed extends Error {
  override readonly name = 'MoveFailed';
}

/** The move of an account to a database, which may have begun already; `null` if there is no such account. */
export async function planMove(all: readonly NamedDatabase[], code: string, to: NamedDatabase): Promise<Move | null> {
  const entry = (await readDirectory(all[0]!.db)).find(({ account }) => account === code);
  const listed = named(all, entry?.database ?? all[0]!.name);
  const accountId = await findAccountId(listed.db, code);
  if (accountId === null) return null;
  const isSwitched = listed === to;
  const from = (isSwitched ? await originOf(listed, accountId, all) : null) ?? listed;
  return { code, accountId, from, to, isSwitched, all };
}

/** The database that an account has left, if its move into this one has been switched and is not complete. */
async function originOf({ db }: NamedDatabase, accountId: number, all: readonly NamedDatabase[]) {
  const arrival = await moveIn(db, accountId);
  return arrival?.state === 'arriving' ? named(all, arrival.other) : null;
}

function named(all: readonly NamedDatabase[], name: string): NamedDatabase {
  const found = all.find((database) => database.name === name);
  if (found === undefined) throw new MoveFailed(`The database ${name} is not bound.`);
  return found;
}

/**
 * Moves an account to another database. Its feeds are served throughout; its writes are refused only from when the last changes
 * are copied until the move is complete. It can be repeated after it was interrupted at any point, and then continues there.
 * Once the directory names the other database, the move back completes it first.
 *
 * @param onStep called before each step
 * @returns whether the account was not there already
 */
export async function moveAccount(move: Move, onStep: (step: Step) => void = () => {}): Promise<boolean> {
  const { code, accountId, from, to, isSwitched, all } = move;
  if (from === to) return false;
  if (isSwitched) {
    onStep('completing');
    await finish(from, to, accountId);
    return true;
  }
  const origin = await originOf(from, accountId, all);
  if (origin !== null) await finish(origin, from, accountId);
  const [other] = await drizzle(from.db).all<{ code: string; other: string }>(sql`
    SELECT code, other FROM moves
     WHERE state IN ('leaving', 'frozen') AND (account_id <> ${accountId} OR other <> ${to.name})`);
  if (other) {
    throw new MoveFailed(
      `${from.name} can move one account at a time, and ${other.code} is being moved to ${other.other}.`,
    );
  }
  const copying = { accountId, tables: await readTables(from.db), source: from.db, target: to.db };
  const state = await stateOf(from.db, accountId);
  if (state === 'frozen') {
    onStep('freezing');
    await setState(from.db, accountId, 'leaving');
  }
  onStep('copying');
  if (state !== 'leaving' && state !== 'frozen') await begin(move, copying);
  while ((await copyChanged(copying)) > FEW_CHANGES);
  onStep('freezing');
  await setState(from.db, accountId, 'frozen');
  try {
    while ((await copyChanged(copying)) > 0);
    await verify(copying);
  } catch (error) {
    await setState(from.db, accountId, 'leaving');
    onStep('copying');
    throw error;
  }
  const [entry] = (await entriesOf([from])).filter(({ account }) => account === code);
  onStep('switching');
  await listAccount(all[0]!.db, { account: code, database: to.name, clients: entry?.clients ?? [] });
  onStep('completing');
  await finish(from, to, accountId);
  return true;
}

/** Prepares both databases: new ids of the target are beyond all that are copied, and both have guards. */
async function begin({ code, from, to, all, accountId }: Move, { tables }: Copying): Promise<void> {
  await takeIdRange(to.db, all);
  await removeCopy(to.db, accountId);
  const created = guards(tables, accountId).map((trigger) => sql.raw(trigger));
  const insert = (other: string, state: MoveState) => sql`
    INSERT OR REPLACE INTO moves (account_id, code, other, state) VALUES (${accountId}, ${code}, ${other}, ${state})`;
  await readTogether(to.db, [insert(from.name, 'arriving'), ...created]);
  await readTogether(from.db, [
    ...(await withoutGuards(from.db, accountId)),
    sql`DELETE FROM moved_rows`,
    insert(to.name, 'leaving'),
    ...created,
    ...noteAll(tables, accountId).map((statement) => sql.raw(statement)),
  ]);
}

/** Notes the rows of tables that differ, so that the next attempt copies them again. */
async function verify(copying: Copying): Promise<void> {
  const differences = await findDifferences(copying);
  if (differences.length === 0) return;
  const { source, tables, accountId } = copying;
  await source.batch(noteAll(tables, accountId, differences).map((statement) => source.prepare(statement)));
  throw new MoveFailed(`The copy differs in ${differences.join(', ')}.`);
}

/**
 * Completes a move once the directory names the target. The old copy first stops answering: isolates that still know the old
 * database then ask the directory again. Only then can the copy in the target be written.
 */
export async function finish(from: NamedDatabase, to: NamedDatabase, accountId: number): Promise<void> {
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

/** Undoes a move that was interrupted before it was switched: the account stays where it is, and the copy is deleted. */
export async function undoMove({ from, to, accountId, isSwitched }: Move): Promise<void> {
  if (isSwitched) throw new MoveFailed(`The account is in ${to.name}.`);
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

async function moveIn(db: D1Database, accountId: number) {
  const query = sql`SELECT state, other FROM moves WHERE account_id = ${accountId}`;
  return (await drizzle(db).all<{ state: MoveState; other: string }>(query))[0];
}

async function setState(db: D1Database, accountId: number, state: MoveState): Promise<void> {
  await drizzle(db).run(
    sql`UPDATE moves SET state = ${state}, changed_at = unixepoch() WHERE account_id = ${accountId}`,
  );
}
