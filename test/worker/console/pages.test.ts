import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { addToChannel } from '../../../src/readers/channels.ts';
import { setReaderDisabled } from '../../../src/readers/readers.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, SOMEBODY, store } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { setPrice, sparseAccount } from '../../support/accounts/sparse.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { ask } from '../../support/worker/ask.ts';
import { page, signIn, textOf } from './visitor.ts';

const UNIT = `/unit?development=${DEVELOPMENT}&name=A-1`;

let agency: Agency;
let cookie: string;

beforeAll(async () => {
  agency = await createAgency(env.DB, 'PAGES', ['A-1', 'A-2', '../<b>&"']);
  await createAgency(env.DB, 'STRANGER', ['A-1']);
  cookie = await signIn('PAGES');
});

describe('every page', () => {
  test.each([
    '/',
    '/developments',
    `/units?development=${DEVELOPMENT}`,
    UNIT,
    '/report?portal=kyero',
    '/feed?FV=3&Language=1,2,3',
    '/properties',
    '/property?id=P1',
    '/portals',
    '/portals/connect',
    '/portals/connect?portal=kyero',
  ])(
    'GET %s: 200, at most 30 KB compressed, not stored, and nothing may frame it or run in it',
    async (path) => {
      const { status, headers, bytes, text } = await page(path, cookie);
      expect(status).toBe(200);
      expect(gzipSync(bytes).length).toBeLessThan(30_000);
      expect(headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self';/,
      );
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('Content-Security-Policy')).not.toContain('unsafe');
      const [store, referrer, frame] = ['Cache-Control', 'Referrer-Policy', 'X-Frame-Options'].map(
        (n) => headers.get(n),
      );
      expect([store, referrer, frame]).toEqual(['no-store', 'no-referrer', 'DENY']);
      expect(text).not.toMatch(/ style="| on\w+="|<style|<script(?! type="module" src=)/);
      expect(text).not.toMatch(/"(https?:)?\/\/(?!feeds\.example)/);
    },
  );

  test.each(['/console/console.css', '/console/console.js'])(
    'GET %s: 200 without a session',
    async (path) => {
      expect((await ask(path)).status).toBe(200);
    },
  );

  test.each([
    ['/developments', 'GET, HEAD'],
    ['/feed', 'GET, HEAD'],
    ['/unit', 'GET, HEAD, POST'],
    ['/sign-in', 'GET, HEAD, POST'],
    ['/console/console.js', 'GET, HEAD'],
  ])('DELETE %s: 405 with Allow: %s', async (path, allow) => {
    const { status, headers } = await ask(path, { method: 'DELETE' });
    expect([status, headers.get('Allow')]).toEqual([405, allow]);
  });

  test.each([
    '/units?development=elsewhere',
    '/unit?development=elsewhere&name=A-1',
    '/property?id=elsewhere',
    '/portal?name=elsewhere',
    `/unit?development=${DEVELOPMENT}`,
  ])('GET %s: 404', async (path) => {
    expect((await page(path, cookie)).status).toBe(404);
  });
});

describe('a path that nothing is served at', () => {
  test.each([
    '/nothing',
    '/property/nothing',
    '/console/nothing.css',
    '/schemas/nothing.xsd',
    '/v1/nothing',
  ])(
    'GET %s: 404; a page that leads home for browsers, a problem without the path for programs',
    async (path) => {
      const shown = await page(path);
      expect([shown.status, shown.headers.get('Content-Security-Policy')]).toEqual([
        404,
        expect.stringMatching(/'none'/),
      ]);
      expect(textOf(shown)).toMatch(
        /<h1>This page does not exist<\/h1>.*no feed at this address.*href="\/"/s,
      );
      expect(textOf(await page(path, cookie, { 'Accept-Language': 'es' }))).toContain(
        'Esta página no existe',
      );
      const problem = await ask(path);
      expect([problem.status, problem.headers.get('Content-Type')]).toEqual([
        404,
        'application/problem+json',
      ]);
      expect(textOf(problem)).not.toContain('/nothing');
    },
  );
});

/** The numbers of the portfolio by the links that they are. */
function portfolioIn(text: string): Record<string, number> {
  const links = [...text.matchAll(/href="\/properties\?([^"]*)">(\d+)</g)];
  return Object.fromEntries(
    links.map(([, filter, count]) => [
      decodeURIComponent(filter!.replaceAll('+', ' ')),
      Number(count),
    ]),
  );
}

