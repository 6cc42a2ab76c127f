import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { fetchKyero } from '../../support/kyero-feed.ts';
import { expectedKyeroRecords, KYERO_NUMBERS } from '../../support/kyero-oracle.ts';
import { recordsRead } from '../../support/oracle.ts';
import { kyeroParameters, portfolio, queryOf } from './arbitraries.ts';
import { tryCases } from './budget.ts';

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

test(`GET of any portfolio as Kyero: a valid feed with the stored values (seed ${env.FUZZ.seed})`, {
  timeout: 0,
}, async () => {
  const tally = { cases: 0 };
  let accounts = 0;
  const property = fc.asyncProperty(
    portfolio,
    fc.array(kyeroParameters, { minLength: 1, maxLength: 6, size: 'max' }),
    async (documents, parameterSets) => {
      const account = `K${++accounts}`;
      const id = await createAccount(env.DB, { code: account, name: account, password: 'secret' });
      await writePortfolio(env.DB, id, documents);
      for (const given of parameterSets) {
        const query = queryOf(given);
        const { status, document } = await fetchKyero({ U: `OWNPROPERTIES@${account}`, P: 'secret', ...query });
        expect(status).toBe(200);
        const expected = expectedKyeroRecords(documents, query);
        const records = recordsRead(document, expected, KYERO_NUMBERS);
        expect(records.length).toBe(expected.length);
        records.forEach((record, index) => {
          expect(withoutLongId(record)).toEqual(withoutLongId(expected[index]!));
        });
        tally.cases += documents.filter((written) => written.kind === 'property').length;
      }
    },
  );
  await tryCases(property, tally, 5);
  console.log(`${tally.cases} cases of a property in a Kyero feed, ${accounts} portfolios, seed ${env.FUZZ.seed}`);
});

/** An identifier that is too long for the format ends in a digest. */
function withoutLongId(record: ReturnType<typeof expectedKyeroRecords>[number]) {
  return record.map((node) => (node[0] === 'id' ? ['id', [...String(node[1])].slice(0, 30).join('')] : node));
}
