import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Agency, createAgency } from '../../support/accounts/agency.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { page, signIn, textOf } from './visitor.ts';

const TOWN = 'Urbanización Las Chumberas de la Costa 100%_neta de Torremolinos';

let agency: Agency;
let cookie: string;

beforeAll(async () => {
  agency = await createAgency(env.DB, 'CARDS', []);
  await store(env.DB, agency.accountId, [
    property('LONG', { town: TOWN }),
    property('UNDER_SCORE', {}),
    property('UNDERLSCORE', {}),
    property('REQUEST', { offers: { sale: { price: null } } }),
    property('ZERO', { offers: { sale: { price: 0 } } }),
    property('RENT', { offers: { long_term: { rent: 1_200 } } }),
    property('WEEKS', { offers: { short_term: { low: 700, high: 950 } } }),
    property('ALL', { offers: { sale: { price: 345_000 }, long_term: { rent: 1_500 } } }),
    property('PICTURES', {
      pictures: [1, 2, 3, 4, 5].map((number) => `https://pictures.example/${number}.jpg`),
      texts: { uk: { description: 'A <b>quiet</b> house', url: 'https://page.example/' } },
    }),
  ]);
  cookie = await signIn('CARDS');
});

/** The cards of a page as text, by the identifier of their property. */
async function cardsOf(
  query: string,
  session = cookie,
  language = 'en',
): Promise<Record<string, string>> {
  const text = textOf(await page(`/feed?${query}`, session, { 'Accept-Language': language }));
  const cards = [...text.matchAll(/<article.*?<\/article>/gs)].map(([card]) => {
    const [, id] = /;record=([^"&#]*)#/.exec(card) ?? [];
    return [id, card.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')] as const;
  });
  return Object.fromEntries(cards);
}

describe('GET /feed?find=…', () => {
  test.each([
    ['a text of more than 48 bytes', TOWN, ['LONG']],
    ['that text in capital letters', TOWN.toUpperCase().replace('Ó', 'ó'), ['LONG']],
    ['a percent sign', '100%_neta', ['LONG']],
    ['a lone percent sign', '%', ['LONG']],
    ['an underscore', 'under_score', ['UNDER_SCORE']],
    ['a backslash', '\\', []],
  ])('with %s: the properties that contain it', async (_, find, expected) => {
    expect(Object.keys(await cardsOf(new URLSearchParams({ FV: '3', find }).toString()))).toEqual(
      expected,
    );
  });
});

test('GET /feed?find=… and ?record=…: the heading still says what the whole feed lists', async () => {
  for (const query of ['FV=3', 'FV=3&find=under_score', 'FV=3&find=nothing', 'FV=3&record=RENT']) {
    expect(textOf(await page(`/feed?${query}`, cookie))).toContain(
      '<h1>This feed lists 9 properties</h1>',
    );
  }
});

test('GET /feed of an account without properties: says that the feed is empty, and not that a search found nothing', async () => {
  await createAgency(env.DB, 'EMPTY', []);
  const empty = textOf(await page('/feed', await signIn('EMPTY')));
  expect([empty.includes('This feed is empty'), empty.includes('No record matches')]).toEqual([
    true,
    false,
  ]);
  expect(textOf(await page('/feed?find=nothing', cookie))).toContain('No record matches');
});

test('GET /feed with a value that is not allowed: 422 that says why at its field as well', async () => {
  const { status, text } = await page('/feed?FV=3&IC=5000', cookie);
  expect([status, /id="IC-error">Enter a whole number from 0 to 999\./.test(text)]).toEqual([
    422,
    true,
  ]);
});

describe('a card', () => {
  test.each([
    ['FV=3', 'ZERO'],
    ['FV=3', 'REQUEST'],
    ['format=kyero', 'ZERO'],
    ['format=kyero', 'REQUEST'],
  ])('of %s: the price of %s is on request', async (query, id) => {
    expect((await cardsOf(query))[id]).toContain('Price on request');
    expect((await cardsOf(query, cookie, 'es'))[id]).toContain('Precio a consultar');
    expect((await cardsOf(query))[id]).not.toContain('€');
  });

  test('of a rental: the period of its price, in both languages', async () => {
    const [english, spanish] = await Promise.all([cardsOf('FV=3'), cardsOf('FV=3', cookie, 'es')]);
    expect(english.RENT).toContain('€1,200 a month');
    expect(english.WEEKS).toContain('€700 – €950 a week');
    expect(spanish.RENT).toContain('1.200 € al mes');
    expect(spanish.WEEKS).toContain('700 € – 950 € a la semana');
    expect(english.ALL).toMatch(/€345,000 .*€1,500 a month/);
  });

  test('of a feed for sale: no rent', async () => {
    const cards = await cardsOf('FV=3&T=SALE');
    expect(cards.ALL).toContain('€345,000');
    expect(cards.ALL).not.toContain('month');
    expect(cards.RENT).toBeUndefined();
  });

  test('four pictures, each with a text for those who cannot see it, and a description without its address', async () => {
    const text = textOf(await page('/feed?format=kyero&find=PICTURES', cookie));
    expect(
      [...text.matchAll(/<img (?:class="cover" )?src="([^"]*)" alt="([^"]*)"/g)].map(
        ([, ...found]) => found,
      ),
    ).toEqual(
      [1, 2, 3, 4].map((number) => [
        `https://pictures.example/${number}.jpg`,
        number === 1 ? 'House – Detached Villa, R-PICTURES' : `Picture ${number}, R-PICTURES`,
      ]),
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '<p lang="en" class="small">A &lt;b&gt;quiet&lt;/b&gt; house</p>',
    );
    expect((await page('/feed', cookie)).headers.get('Content-Security-Policy')).toContain(
      "img-src 'self' data: https: http:",
    );
    expect((await page('/report', cookie)).headers.get('Content-Security-Policy')).toContain(
      "img-src 'self' data:;",
    );
  });

  test('of one property: its records as XML, and a link to the schema', async () => {
    for (const [query, schema] of [
      ['FV=1', 'feed-v1.xsd'],
      ['FV=3', 'feed-v3.xsd'],
      ['format=kyero', 'kyero.xsd'],
    ]) {
      const text = textOf(await page(`/feed?${query}&record=ALL`, cookie));
      expect(text).toContain(`href="/schemas/${schema}"`);
      expect(text).toContain('&lt;ref&gt;R-ALL&lt;/ref&gt;');
    }
  });
});

describe('the form of the parameters', () => {
  test('has labels in words, in both languages, with technical names only where they are advanced, and the languages of the format', async () => {
    const [english, spanish] = await Promise.all(
      ['en', 'es'].map(async (language) =>
        textOf(await page('/feed?format=kyero', cookie, { 'Accept-Language': language })),
      ),
    );
    for (const text of [english, spanish]) {
      const [usual, advanced] = text!.split('<details>').slice(-2);
      expect(usual).toContain('<label for="IC">');
      expect(usual).not.toContain('<code>');
      expect(advanced).toMatch(/<label for="Extended">.*?<code>Extended<\/code>/s);
    }
    expect(english).not.toContain('Máximo de fotos por inmueble');
    expect(spanish).toContain('Máximo de fotos por inmueble');
    const resales = textOf(await page('/feed', cookie));
    expect(
      [english, resales].map((text) => [text?.includes('Catalan'), text?.includes('Polish')]),
    ).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test("of a reader with a preset: the preset's values instead of the defaults, and they can be changed", async () => {
    const key = await openReader(agency.accountId, 'portal', 'FV=3&T=SALE&IC=7&Language=1,3');
    const session = await signIn('CARDS', key);
    const text = textOf(await page('/feed', session));
    expect(text).toMatch(/<select [^>]*name="T"[^>]*><option value=""[^>]*>Already set: /);
    expect(text).toMatch(/<input [^>]*placeholder="7"[^>]*name="IC"/);
    expect(text).toMatch(/Already set: English, German/);
    expect((await cardsOf('', session)).RENT).toBeUndefined();
    expect((await cardsOf('T=RENT', session)).RENT).toContain('a month');
  });
});
