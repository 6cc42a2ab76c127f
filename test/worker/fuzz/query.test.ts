import { env } from 'cloudflare:workers';
import fc, { type Arbitrary } from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAccount } from '../../../src/operator/accounts.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { parameters, queryOf, text } from './arbitraries.ts';
import { tryCases } from './budget.ts';

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

const NAMES = [
  ...[
    'U',
    'P',
    'NW',
    'T',
    'DisplayListingDate',
    'FV',
    'Language',
    'ST',
    'AR',
    'ARP',
    'IC',
    'NPT',
    'ER_Show',
  ],
  ...['ER_ShowAll', 'ShowRTA', 'VT', 'ExRented', 'OnlyAvailable'],
];
const VALUES = [
  ...[
    'TRUE',
    'FALSE',
    'true',
    'False',
    'SALE',
    'RENT',
    'All',
    'all',
    '0',
    '1',
    '2',
    '3',
    '4',
    '10',
    '999',
    '1000',
  ],
  ...[
    '-1',
    '1,2',
    '1,2,3',
    '10,1',
    '11',
    '1,,2',
    '01',
    '1.0',
    '1e0',
    '',
    ' ',
    ' 1 ',
    'null',
    '%',
    '%zz',
    '%00',
    '+',
    '１',
  ],
];

/** A name or value as it appears in a URL: escaped, or with the unescaped characters of a careless client. */
function written(piece: Arbitrary<string>): Arbitrary<string> {
  return fc.oneof(
    piece.map(encodeURIComponent),
    piece.map((raw) => raw.replace(/[&=#]/g, '')),
  );
}

const name = fc.oneof(
  { weight: 8, arbitrary: fc.mixedCase(fc.constantFrom(...NAMES.slice(2))) },
  { weight: 1, arbitrary: written(text(0, 40)) },
);
const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 1, arbitrary: written(text(0, 200)) },
);
/** Parameters that are allowed, each in any letter case. */
const rightPairs = parameters.chain((given) =>
  fc.tuple(
    ...Object.entries(queryOf(given)).map((pair) => fc.mixedCase(fc.constant(pair.join('=')))),
  ),
);

const pair = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(name, value).map(([key, given]) => `${key}=${given}`) },
  { weight: 1, arbitrary: written(text(0, 40)) },
);
const login = fc.oneof(
  { weight: 30, arbitrary: fc.constant(['U=OWNPROPERTIES@Q', 'P=secret']) },
  { weight: 1, arbitrary: fc.constant(['u=ownproperties%40q', 'p=secret']) },
  {
    weight: 1,
    arbitrary: fc.array(fc.tuple(fc.constantFrom('U', 'P'), value).map((parts) => parts.join('='))),
  },
);

test(`GET with any query string: a valid feed or a valid error document (seed ${env.FUZZ.seed})`, {
  timeout: 0,
}, async () => {
  const account = await createAccount(env.DB, { code: 'Q', name: 'Q', password: 'secret' });
  await store(env.DB, account, [
    ...VOCABULARY,
    property('sale', { features: ['Sea'], pictures: ['https://pictures.example/1.jpg'] }),
    property('rental', {
      offers: { long_term: { rent: 900 }, short_term: { low: 1, high: 2, license: 'VFT' } },
    }),
  ]);
  const counts = { cases: 0 };
  const responses = new Map<number, number>();
  const queries = fc.asyncProperty(
    login,
    fc.oneof(
      { weight: 4, arbitrary: rightPairs },
      { weight: 1, arbitrary: fc.array(pair, { maxLength: 6 }) },
    ),
    fc.nat(),
    async (credentials, pairs, place) => {
      const query = (pairs as string[])
        .toSpliced(place % (pairs.length + 1), 0, ...credentials)
        .join('&');
      const { status } = await fetchFeed(query);
      expect([200, 400, 401, 429], query).toContain(status);
      responses.set(status, (responses.get(status) ?? 0) + 1);
      counts.cases++;
    },
  );
  await tryCases(queries, counts, 200);
  expect(responses.get(200), 'feeds').toBeGreaterThan(counts.cases / 10);
  expect(responses.get(400), 'errors').toBeGreaterThan(counts.cases / 10);
  console.log(
    `${counts.cases} queries, seed ${env.FUZZ.seed}: ${JSON.stringify(Object.fromEntries(responses))}`,
  );
});
