import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { invalidateManifests } from '../../../src/feed/manifest/manifest-cache.ts';
import { createAccount } from '../../../src/operator/accounts.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { fetchFeed, fetchKyero, kyeroUrl } from '../../support/documents/feed.ts';
import type { XmlElement } from '../../support/documents/xml.ts';
import { ask } from '../../support/worker/ask.ts';

const SMALL = { U: 'OWNPROPERTIES@SMALL', P: 'small' };

beforeAll(async () => {
  const id = await createAccount(env.DB, { code: 'SMALL', name: 'Small', password: 'small' });
  await store(env.DB, id, [...VOCABULARY, property('1'), property('2', { features: ['Sea'] })]);
});

async function kyero() {
  const answer = await fetchKyero(SMALL);
  expect(answer.status).toBe(200);
  return answer;
}

describe('GET at another path', () => {
  test.each(['/KYERO.XML', '/feeds/es/Kyero.xml', '/a/b.asp/kyero.XML'])(
    '%s: 200, the same feed',
    async (path) => {
      const { bytes } = await ask(kyeroUrl(SMALL).replace('/kyero.xml', path));
      expect(bytes).toEqual((await ask(kyeroUrl(SMALL))).bytes);
    },
  );

  test.each(['/kyero.xml/', '/kyero', '/xkyero.xml'])('%s: 404', async (path) => {
    expect((await ask(kyeroUrl(SMALL).replace('/kyero.xml', path))).status).toBe(404);
  });
});

test('GET with a parameter that the format does not have: 400 unsupported_parameter, by its name; empty: 200', async () => {
  const { status, document } = await fetchKyero({ ...SMALL, fv: '3' });
  expect([status, document.textOf('error/code')]).toEqual([400, 'unsupported_parameter']);
  expect(document.textOf('error/message')).toMatch(/^FV /);
  expect((await fetchKyero({ ...SMALL, FV: '' })).status).toBe(200);
});

test.each(['IC=1000', 'T=SALE&T=SALE', 'FV=3&IC=x'])(
  'GET with %s, which is not allowed: 400 bad_parameter',
  async (query) => {
    const { status, document } = await fetchKyero(`U=OWNPROPERTIES@SMALL&P=small&${query}`);
    expect([status, document.textOf('error/code')]).toEqual([400, 'bad_parameter']);
  },
);

