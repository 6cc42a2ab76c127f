import { documentKey, type PortfolioDocument } from '../../../portfolio/documents.ts';
import { readStored } from './read.ts';

/** Documents read at a time, which bounds the memory they take. */
const PAGE = 200;

/**
 * The keys of an account's documents, a page at a time: parameters 1 to 3 are the account, the position to continue after,
 * and the length of a page. Vocabulary comes before what refers to it, and properties in the order of their sequence
 * numbers, so that a copy written in this order has the same feeds.
 */
const KEYS: readonly { readonly kind: PortfolioDocument['kind']; readonly sql: string }[] = [
  {
    kind: 'type',
    sql: 'SELECT id AS position, code FROM property_types WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3',
  },
  {
    kind: 'category',
    sql: 'SELECT id AS position, code FROM feature_categories WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3',
  },
  {
    kind: 'feature',
    sql: 'SELECT id AS position, code FROM features WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3',
  },
  {
    kind: 'development',
    sql: `SELECT id AS position, identifier AS id FROM developments
           WHERE account_id = ?1 AND developments.id > ?2 ORDER BY position LIMIT ?3`,
  },
  {
    kind: 'unit',
    sql: `SELECT u.id AS position, v.identifier AS development, u.name
            FROM units u JOIN developments v ON v.id = u.development_id
           WHERE u.account_id = ?1 AND u.id > ?2 ORDER BY u.id LIMIT ?3`,
  },
  {
    kind: 'property',
    sql: `SELECT sequence_number AS position, identifier AS id FROM properties
           WHERE account_id = ?1 AND sequence_number > ?2 ORDER BY sequence_number LIMIT ?3`,
  },
];

/**
 * An account's whole portfolio, document by document, each after those that it refers to. Each page is of one moment; what
 * changes in the meantime is given in its old or its new state.
 */
export async function* exportPortfolio(db: D1Database, accountId: number): AsyncGenerator<PortfolioDocument> {
  for (const { kind, sql } of KEYS) {
    let after = 0;
    for (;;) {
      const { results } = await db.prepare(sql).bind(accountId, after, PAGE).all<{ position: number }>();
      // A document's key is all that is asked for by.
      const keys = results.map((key) => ({ kind, ...key }) as unknown as PortfolioDocument);
      const stored = await readStored(db, accountId, keys);
      for (const key of keys) {
        const document = stored.get(documentKey(key));
        if (document !== undefined) yield document;
      }
      const last = results.at(-1);
      if (last === undefined || results.length < PAGE) break;
      after = last.position;
    }
  }
}
