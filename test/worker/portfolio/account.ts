import { env } from 'cloudflare:workers';
import { documentKey, type PortfolioDocument } from '../../../src/properties/documents.ts';
import { readStored } from '../../../src/properties/store/read.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { store, VOCABULARY } from '../../support/accounts/portfolio.ts';

let accounts = 0;

/** Opens an account with the vocabulary of properties. */
export async function newAccount(): Promise<number> {
  const id = await openAccount(env.DB, `PORTFOLIO${++accounts}`);
  await store(env.DB, id, VOCABULARY);
  return id;
}

/** What an account has stored of a document. */
export async function storedIn<D extends PortfolioDocument>(
  accountId: number,
  document: D,
): Promise<D> {
  return (await readStored(env.DB, accountId, [document])).get(documentKey(document)) as D;
}