test('GET twice, with its ETag, and with another encoding: a hit, a 304, the same document', async () => {
  const first = await kyero();
  const second = await kyero();
  expect(second.headers.get('Cache-Status')).toContain('; hit;');
  expect(second.xml).toBe(first.xml);
  const etag = second.headers.get('ETag')!;
  expect((await fetchKyero(SMALL, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  const gzip = await fetchKyero(SMALL, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(gzip.headers.get('Content-Encoding')).toBe('gzip');
  expect(gzip.xml).toBe(first.xml);
  expect(gzip.headers.get('ETag')).not.toBe(etag);
});

test('GET of both formats: snapshots of their own', async () => {
  await kyero();
  await fetchFeed(SMALL);
  const keys = (await env.SNAPSHOTS.list()).keys.map(({ name }) => name.split('/')[0]!);
  expect(new Set(keys)).toEqual(new Set(['kyero-5', 'resales-7']));
});

describe('GET of values that Kyero cannot express', () => {
  const cases: readonly [string, Parameters<typeof property>[1], string, readonly string[]][] = [
    ['a price in francs: 0', { currency: 'CHF' }, 'price', ['0']],
    ['a price on request: 0', { offers: { sale: { price: null } } }, 'price', ['0']],
    ['no country: Spain', { country: null }, 'country', ['Spain']],
    ['a fraction: rounded', { offers: { sale: { price: 1250.5 } } }, 'price', ['1251']],
    ['no town: -', { town: '' }, 'town', ['-']],
    ['a long country: cut', { country: 'x'.repeat(60) }, 'country', ['x'.repeat(50)]],
    ['baths and a toilet: the baths', { bath: 4.5 }, 'baths', ['4']],
    [
      'a picture without the name of an image: with a fragment',
      { pictures: ['https://p.example/1?v=2', 'data:x', 'https://p.example/2.JPG'] },
      'images/image/url',
      ['https://p.example/1?v=2#.jpg', 'https://p.example/2.JPG'],
    ],
    [
      '60 pictures: 50',
      { pictures: Array.from({ length: 60 }, (_, i) => `https://p/${i}.png`) },
      'images/image',
      Array(50).fill(''),
    ],
    ['a web page of another scheme: none', { texts: { uk: { url: 'ftp://x' } } }, 'url/en', []],
    [
      'a status: a feature',
      { status: 'Sale Agreed', features: ['Sea'] },
      'features/feature',
      ['Sale Agreed', 'Sea Views'],
    ],
  ];

  let records: XmlElement[];

  beforeAll(async () => {
    const id = await createAccount(env.DB, { code: 'VALUES', name: 'Values', password: 'p' });
    const properties = cases.map(([, given], index) => property(`V${index}`, given));
    await store(env.DB, id, [...VOCABULARY, ...properties]);
    records = (await fetchKyero({ U: 'OWNPROPERTIES@VALUES', P: 'p' })).document.all('property');
  });

  test.each(cases)('%s', (name, _, path, expected) => {
    const record = records[cases.findIndex(([other]) => other === name)]!;
    expect(record.texts(path)).toEqual(expected);
  });

  test('several offers: an id and a ref of its own for each record, the same whatever is requested; those of the property for the first', async () => {
    const id = await createAccount(env.DB, { code: 'REFS', name: 'Refs', password: 'p' });
    const rentals = { long_term: { rent: 900 }, short_term: { low: 700, high: 800 } };
    await store(env.DB, id, [
      ...VOCABULARY,
      property('1', { ref: 'A', offers: { sale: { price: 1 }, ...rentals } }),
      property('2', { ref: 'B', offers: rentals }),
      property('3', { ref: 'C', offers: { short_term: rentals.short_term } }),
    ]);
    const named = async (query: Record<string, string>) => {
      const { document } = await fetchKyero({
        U: 'OWNPROPERTIES@REFS',
        P: 'p',
        ShortTerm: 'TRUE',
        ...query,
      });
      return document
        .all('property')
        .map((record) => `${record.textOf('id')} ${record.textOf('ref')}`);
    };
    const rented = ['1-LT A-LT', '1-ST A-ST', '2 B', '2-ST B-ST', '3 C'];
    expect(await named({})).toEqual(['1 A', ...rented]);
    expect(await named({ T: 'RENT' })).toEqual(rented);
    await store(env.DB, id, [
      property('2', { ref: 'B', offers: { sale: { price: 1 }, ...rentals } }),
    ]);
    invalidateManifests(id);
    expect(await named({ T: 'RENT' })).toEqual([
      '1-LT A-LT',
      '1-ST A-ST',
      '2-LT B-LT',
      '2-ST B-ST',
      '3 C',
    ]);
  });

  test('weekly rents: left out without ShortTerm=TRUE', async () => {
    const id = await createAccount(env.DB, { code: 'WEEKS', name: 'Weeks', password: 'p' });
    const short_term = { low: 700, high: 800 };
    await store(env.DB, id, [
      ...VOCABULARY,
      property('1', { offers: { sale: { price: 1 }, short_term } }),
      property('2', { offers: { short_term } }),
    ]);
    const frequencies = async (query: Record<string, string>) =>
      (await fetchKyero({ U: 'OWNPROPERTIES@WEEKS', P: 'p', ...query })).document.texts(
        'property/price_freq',
      );
    expect(await frequencies({})).toEqual(['sale']);
    expect(await frequencies({ ShortTerm: 'TRUE' })).toEqual(['sale', 'week', 'week']);
  });

  test('two long identifiers with the same beginning: different ones of at most 50 characters', async () => {
    const id = await createAccount(env.DB, { code: 'LONG', name: 'Long', password: 'p' });
    const offers = { sale: { price: 1 }, long_term: { rent: 2 } };
    await store(env.DB, id, [
      ...VOCABULARY,
      ...['a', 'b'].map((end) => property('x'.repeat(99) + end, { offers })),
    ]);
    const ids = (await fetchKyero({ U: 'OWNPROPERTIES@LONG', P: 'p' })).document.texts(
      'property/id',
    );
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((text) => text.length <= 50)).toBe(true);
    expect(ids[1]).toBe(`${ids[0]}-LT`);
  });
});
