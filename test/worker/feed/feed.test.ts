import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../../src/operator/accounts.ts';
import { DEMO as DEMO_AGENCY, OTHER } from '../../support/accounts/demo.ts';
import { openAccount, PASSWORD } from '../../support/accounts/open-account.ts';
import { store } from '../../support/accounts/portfolio.ts';
import { type FeedResponse, fetchFeed } from '../../support/documents/feed.ts';
import {
  expectedRecords,
  type FeedParameters,
  recordsRead,
} from '../../support/documents/oracle.ts';

const DEMO = { U: 'OWNPROPERTIES@DEMO', P: PASSWORD };

const demo = DEMO_AGENCY.documents;

/** Text that needs escaping, or that XML cannot represent. */
const AWKWARD = [
  'Terms & conditions: "plot" > 500 m² and <b>not</b> \'rustic\'.',
  'As the deed has it: ]]> & so on &amp; so forth.',
  'First line\r\nsecond line\rthird line\n\tindented.',
  'Control characters \u0000\u0001\u0008\u000b\u001f and \ufffe\uffff that no document may hold.',
  'Sun ☀️, beach 🏖️ and a family 👨‍👩‍👧‍👦 under one roof 🏡.',
];

/**
 * The demo agency with its first 60 properties, which are enough for each parameter to make a difference: see below. Some
 * have awkward texts.
 */
const portfolio = [
  ...demo.filter(({ kind }) => kind !== 'property'),
  ...demo
    .filter((document) => document.kind === 'property')
    .slice(0, 60)
    .map((document, index) => {
      const description = AWKWARD[index];
      if (description === undefined) return document;
      return {
        ...document,
        texts: { ...document.texts, uk: { title: null, description, url: null } },
      };
    }),
];

beforeAll(async () => {
  await store(env.DB, await openAccount(env.DB, 'DEMO'), portfolio);
  const other = await createAccount(env.DB, { code: 'OTHER', name: 'Other', password: 'other' });
  await store(env.DB, other, OTHER.documents);
});

async function demoFeed(
  query: Readonly<Record<string, string | number>> = {},
): Promise<FeedResponse> {
  const response = await fetchFeed({ ...DEMO, ...query });
  expect(response.status).toBe(200);
  return response;
}

/** Requests a feed and compares it with the records that the oracle expects. */
async function checkedFeed(query: FeedParameters): Promise<FeedResponse> {
  const response = await demoFeed(query as Record<string, string>);
  expect(toLines(recordsRead(response.document))).toEqual(
    toLines(expectedRecords(portfolio, query)),
  );
  return response;
}

/** One line of JSON per record, because lines are compared far faster than trees. */
function toLines(records: readonly unknown[]): string[] {
  return records.map((record) => JSON.stringify(record));
}

test('GET without FV: version 1, although the script is called V3', async () => {
  expect((await demoFeed()).document.textOf('resalesonline/feed_version')).toBe('1');
});

const FLAGS = `
  NW DisplayListingDate ST AR ARP NPT ER_Show ER_ShowAll ShowRTA ExRented OnlyAvailable CS
`
  .trim()
  .split(/\s+/);

const EVERY_VALUE: FeedParameters[] = [
  {},
  ...['1', '2', '3'].map((FV) => ({ FV })),
  ...['SALE', 'RENT', 'All'].flatMap((T) => ['1', '3'].map((FV) => ({ T, FV }))),
  ...['1,2', '3,5', '4,9', '6,8', '7,10'].map((Language) => ({ Language, FV: '3' })),
  { Language: '10,9,8,7,6,5,4,3,2,1', FV: '3' },
  ...['0', '1', '10', '999'].map((IC) => ({ IC })),
  ...['0', '1', '2', 'TRUE', 'FALSE'].map((VT) => ({ VT })),
  ...['0', '1'].map((VT) => ({ VT, FV: '3' })),
  ...FLAGS.flatMap((name) => ['1', '3'].map((FV) => ({ [name]: 'TRUE', FV }))),
  ...['1', '2', '3'].map((FV) => ({
    ...Object.fromEntries(FLAGS.map((name) => [name, 'FALSE'])),
    FV,
  })),
  { AR: 'TRUE', ARP: 'TRUE', ShowRTA: 'TRUE', T: 'RENT', FV: '3' },
  { AR: 'TRUE', ARP: 'TRUE', ShowRTA: 'TRUE', T: 'SALE' },
  { AR: 'TRUE', ARP: 'TRUE', ShowRTA: 'TRUE' },
  // What a public reader sends for its neighbourhoods and yearly costs.
  { FV: '2', LocationVersion: '2', Language: '1', IC: '20', CS: 'TRUE', NPT: 'TRUE' },
];

describe('GET with every value of every parameter: the records that the oracle expects', () => {
  test.each(
    EVERY_VALUE.map(
      (query) => [new URLSearchParams(query as Record<string, string>).toString(), query] as const,
    ),
  )('?%s', async (_, query) => {
    await checkedFeed(query);
  });
});

test('GET of text with special characters: escaped, without the characters that XML forbids', async () => {
  const { xml } = await checkedFeed({ FV: '3', Language: '1,2,3,4,5,6,7,8,9,10', IC: '0' });
  for (const sign of [
    '&amp;',
    '&lt;',
    '&gt;',
    '&quot;',
    '&apos;',
    ']]&gt;',
    '&#13;\n',
    'ñ',
    'ß',
    'ø',
    'Ж',
    'ł',
  ]) {
    expect(xml, sign).toContain(sign);
  }
  expect(portfolio.some((document) => JSON.stringify(document).includes('\\u0001'))).toBe(true);
  expect(xml).not.toContain('<![CDATA[');
  expect(xml).not.toMatch(/<property [^>]*>/);
});

test('GET by two agencies with the same identifiers: each gets its own records', async () => {
  const other = await fetchFeed({ U: 'OWNPROPERTIES@OTHER', P: 'other', FV: 3 });
  expect(recordsRead(other.document)).toEqual(expectedRecords(OTHER.documents, { FV: '3' }));
  expect((await fetchFeed({ U: 'OWNPROPERTIES@OTHER', P: PASSWORD })).status).toBe(401);
  expect((await fetchFeed({ U: 'OWNPROPERTIES@DEMO', P: 'other' })).status).toBe(401);
});
