import { deleteCopy } from '../../accounts/moves.ts';
import { entriesOf, listAccount, type NamedDatabase, takeIdRange } from '../databases.ts';
import { type Copying, copyAll, copyChanged, findDifferences } from './copy.ts';
import { guards, withoutGuards } from './guards.ts';
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
  const other = await from.db
    .prepare("SELECT code FROM moves WHERE state IN ('leaving', 'frozen') AND account_id <> ?")
    .bind(accountId)
    .first<string>('code');
  if (other !== null) throw new MoveFailed(`${from.name} can move one account at a time, and ${other} is being moved.`);
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
  const create = (db: D1Database) => guards(tables, accountId).map((sql) => db.prepare(sql));
  const insert = (db: D1Database, other: string, state: MoveState) =>
    db
      .prepare('INSERT OR REPLACE INTO moves (account_id, code, other, state) VALUES (?, ?, ?, ?)')
      .bind(accountId, code, other, state);
  await to.db.batch([insert(to.db, from.name, 'arriving'), ...create(to.db)]);
  await from.db.batch([
    ...(await withoutGuards(from.db, accountId)),
    from.db.prepare('DELETE FROM moved_rows'),
    insert(from.db, to.name, 'leaving'),
    ...create(from.db),
  ]);
}

/**
 * Completes a move once the directory names the target. The old copy first stops to answer: isolates that still know the old
 * database then ask the directory again. Only then can the copy in the target be written.
 */
export async function finishMove({ from, to, accountId }: Pick<Move, 'from' | 'to' | 'accountId'>): Promise<void> {
  const row = from.db.prepare('DELETE FROM moves WHERE account_id = ?').bind(accountId);
  const left = `INSERT INTO moves (account_id, code, other, state) SELECT id, code, ?, 'left' FROM accounts WHERE id = ?`;
  await from.db.batch([
    row,
    from.db.prepare('UPDATE accounts SET disabled = 1 WHERE id = ?').bind(accountId),
    from.db.prepare('DELETE FROM moved_rows'),
    from.db.prepare(left).bind(to.name, accountId),
  ]);
  await to.db.batch([
    ...(await withoutGuards(to.db, accountId)),
    to.db.prepare('DELETE FROM moves WHERE account_id = ?').bind(accountId),
  ]);
}

/** Undoes a move that has not switched: the account stays where it is, and the copy is deleted. */
export async function undoMove({ from, to, accountId }: Pick<Move, 'from' | 'to' | 'accountId'>): Promise<void> {
  await from.db.batch([
    ...(await withoutGuards(from.db, accountId)),
    from.db.prepare('DELETE FROM moves WHERE account_id = ?').bind(accountId),
    from.db.prepare('DELETE FROM moved_rows'),
  ]);
  await removeCopy(to.db, accountId);
}

/** Deletes what a database has of an account that does not live there: an incomplete copy, or the one of an earlier move. */
async function removeCopy(db: D1Database, accountId: number): Promise<void> {
  const state = await stateOf(db, accountId);
  if (state === 'leaving' || state === 'frozen') throw new Error('The account lives in this database');
  if (state !== null) while (!(await deleteCopy(db, accountId)));
}

/** How far the move of an account has come in a database; `null` if it is not being moved. */
export function stateOf(db: D1Database, accountId: number): Promise<MoveState | null> {
  return db.prepare('SELECT state FROM moves WHERE account_id = ?').bind(accountId).first<MoveState>('state');
}

/** The other database of a move. */
export function otherDatabase(db: D1Database, accountId: number): Promise<string | null> {
  return db.prepare('SELECT other FROM moves WHERE account_id = ?').bind(accountId).first<string>('other');
}

async function setState(db: D1Database, accountId: number, state: MoveState): Promise<void> {
  await db
    .prepare('UPDATE moves SET state = ?, changed_at = unixepoch() WHERE account_id = ?')
    .bind(state, accountId)
    .run();
}
