import { setTimeout } from 'node:timers/promises';
import { createAccount } from '../../../src/operator/accounts.ts';
import type { PortfolioDocument } from '../../../src/properties/documents.ts';
import { store } from '../../support/accounts/portfolio.ts';
import { portfolio } from './portfolio.ts';

/** Properties of the accounts whose feeds are built. */
export const SIZES = [200, 1_000, 2_000, 10_000] as const;

/** Properties of the account whose feed has about 20 KB compressed, and of that with about 1 MB: a whole segment. */
export const SMALL = 11;
export const LARGE = 500;

export const PASSWORD = 'bench';

/** Documents per transaction. */
const AT_ONCE = 1_000;

/** Properties of the account with long texts in ten languages, and its code. */
const LONG = 2_000;
export const LONG_CODE = 'LONG';

/** The code of the account with this many properties. */
export function accountCode(properties: number): string {
  return `B${properties}`;
}

/** Creates accounts of these sizes. */
export async function loadAccounts(db: D1Database, sizes: readonly number[]): Promise<void> {
  for (const size of sizes) await loadAccount(db, accountCode(size), portfolio(size));
}

/** Creates the account whose properties have long texts in ten languages. */
export async function loadLongTexts(db: D1Database): Promise<void> {
  await loadAccount(db, LONG_CODE, portfolio(LONG, 'long'));
}

export async function loadAccount(
  db: D1Database,
  code: string,
  portfolio: Iterable<PortfolioDocument>,
): Promise<void> {
  const id = await createAccount(db, { code, name: `Bench ${code}`, password: PASSWORD });
  const documents = [...portfolio];
  // In the meantime workerd has closed its idle connection, and this process has yet to notice.
  await setTimeout(100);
  for (let start = 0; start < documents.length; start += AT_ONCE) {
    await store(db, id, documents.slice(start, start + AT_ONCE));
  }
}
