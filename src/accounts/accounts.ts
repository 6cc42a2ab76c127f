import { sql } from 'drizzle-orm';
import { accounts } from '../db/schema.ts';
import { change, selectOne, type Values } from '../db/statements.ts';

type Row = typeof accounts.$inferSelect;

/** An account that is not disabled. */
export type Account = Readonly<Pick<Row, 'id' | 'code' | 'name' | 'password' | 'timeZone'>>;

/** The columns of an {@link Account}. */
export const ACCOUNT_COLUMNS = {
  id: accounts.id,
  code: accounts.code,
  name: accounts.name,
  password: accounts.password,
  timeZone: accounts.timeZone,
};

/** The account with an id, or with a code in upper case; `null` if there is none or it is disabled. */
export function findAccount(
  db: D1Database,
  account: { readonly id: number } | { readonly code: string },
): Promise<Account | null> {
  const names = Object.keys(ACCOUNT_COLUMNS) as (keyof Account)[];
  return selectOne(db, accounts, names, { ...account, disabled: false });
}

/**
 * The id of the account with this code, in any letter case, disabled or not; `null` if there is none. The copy of one that has moved
 * to another database is none.
 */
export async function findAccountId(db: D1Database, code: string): Promise<number | null> {
  const lives = sql`NOT EXISTS (SELECT 1 FROM moves m WHERE m.account_id = ${accounts.id} AND m.state = 'left')`;
  return (await selectOne(db, accounts, ['id'], { code: code.toUpperCase() }, lives))?.id ?? null;
}

/** What is stored of an account for one purpose. */
type Setting =
  | 'policy'
  | 'placeSecret'
  | 'importNames'
  | 'formatSettings'
  | 'views'
  | 'incarnation'
  | 'disabled';

/** @throws if the account no longer exists */
export async function readSetting<Name extends Setting>(
  db: D1Database,
  id: number,
  name: Name,
): Promise<Row[Name]> {
  const found = await selectOne(db, accounts, [name], { id });
  if (found === null) throw new Error('The account no longer exists');
  return found[name];
}

/** @param changes the password is hashed already: feeds require it within a second, and sessions by the old one end */
export async function updateAccount(
  db: D1Database,
  id: number,
  changes: Pick<Values<typeof accounts>, 'password' | 'disabled' | 'policy' | 'timeZone'>,
): Promise<void> {
  await change(db, accounts, { id }, changes);
}

/**
 * Stores a query of the parameters that an account states for all readers of a format; an empty one states nothing. It counts as a
 * change of the account, so that readers that ask with a date get the new feed.
 */
export async function writeFormatSettings(
  db: D1Database,
  accountId: number,
  format: string,
  query: string,
) {
  const path = `$.${format}`;
  const { formatSettings: all } = accounts;
  const changed =
    query === '' ? sql`json_remove(${all}, ${path})` : sql`json_set(${all}, ${path}, ${query})`;
  await change(
    db,
    accounts,
    { id: accountId },
    {
      formatSettings: changed,
      changes: sql`changes + 1`,
      changedAt: sql`max(changed_at, unixepoch())`,
    },
  );
}

/** Saves a view of the list of properties as a query, instead of one with the same name; `null` removes it. */
export async function writeView(
  db: D1Database,
  accountId: number,
  name: string,
  query: string | null,
): Promise<void> {
  const views = sql`json_patch(${accounts.views}, ${JSON.stringify({ [name]: query })})`;
  await change(db, accounts, { id: accountId }, { views });
}

/** Whether the database responds and has its tables. */
export function isDatabaseReady(db: D1Database): Promise<boolean> {
  return selectOne(db, accounts, ['id'], {}).then(
    () => true,
    () => false,
  );
}
