import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { checkAccount } from '../../../../src/api/report/load.ts';
import { readPages } from '../../../../src/db/feed/feed-properties.ts';
import { setPrice } from '../../../support/accounts/sparse.ts';
import { watched } from '../../../support/worker/ask.ts';
import { account, feed, feedWithFreshManifest, pricesIn, useAccount } from './account.ts';

const NUMBERS = Array.from({ length: 25 }, (_, index) => index + 1);
const LANGUAGES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

useAccount(NUMBERS);

/** Gives properties texts of 20,000 bytes in ten languages: 5 MB, which are three pages. */
async function writeLongTexts(): Promise<void> {
  await env.DB.prepare(
    `INSERT OR REPLACE INTO property_texts (id, description)
     SELECT p.id * 128 + json_each.value, p.sequence_number || ' ' || printf('%.*c', 20000, 'x')
       FROM properties p, json_each(?2) WHERE p.account_id = ?1`,
  )
    .bind(account.id, JSON.stringify(LANGUAGES))
    .run();
}

/** The properties in a feed, by the number that begins their English text. */
function numbersIn(xml: string): number[] {
  return [...xml.matchAll(/<description><uk>(\d+) x+<\/uk>/g)].map(([, number]) => Number(number));
}

test.each([
  ['', 'gzip', NUMBERS],
  ['DisplayListingDate=TRUE&', 'identity', NUMBERS.toSorted((a, b) => (b % 7) - (a % 7) || b - a)],
])(
  'GET ?%s of a segment of long texts, with %s: each property once, in order; then a hit',
  async (query, encoding, numbers) => {
    await writeLongTexts();
    const request = [`${query}Language=${LANGUAGES}`, { headers: { 'Accept-Encoding': encoding } }] as const;
    const built = await feed(...request);
    expect(numbersIn(built.text)).toEqual(numbers);
    const again = await feedWithFreshManifest(...request);
    expect(again.headers.get('Cache-Status')).toContain('; hit;');
    expect(again.text).toBe(built.text);
  },
);

test('a segment of long texts: read by statements of at most 2 MB and one property', async () => {
  await writeLongTexts();
  const selection = { category: 'All', onWebsites: false, withoutRented: false, availableOnly: false } as const;
  const columns = { furtherFields: [], withAddresses: false };
  const sizes: number[] = [];
  const pages = readPages(env.DB, account.id, { segment: 0 }, { ...selection, languages: LANGUAGES }, columns, null);
  for await (const { rows } of pages) sizes.push(rows.length);
  expect(sizes).toEqual([11, 11, 3]);
});

test('GET with a change between two pages: the part is read again, so that it shows one state', async () => {
  await writeLongTexts();
  let pages = 0;
  const bindings = watched(async ({ what }) => {
    if (what.includes('WITH page') && ++pages === 2) await setPrice(account.id, 1, 777);
  });
  const response = await feed(`Language=${LANGUAGES}`, {}, bindings);
  expect(pages).toBe(6);
  expect(pricesIn(response)[0]).toBe('777');
  expect((await feedWithFreshManifest(`Language=${LANGUAGES}`)).text).toBe(response.text);
});

test('GET with a change between two pages of every attempt: a feed that is not cached', async () => {
  await writeLongTexts();
  let price = 1_000;
  const bindings = watched(async ({ what }) => {
    if (what.includes('WITH page')) await setPrice(account.id, 1, ++price);
  });
  const response = await feed(`Language=${LANGUAGES}`, {}, bindings);
  expect(numbersIn(response.text)).toEqual(NUMBERS);
  expect(response.headers.get('ETag')).toMatch(/^W\//);
  expect((await feedWithFreshManifest(`Language=${LANGUAGES}`)).headers.get('Cache-Status')).not.toContain('; hit;');
});

test('a report on long texts: on every page', async () => {
  await writeLongTexts();
  expect((await checkAccount(env.DB, account.id, [0])).length).toBe(3);
});
