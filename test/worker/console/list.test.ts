import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import migration from '../../../migrations/0018_search.sql?raw';
import { type Agency, createAgency } from '../../support/accounts/agency.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { page, send, signIn, textOf, withCookies } from './visitor.ts';

let agency: Agency;
let cookie: string;

beforeAll(async () => {
  agency = await createAgency(env.DB, 'LISTED', ['A-1']);
  const penthouse = { uk: { older_type: 'Flat', type: 'Apartment', subtype: 'Penthouse' } };
  const labels = { ...penthouse, es: { ...penthouse.uk, subtype: 'Ático' } };
  await store(env.DB, agency.accountId, [
    ...VOCABULARY,
    { kind: 'type', code: 'attic', labels: labels as never },
    property('CITY', {
      town: 'Málaga',
      beds: 3,
      notes: 'Llaves en la Cafetería',
      features: ['Sea'],
    }),
    property('ATTIC', {
      area: 'Nueva Andalucía',
      type: 'attic',
      address: 'Calle Ángel 7',
      beds: 1,
    }),
    property('RENT', { offers: { long_term: { rent: 900 } }, status: 'Under Offer' }),
    property('TITLED', { texts: { es: { title: 'Joya única', description: null, url: null } } }),
  ]);
  cookie = await signIn('LISTED');
});

/** The identifiers on the page that a query leads to. */
async function listed(query: string, session = cookie): Promise<string[]> {
  const text = textOf(await page(`/properties?${query}`, session));
  return [...text.matchAll(/<a href="\/property\?id=([^"]*)"><b>/g)].map(([, id]) => id!).sort();
}

/** The numbers in the menus of a page by the queries that they lead to. */
async function countsIn(query: string): Promise<Record<string, string>> {
  const text = textOf(await page(`/properties?${query}`, cookie));
  const links = text.matchAll(/<a href="\/properties\?([^"]*)">[^<]*<small>([^<]*)</g);
  return Object.fromEntries(
    [...links].map(([, to, count]) => [to!.replaceAll('&amp;', '&'), count!]),
  );
}

describe('GET /properties?q=: accents and case make no difference', () => {
  test.each([
    ['Malaga', ['CITY']],
    ['nueva andalucia', ['ATTIC']],
    ['ático', ['ATTIC']],
    ['penthouse', ['ATTIC']],
    ['calle angel', ['ATTIC']],
    ['CAFETERIA', ['CITY']],
    ['mar llaves', ['CITY']],
    ['joya unica', ['TITLED']],
    ['las lomas', ['P1']],
    ['r-rent', ['RENT']],
    ['marbella villa joya', ['TITLED']],
    ['cafeteria joya', []],
    ['%_', []],
  ])('%s', async (text, found) => {
    expect(await listed(new URLSearchParams({ q: text }).toString())).toEqual(found);
  });

  test('what has changed is found by what it is now', async () => {
    await store(env.DB, agency.accountId, [property('MOVED', { town: 'Ávila' })]);
    expect(await listed('q=avila')).toEqual(['MOVED']);
    await store(env.DB, agency.accountId, [property('MOVED', { town: 'Ronda' })]);
    expect([await listed('q=avila'), await listed('q=ronda')]).toEqual([[], ['MOVED']]);
  });

  test('what the migration makes of stored properties is what writing them makes', async () => {
    const read = async () =>
      (await env.DB.prepare('SELECT * FROM property_search ORDER BY property_id').all()).results;
    const written = await read();
    const [, insertion] = /(INSERT INTO property_search.*;)/s.exec(migration)!;
    await env.DB.batch([env.DB.prepare('DELETE FROM property_search'), env.DB.prepare(insertion!)]);
    expect(written.length).toBeGreaterThan(4);
    expect(await read()).toEqual(written);
  });
});

describe('GET /properties: filters are links with their numbers', () => {
  test('each filter alone', async () => {
    expect(await listed('type=attic')).toEqual(['ATTIC']);
    expect(await listed('beds=3')).toEqual(['CITY']);
    expect(await listed('offer=long')).toEqual(['RENT']);
    expect(await listed('price=0-1000')).toEqual(['RENT']);
    expect(await listed('status=Under+Offer')).toEqual(['RENT']);
    expect(await listed('town=M%C3%A1laga&beds=1')).toEqual(['CITY']);
    expect(await listed('finding=nothing')).toEqual([]);
  });

  test('a number says how many there are with it and the other filters', async () => {
    const counts = await countsIn('beds=1');
    expect(counts['type=attic&beds=1'] ?? counts['beds=1&type=attic']).toBe('1');
    for (const [query, count] of Object.entries(counts))
      expect([query, (await listed(query)).length]).toEqual([query, Number(count)]);
  });
});

