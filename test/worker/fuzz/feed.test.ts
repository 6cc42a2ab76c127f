import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { fetchFeed } from '../../support/feed.ts';
import { expectedRecords, recordsRead } from '../../support/oracle.ts';
import { parameters, portfolio, queryOf } from './arbitraries.ts';
import { tryCases } from './budget.ts';

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

test(`GET of any portfolio with any parameters: a valid feed with the stored values (seed ${env.FUZZ.seed})`, {
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
        const query = queryOf(given);
        const { status, document } = await fetchFeed({ U: `OWNPROPERTIES@${account}`, P: 'secret', ...query });
        expect(status).toBe(200);
        expect(document.textOf('resalesonline/feed_version')).toBe(query.FV ?? '1');
        const expected = expectedRecords(documents, query);
        const records = recordsRead(document, expected);
        expect(records.length).toBe(expected.length);
        records.forEach((record, index) => {
          expect(record).toEqual(expected[index]);
        });
        tally.cases += documents.filter((written) => written.kind === 'property').length;
      }
    },
  );
  await tryCases(property, tally, 5);
  console.log(`${tally.cases} cases of a property in a feed, ${accounts} portfolios, seed ${env.FUZZ.seed}`);
});
