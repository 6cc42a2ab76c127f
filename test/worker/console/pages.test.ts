import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { parseDocument } from '../../../src/portfolio/documents.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/agency.ts';
import { ask } from '../../support/ask.ts';
import { fetchFeed } from '../../support/feed.ts';
import { property } from '../../support/portfolio.ts';
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
  ])('GET %s: 200, at most 30 KB compressed, not stored, and nothing may frame it or run in it', async (path) => {
    const { status, headers, bytes } = await page(path, cookie);
    expect(status).toBe(200);
    expect(gzipSync(bytes).length).toBeLessThan(30_000);
    expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self';/);
    expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('Content-Security-Policy')).not.toContain('unsafe');
    const [store, referrer, frame] = ['Cache-Control', 'Referrer-Policy', 'X-Frame-Options'].map((n) => headers.get(n));
    expect([store, referrer, frame]).toEqual(['no-store', 'no-referrer', 'DENY']);
    const text = new TextDecoder().decode(bytes);
    expect(text).not.toMatch(/ style="| on\w+="|<style|<script(?! type="module" src=)/);
    expect(text).not.toMatch(/"(https?:)?\/\/(?!feeds\.example)/);
  });

  test.each(['/console/console.css', '/console/console.js'])('GET %s: 200 without a session', async (path) => {
    expect((await ask(path)).status).toBe(200);
  });

  test.each([
    ['/developments', 'GET, HEAD'],
    ['/feed', 'GET, HEAD'],
    ['/unit', 'GET, HEAD, POST'],
    ['/sign-in', 'POST'],
    ['/console/console.js', 'GET, HEAD'],
  ])('DELETE %s: 405 with Allow: %s', async (path, allow) => {
    const { status, headers } = await ask(path, { method: 'DELETE' });
    expect([status, headers.get('Allow')]).toEqual([405, allow]);
  });

  test.each([
    '/units?development=elsewhere',
    '/unit?development=elsewhere&name=A-1',
    `/unit?development=${DEVELOPMENT}`,
  ])('GET %s: 404', async (path) => {
    expect((await page(path, cookie)).status).toBe(404);
  });
});

describe('the overview', () => {});

describe('the feed', () => {
  test('GET /feed: records as the feed has them, twelve on a page, and the next page', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      property(`M-${index}`, { town: index < 5 ? 'Nerja' : 'Mijas' }),
    );
    await writePortfolio(env.DB, agency.accountId, [
      ...many,
      parseDocument({ ...many[0]!, id: 'LINES', texts: { uk: { description: 'One\n<b>two</b>' } } }),
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
    expect([response.status, textOf(response).includes('FV is &#39;9&#39;; allowed: 1, 2, 3.')]).toEqual([422, true]);
  });
});
