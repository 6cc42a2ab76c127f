import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAccount } from '../../../src/db/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio.ts';
import { fetchFeed } from '../../support/feed.ts';
import { parameters, portfolio, queryOf } from './arbitraries.ts';
import { tryCases } from './budget.ts';
import { expectedRecords, type FeedNode, nodeOf, SOME_TIME } from './expected.ts';

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

test(`any portfolio that the database takes, with any parameters → a valid feed that reads back as it was stored (seed ${env.FUZZ.seed})`, {
  timeout: 0,
}, async () => {
  const tally = { cases: 0 };
  let accounts = 0;
  const property = fc.asyncProperty(
    portfolio,
    fc.array(parameters, { minLength: 1, maxLength: 6, size: 'max' }),
    async (documents, parameterSets) => {
      const account = `P${++accounts}`;
      const id = await createAccount(env.DB, { code: account, name: account, password: 'secret' });
      await writePortfolio(env.DB, id, documents);
      for (const given of parameterSets) {
        const { status, document } = await fetchFeed({ U: `OWNPROPERTIES@${account}`, P: 'secret', ...queryOf(given) });
        expect(status).toBe(200);
        expect(document.textOf('resalesonline/feed_version')).toBe(String(given.FV ?? 1));
        const expected = expectedRecords(documents, given);
        const records = document.all('property').map((record) => record.children.map(nodeOf));
        expect(records.length).toBe(expected.length);
        records.forEach((record, index) => {
          expect(withTimeOpen(record, expected[index]!)).toEqual(expected[index]);
        });
        tally.cases += documents.filter((written) => written.kind === 'property').length;
      }
    },
  );
  await tryCases(property, tally, 25);
  console.log(`${tally.cases} cases of a property in a feed, ${accounts} portfolios, seed ${env.FUZZ.seed}`);
});

/** A record as it was read, with its time of last update left open where that of the expected one is. */
function withTimeOpen(record: readonly FeedNode[], expected: readonly FeedNode[]): readonly FeedNode[] {
  const open = expected.some(([name, content]) => name === 'last_updated' && content === SOME_TIME);
  return open ? record.map((node) => (node[0] === 'last_updated' ? ['last_updated', SOME_TIME] : node)) : record;
}
