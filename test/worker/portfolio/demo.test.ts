import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { findAccountId } from '../../../src/accounts/accounts.ts';
import { PICTURES_PATH, servePicture } from '../../../src/demo/pictures.ts';
import { passwordMatches, sha256Hex } from '../../../src/lib/secrets/secrets.ts';
import { SCOPES } from '../../../src/oauth/scopes.ts';
import { DEMO, OTHER, seedDemo } from '../../support/accounts/demo.ts';
import { store } from '../../support/accounts/portfolio.ts';
import { ask } from '../../support/worker/ask.ts';

test('seeding twice: creates the demo agencies and their clients once, and then changes nothing', async () => {
  expect(await seedDemo(env.DB)).toEqual(['DEMO', 'OTHER']);
  expect(await seedDemo(env.DB)).toEqual([]);
  for (const agency of [DEMO, OTHER]) {
    const id = (await findAccountId(env.DB, agency.account.code.toLowerCase()))!;
    const { changed, unchanged } = await store(env.DB, id, agency.documents);
    expect([changed.length, unchanged.length]).toEqual([0, agency.documents.length]);
    const account = await env.DB.prepare('SELECT password FROM accounts WHERE id = ?')
      .bind(id)
      .first<string>('password');
    expect(await passwordMatches(agency.account.password, account!)).toBe(true);
    const client = await env.DB.prepare(
      'SELECT id, secret, scopes FROM clients WHERE account_id = ?',
    )
      .bind(id)
      .first();
    expect(client).toEqual({
      id: agency.clients[0]?.id,
      secret: sha256Hex(agency.clients[0]?.secret ?? ''),
      scopes: SCOPES.join(' '),
    });
  }
});

test('the report on DEMO: no finding that only a demo would have, and few of any rule', async () => {
  await seedDemo(env.DB);
  const { status, text } = await ask('https://feeds.example/v1/report', {
    headers: { Authorization: `Basic ${btoa('OWNPROPERTIES@DEMO:demo')}` },
  });
  expect(status).toBe(200);
  const { rules, summary } = JSON.parse(text) as {
    rules: { code: string; properties: number }[];
    summary: { properties: number; properties_with_errors: number };
  };
  const codes = rules.map(({ code }) => code);
  for (const code of [
    'picture_not_reachable',
    'picture_not_https',
    'not_updated_for_a_year',
    'reserved_for_months',
  ]) {
    expect(codes).not.toContain(code);
  }
  expect(rules.filter(({ properties }) => properties > 4)).toEqual([]);
  expect(summary.properties).toBeGreaterThan(60);
  expect(summary.properties_with_errors).toBeLessThan(4);
});

const pictures = new Hono<{ Bindings: typeof env }>().get(PICTURES_PATH, servePicture as never);

/** Files that echo the path that they are asked for. */
const ASSETS = {
  fetch: async (url: URL) =>
    new Response(url.pathname, { headers: { 'Content-Type': 'image/jpeg' } }),
};

test('GET a picture of any property: the file of its scene', async () => {
  for (const path of ['cs-1001/1-villa.jpg', 'mv-1007/12-living-room.jpg']) {
    const response = await pictures.request(`/demo/pictures/${path}`, {}, {
      ...env,
      ASSETS,
    } as never);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
    expect(await response.text()).toBe(`/demo/pictures/${path.replace(/^.*\/\d+-/, '')}`);
  }
});

test.each([
  'villa.jpg',
  'a/villa.jpg',
  'a/1-VILLA.jpg',
  'a/1-villa.png',
  'a/1-..%2fopenapi.jpg',
  'a/b/1-villa.jpg',
])('GET /demo/pictures/%s: 404', async (file) => {
  const response = await pictures.request(`/demo/pictures/${file}`, {}, {
    ...env,
    ASSETS,
  } as never);
  expect(response.status).toBe(404);
});