describe('saved views', () => {
  /** The views of a page by their names, with the one that is shown. */
  const viewsOn = async (path: string, session = cookie) => {
    const text = textOf(await page(path, session));
    const [nav = ''] = /<nav class="tabs".*?<\/nav>/s.exec(text) ?? [];
    const links = [
      ...nav.matchAll(/<a class="tab" href="([^"]*)"( aria-current="page")?>([^<]*)</g),
    ];
    return {
      links: Object.fromEntries(
        links.map(([, href, , name]) => [name, href!.replaceAll('&amp;', '&')]),
      ),
      shown: links.find(([, , current]) => current)?.[3],
    };
  };

  test('POST /properties?…: what is asked for, in any order of the query, gets a name for everybody, until it is removed', async () => {
    const query = 'town=Marbella&q=nueva&page=2&unknown=1';
    const sent = await send(`/properties?${query}`, { name: ' 2026 ' }, cookie);
    expect(sent.headers.get('Location')).toBe('/properties?q=nueva&town=Marbella');
    await send('/properties?status=Available', { name: '__proto__' }, cookie);
    expect(await viewsOn('/properties?town=Marbella&q=nueva')).toEqual({
      links: {
        All: '/properties',
        ['__proto__']: '/properties?status=Available',
        2026: '/properties?q=nueva&town=Marbella',
      },
      shown: '2026',
    });
    const removed = { do: 'remove', name: '2026' };
    expect((await send('/properties?q=nueva&town=Marbella', removed, cookie)).status).toBe(303);
    expect((await send('/properties?q=nueva&town=Marbella', removed, cookie)).status).toBe(404);
    await send('/properties', { do: 'remove', name: '__proto__' }, cookie);
    expect((await viewsOn('/properties?status=Available')).links).toEqual({ All: '/properties' });
  });

  test.each([
    ['/properties?town=Marbella', ' '],
    ['/properties?town=Marbella', 'x'.repeat(61)],
    ['/properties?page=2', 'Everything'],
  ])('POST %s as a view named %j: 422, and nothing is saved', async (path, name) => {
    expect((await send(path, { name }, cookie)).status).toBe(422);
    const stored = await env.DB.prepare('SELECT views FROM accounts WHERE id = ?')
      .bind(agency.accountId)
      .first('views');
    expect(stored).toBe('{}');
  });
});

test.each([
  ['rows', 'low', 'class="low"'],
  ['keys', 'off', 'data-keys="off"'],
])('GET /properties?%s=%s: kept in a cookie', async (name, value, shown) => {
  const chosen = await page(`/properties?${name}=${value}`, cookie);
  expect(chosen.text).toContain(shown);
  const next = withCookies(cookie, chosen.headers);
  expect((await page('/properties', next)).text).toContain(shown);
  expect((await page('/properties', cookie)).text).not.toContain(shown);
});

test('GET /properties: small copies of our own pictures, of a stated size over an icon; those of the first screen at once', async () => {
  const { accountId } = await createAgency(env.DB, 'THUMBS', []);
  const own = `https://a.example/pictures/THUMBS/${'0'.repeat(32)}-2560.jpg`;
  const all = Array.from({ length: 10 }, (_, index) =>
    property(`T${index}`, {
      pictures: index === 9 ? [] : [index === 8 ? own : `https://b.example/${index}.jpg`],
    }),
  );
  await store(env.DB, accountId, all);
  const text = textOf(await page('/properties', await signIn('THUMBS')));
  const thumbs = [...text.matchAll(/<span class="thumb"[^>]*><svg.*?<\/svg>(?:<img ([^>]*)>)?/gs)];
  expect(thumbs).toHaveLength(10);
  const pictures = thumbs.flatMap(([, attributes]) => attributes ?? []);
  expect(pictures.every((one) => one.includes('width="76" height="54"'))).toBe(true);
  // The last one added comes first, and has no picture.
  expect(pictures[0]).toContain(own.replace('2560', '480'));
  expect(pictures.map((one) => /loading="(\w+)"/.exec(one)![1])).toEqual([
    ...Array.from({ length: 7 }, () => 'eager'),
    ...['lazy', 'lazy'],
  ]);
});
