import { env } from 'cloudflare:workers';
import fc, { type Arbitrary } from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAccount } from '../../../src/operator/accounts.ts';
import type { PortfolioDocument } from '../../../src/properties/documents.ts';
import { store } from '../../support/accounts/portfolio.ts';
import { fetchFeed, fetchKyero } from '../../support/documents/feed.ts';
import { expectedRecords, type FeedNode, recordsRead } from '../../support/documents/oracle.ts';
import type { XmlElement } from '../../support/documents/xml.ts';
import { kyeroParameters, PARAMETER_NAMES, parameters, portfolio, queryOf } from './arbitraries.ts';
import { tryCases } from './budget.ts';

type Given = Parameters<typeof queryOf>[0];
type Query = Readonly<Record<string, string>>;

const DIFFERENT = 'The Worker and test/support/documents/oracle.ts write different feeds';

let accounts = 0;

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

test('the oracle looks at every parameter', () => {
  const seen = new Set<string | symbol>();
  const query = new Proxy({}, { get: (_, name) => void seen.add(name) });
  expectedRecords([], query);
  const ignored = PARAMETER_NAMES.filter((name) => !seen.has(name));
  expect(ignored, 'Let test/support/documents/oracle.ts apply these').toEqual([]);
});

/** Checks the responses to random parameters for random portfolios. */
async function checkFeeds(
  given: Arbitrary<Given>,
  check: (
    documents: readonly PortfolioDocument[],
    query: Query,
    login: { U: string; P: string },
  ) => Promise<void>,
): Promise<void> {
  const counts = { cases: 0 };
  const property = fc.asyncProperty(
    portfolio,
    fc.array(given, { minLength: 1, maxLength: 6, size: 'max' }),
    async (documents, parameterSets) => {
      const code = `P${++accounts}`;
      const id = await createAccount(env.DB, { code, name: code, password: 'secret' });
      await store(env.DB, id, documents);
      for (const one of parameterSets) {
        await check(documents, queryOf(one), { U: `OWNPROPERTIES@${code}`, P: 'secret' });
        counts.cases += documents.filter(({ kind }) => kind === 'property').length;
      }
    },
  );
  await tryCases(property, counts, 5);
  console.log(`${counts.cases} cases of a property in a feed, seed ${env.FUZZ.seed}`);
}

test(
  `GET of any portfolio with any parameters: a valid feed with the stored values (seed ${env.FUZZ.seed})`,
  {
    timeout: 0,
  },
  () =>
    checkFeeds(parameters, async (documents, query, login) => {
      const { status, document } = await fetchFeed({ ...login, ...query });
      expect([status, document.textOf('resalesonline/feed_version')]).toEqual([
        200,
        query.FV ?? '1',
      ]);
      const expected = expectedRecords(documents, query);
      expect(recordsRead(document, expected), DIFFERENT).toEqual(expected);
    }),
);

test(
  `GET of any portfolio as Kyero: a valid feed with the stored values (seed ${env.FUZZ.seed})`,
  {
    timeout: 0,
  },
  () =>
    checkFeeds(kyeroParameters, async (documents, query, login) => {
      const { status, document } = await fetchKyero({ ...login, ...query });
      expect(status).toBe(200);
      const { Language: _, IC: __, ShortTerm, Extended: ___, ...filters } = query;
      const expected = expectedRecords(documents, { ...filters, FV: '3', AR: 'TRUE' }, true)
        .map(kyeroFactsOf)
        .filter(({ period }) => period !== 'week' || ShortTerm === 'TRUE');
      expect(document.all('property').map(factsOf), DIFFERENT).toEqual(expected);
    }),
);

/** What a Kyero record states that a record of the other format does too. An identifier that is too long ends in a digest. */
function factsOf(record: XmlElement) {
  const text = (path: string) => record.textOf(path) ?? '';
  return {
    id: [...text('id')].slice(0, 30).join(''),
    period: text('price_freq'),
    price: Number(text('price')),
    beds: Number(text('beds')),
    baths: Number(text('baths')),
    pool: text('pool'),
    town: text('town'),
    built: text('surface_area/built'),
  };
}

/** The same of a record of version 3 with a record for each offer, as Kyero can express it. */
function kyeroFactsOf(record: readonly FeedNode[]): ReturnType<typeof factsOf> {
  const nodes = new Map(record.map(([name, content]) => [name, content]));
  const price = Math.round(Number(nodes.get('price')));
  const areas = new Map(
    (nodes.get('surface_area') as readonly FeedNode[] | undefined)?.map(([name, area]) => [
      name,
      area,
    ]),
  );
  return {
    id: [...String(nodes.get('id'))].slice(0, 30).join(''),
    period: String(nodes.get('price_freq')),
    price: ['EUR', 'GBP', 'USD'].includes(String(nodes.get('currency'))) ? price : 0,
    beds: Number(nodes.get('beds')),
    baths: Number(nodes.get('baths')),
    pool: String(nodes.get('has_pool')),
    town: String(nodes.get('town')) || '-',
    built: String(areas.get('built') ?? ''),
  };
}
