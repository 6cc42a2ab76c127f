import type { PortfolioDocument } from '../../portfolio/documents.ts';
import { clientQuery, type NewClient } from '../accounts/clients.ts';
import { portfolioStatements } from '../portfolio/statements.ts';
import { type NewReader, readerQueries } from '../readers/readers.ts';
import { accountStatement, type NewAccount, nextAccountId } from './accounts.ts';
import { toStatement } from './to-statement.ts';

/** An agency with its initial data. */
export interface NewAgency {
  readonly account: NewAccount;
  readonly clients: readonly Omit<NewClient, 'accountId'>[];
  readonly readers: readonly Omit<NewReader, 'accountId'>[];
  readonly documents: readonly PortfolioDocument[];
}

/** Creates an account with its clients, its readers and its complete portfolio in one transaction, and returns its id. */
export async function openAgency(db: D1Database, { account, clients, readers, documents }: NewAgency): Promise<number> {
  const id = await nextAccountId(db);
  await db.batch([
    await accountStatement(db, id, account),
    ...clients.map((client) => toStatement(db, clientQuery(db, { ...client, accountId: id }))),
    ...readers.flatMap((reader) =>
      readerQueries(db, { ...reader, accountId: id }).map((query) => toStatement(db, query)),
    ),
    ...portfolioStatements(db, id, documents),
  ]);
  return id;
}