describe('the home page', () => {
  test.each([
    ['/', '5 listings: Add pictures'],
    ['/properties?finding=no_pictures', 'to fix'],
    ['/property?id=501', 'Add pictures'],
    ['/portal?name=portal', 'id="to-fix" href="/report">5<'],
    ['/report', 'id="checked">5<'],
  ])(
    'GET %s after a change of many properties: 200 at once, which does not say that all is well, and the rest a moment later',
    async (path, found) => {
      const code = `CHECKED${path.replaceAll(/[^a-z]/g, '').toUpperCase()}`.slice(0, 20);
      const { id } = await sparseAccount(code, [1, 501, 1_001, 1_501, 2_001]);
      await openReader(id, 'portal');
      const session = await signIn(code, 'secret');
      const shown = async () => {
        const text = textOf(await page(path, session));
        const isChecking = text.includes('The listings are being checked. Many have changed.');
        const wait = /<div data-refresh="(\d+)"><div class="notice/.exec(text)?.[1];
        const isWell = /All is well|Nothing to fix<|<b>Nothing is left out/.test(text);
        return [isChecking, wait, text.includes(found), isChecking && isWell];
      };
      expect(await shown()).toEqual([true, '3', false, false]);
      for (const number of [1, 501, 1_001, 1_501]) await setPrice(id, number, 2);
      expect(textOf(await page('/report.csv', session)).match(/,no_pictures,/g)).toHaveLength(5);
      for (const number of [1, 501, 1_001]) await setPrice(id, number, 3);
      expect(await shown()).toEqual([false, undefined, true, false]);
    },
  );

  test('GET /: the numbers of this account alone, by status and offer, each a link to these properties', async () => {
    const { accountId } = await createAgency(env.DB, 'COUNTED', ['A-1', 'A-2', 'A-3']);
    await store(env.DB, accountId, [
      ...['SOLD-1', 'SOLD-2'].map((id) => property(id, { status: 'Sold' })),
      property('RENT', { offers: { long_term: { rent: 900 } } }),
      ...[1, 2, 3, 4].map((number) => property(`GONE-${number}`, { status: 'Withdrawn' })),
      property('NO-OFFER', { offers: {} }),
    ]);
    // The status of its unit is the one that counts.
    await env.DB.prepare("UPDATE units SET status = 4 WHERE account_id = ? AND name = 'A-1'")
      .bind(accountId)
      .run();
    const session = await signIn('COUNTED');
    const counts = portfolioIn(textOf(await page('/', session)));
    expect(counts).toMatchObject({
      'status=Available': 4,
      'status=Sold': 3,
      'status=Withdrawn': 4,
      'offer=long': 1,
    });
    for (const [filter, count] of Object.entries(counts).filter(([name]) =>
      name.startsWith('status'),
    )) {
      const list = textOf(await page(`/properties?${filter.replaceAll(' ', '+')}`, session));
      expect([filter, [...list.matchAll(/<a href="\/property\?id=[^"]*"><b>/g)].length]).toEqual([
        filter,
        count,
      ]);
    }
    const feed = await fetchFeed('U=OWNPROPERTIES@COUNTED&P=demo&FV=3');
    expect(feed.xml.match(/<property>/g)).toHaveLength(3);
  });

  test('GET / with a status that dominates: every segment of the bar can be seen, and none overlaps another', async () => {
    const { accountId } = await createAgency(env.DB, 'BAR', []);
    await store(env.DB, accountId, [
      ...Array.from({ length: 400 }, (_, index) => property(`P${index}`)),
      property('OFFER', { status: 'Under Offer' }),
      property('AGREED', { status: 'Sale Agreed' }),
    ]);
    const text = textOf(await page('/', await signIn('BAR')));
    const segments = [...text.matchAll(/<rect [^>]*x="([^"]*)" width="([^"]*)"/g)].map(
      ([, x, width]) => ({ x: Number(x), width: Number(width) }),
    );
    expect(segments).toHaveLength(3);
    for (const [index, { x, width }] of segments.entries()) {
      expect(width).toBeGreaterThan(1);
      expect(x + width).toBeLessThanOrEqual(segments[index + 1]?.x ?? 300);
    }
  });

  test('GET / of an agency without listings: the next step is to bring them in, not to connect a portal', async () => {
    await createAgency(env.DB, 'FRESH', []);
    const text = textOf(await page('/', await signIn('FRESH')));
    expect(text).toMatch(
      /<h1>Begin with your listings<.*class="button primary" href="\/property\/edit"/s,
    );
    expect(text).toMatch(/Needs your attention.*You have no properties yet.*href="\/imports"/s);
    expect(text).not.toMatch(/All is well|<a class="button primary" href="\/portals\/connect"/);
  });

  test('GET /: what is wrong with the listings, and the recent changes', async () => {
    const text = textOf(await page('/', cookie));
    expect(text).toMatch(/Needs your attention.*3 listings: Add pictures/s);
    expect(text).toContain('href="/properties?finding=no_pictures"');
    expect(textOf(await page('/', cookie, { 'Accept-Language': 'es' }))).toContain('Añada fotos');
  });

  test('GET /: the portals of this account alone, and whether they come', async () => {
    const { accountId } = agency;
    const key = await openReader(accountId, 'portal', 'FV=3');
    await openReader(accountId, 'former', 'FV=3');
    await fetchFeed(`U=OWNPROPERTIES@PAGES&P=${key}`);
    await setReaderDisabled(env.DB, { accountId, name: 'former' }, true);
    await openReader(accountId, 'keyless', 'FV=3');
    await env.DB.exec(
      "UPDATE reader_keys SET expires_at = 1 WHERE reader_id IN (SELECT id FROM readers WHERE name = 'keyless')",
    );
    await openReader(accountId, 'new', 'FV=3');
    const rows = textOf(await page('/', cookie)).split('<tr');
    for (const [name, state] of Object.entries({
      portal: 'As usual',
      former: 'Paused',
      keyless: 'Paused',
      new: 'Not yet',
    })) {
      expect(rows.find((row) => row.includes(`href="/portal?name=${name}"`))).toContain(
        `>${state}<`,
      );
    }
    expect(textOf(await page('/', await signIn('STRANGER')))).not.toContain('name=portal"');
    expect((await page('/portal?name=portal', cookie)).status).toBe(200);
    expect((await page('/portal?name=portal', await signIn('STRANGER'))).status).toBe(404);
  });
});

test('a portal that gets a channel after it came: it does not have the property by its new feed', async () => {
  const { accountId } = await createAgency(env.DB, 'SWITCHED', ['A-1']);
  const key = await openReader(accountId, 'portal');
  await fetchFeed(`U=OWNPROPERTIES@SWITCHED&P=${key}`);
  const owner = await signIn('SWITCHED');
  expect(textOf(await page('/property?id=P1', owner))).toContain('Got this state');
  const channelId = await openChannel(env.DB, { accountId, name: 'coast' });
  await addToChannel(env.DB, { accountId, name: 'coast' }, ['P1'], SOMEBODY);
  await env.DB.prepare('UPDATE readers SET channel_id = ? WHERE account_id = ?')
    .bind(channelId, accountId)
    .run();
  expect(textOf(await page('/property?id=P1', owner))).toContain('before the last change');
});

test('the home page with a portal that has fetched its feed and one that has not: as usual with one of two', async () => {
  const { accountId } = await createAgency(env.DB, 'AWAITED', ['A-1']);
  const key = await openReader(accountId, 'first');
  await fetchFeed(`U=OWNPROPERTIES@AWAITED&P=${key}`);
  const owner = await signIn('AWAITED');
  expect(textOf(await page('/', owner))).toContain('Your portal fetches as usual');
  await openReader(accountId, 'second');
  expect(textOf(await page('/', owner))).toContain('1 of 2 portals fetch as usual');
});

describe('the feed', () => {
  test('GET /feed: the URL with the parameters and without the password', async () => {
    const text = textOf(await page('/feed?FV=3&Language=1&Language=3&T=SALE&IC=', cookie));
    const url =
      'https://feeds.example/CreateXMLFeedV3.asp?U=OWNPROPERTIES@PAGES&amp;P=••••••&amp;FV=3&amp;T=SALE&amp;Language=1,3';
    expect(text).toContain(`>${url}</code>`);
    expect(text).not.toContain('demo');
  });

  test('GET /feed without parameters: a URL without an empty query', async () => {
    const text = textOf(await page('/feed', cookie));
    expect(text).toContain(
      '>https://feeds.example/CreateXMLFeedV3.asp?U=OWNPROPERTIES@PAGES&amp;P=••••••</code>',
    );
  });

  test('GET /feed: records as the feed has them, twelve on a page, and the next page', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      property(`M-${index}`, { town: index < 5 ? 'Nerja' : 'Mijas' }),
    );
    await store(env.DB, agency.accountId, [
      ...many,
      parseDocument({
        ...many[0]!,
        id: 'LINES',
        texts: { uk: { description: 'One\n<b>two</b>' } },
      }),
    ]);
    const recordsOf = async (query: string) => {
      const text = textOf(await page(`/feed?FV=3&${query}`, cookie));
      return [...text.matchAll(/href="[^"]*;record=([^"&#]*)#/g)].map(([, id]) => id);
    };
    // Not a feed that an earlier test has requested within the last second: its manifest would still be in memory.
    const feed = (await fetchFeed('U=OWNPROPERTIES@PAGES&P=demo&FV=3&VT=1')).xml;
    const ids = [...feed.matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id);
    const pages = await Promise.all([1, 2, 3, 4].map((number) => recordsOf(`page=${number}`)));
    expect(pages.map(({ length }) => length)).toEqual([12, 12, 10, 0]);
    expect(pages.flat()).toEqual(ids);
    const record = textOf(await page('/feed?FV=3&record=M-1', cookie));
    expect([...record.matchAll(/&lt;id&gt;([^&]*)&lt;/g)].map(([, id]) => id)).toEqual(['M-1']);
    expect(await recordsOf('find=nerja')).toEqual(['M-0', 'M-1', 'M-2', 'M-3', 'M-4', 'LINES']);
    expect(await recordsOf('find=100%25')).toEqual([]);
  });

  test('GET /feed with a value that is not allowed: 422 with the message of the feed', async () => {
    const response = await page('/feed?FV=9', cookie);
    expect([
      response.status,
      textOf(response).includes('FV is &#39;9&#39;; allowed: 1, 2, 3.'),
    ]).toEqual([422, true]);
    const spanish = textOf(await page('/feed?FV=9&IC=x', cookie, { 'Accept-Language': 'es' }));
    expect(spanish).toContain('FV es «9»; se admite: 1, 2, 3. IC es «x»; se admite: de 0 a 999.');
  });
});
