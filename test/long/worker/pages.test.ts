import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readPages } from '../../../src/feed/build/feed-properties.ts';
import { checkAccount } from '../../../src/rules/report/load.ts';
import { setPrice } from '../../support/accounts/sparse.ts';
import { watched } from '../../support/worker/ask.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  pricesIn,
  useAccount,
} from '../../worker/feed/snapshots/account.ts';

const NUMBERS = Array.from({ length: 25 }, (_, index) => index + 1);
const LANGUAGES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const ELEMENTS = ['uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no'];

useAccount(NUMBERS);

/** Gives properties texts of 40,000 bytes in ten languages: 10 MB, which are three pages. */
async function writeLongTexts(): Promise<void> {
  await env.DB.prepare(
    `UPDATE properties
        SET texts = (SELECT json_group_object(value, json_object('description', number || ' ' || printf('%.*c', 40000, 'x')))
                       FROM json_each(?2))
      WHERE account_id = ?1`,
  )
    .bind(account.id, JSON.stringify(ELEMENTS))
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
    const request = [
      `${query}Language=${LANGUAGES}`,
      { headers: { 'Accept-Encoding': encoding } },
    ] as const;
    const built = await feed(...request);
    expect(numbersIn(built.text)).toEqual(numbers);
    const again = await feedWithFreshManifest(...request);
    expect(again.headers.get('Cache-Status')).toContain('; hit;');
    expect(again.text).toBe(built.text);
  },
);

test('a segment of long texts: read by statements of at most 4 MB', async () => {
  await writeLongTexts();
  const selection = {
    category: 'All',
    onWebsites: false,
    withoutRented: false,
    availableOnly: false,
  } as const;
  const needs = { withAddresses: false };
  const reading = {
    accountId: account.id,
    selection: { ...selection, languages: LANGUAGES },
    needs,
    channel: null,
  };
  const sizes: number[] = [];
  for await (const { read } of readPages(env.DB, reading, { segment: 0 }))
    sizes.push(read.rows.length);
  expect(sizes).toEqual([10, 10, 5]);
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
  expect(
    (await feedWithFreshManifest(`Language=${LANGUAGES}`)).headers.get('Cache-Status'),
  ).not.toContain('; hit;');
});

test('a report on long texts: on every page', async () => {
  await writeLongTexts();
  expect((await checkAccount(env.DB, account.id, [0])).length).toBe(3);
});
