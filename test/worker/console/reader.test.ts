import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/lib/secrets/secrets.ts';
import { addToChannel } from '../../../src/readers/channels.ts';
import { revokeOldKeys, rotateKey, setReaderDisabled } from '../../../src/readers/readers.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, SOMEBODY, store } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { fetchFeed } from '../../support/documents/feed.ts';
import { claiming, page, send, signIn, textOf } from './visitor.ts';

let agency: Agency;
let key: string;
let cookie: string;

beforeAll(async () => {
  agency = await createAgency(env.DB, 'READERS', ['A-1']);
  await createAgency(env.DB, 'OTHERS', []);
  const { accountId } = agency;
  await store(env.DB, accountId, [
    property('SALE', { offers: { sale: { price: 0 } } }),
    property('TWIN', { offers: { sale: { price: 0 } } }),
    property('BOTH', { offers: { sale: { price: 300_000 }, long_term: { rent: 0 } } }),
    property('RENT', { offers: { long_term: { rent: 1 } } }),
  ]);
  const channel = await openChannel(env.DB, { accountId, name: 'coast' });
  await addToChannel(env.DB, { accountId, name: 'coast' }, ['SALE', 'BOTH', 'RENT'], SOMEBODY);
  key = await openReader(accountId, 'portal', 'FV=3&T=SALE', true, channel);
  cookie = await signIn('READERS', key);
});

async function idsOn(path: string, session = cookie): Promise<string[]> {
  const text = textOf(await page(path, session));
  return [...text.matchAll(/href="[^"]*;record=([^"&#]*)#/g)].map(([, id]) => id!);
}

async function propertiesIn(query: string): Promise<string[]> {
  const lines = textOf(await page(`/report.csv${query}`, cookie)).split('\r\n');
  return [...new Set(lines.slice(1, -1).map((line) => line.split(',')[0]!))].sort();
}

test('POST /sign-in with the key of a reader: 303, and its overview is its feed', async () => {
  expect(cookie).not.toContain(key);
  const { status, headers } = await page('/', cookie);
  expect([status, headers.get('Location')]).toEqual([303, '/feed']);
});

test.each([
  ['of another account', () => ({ account: 'OTHERS', password: key })],
  ['that does not exist', () => ({ account: 'READERS', password: `lindero_${'A'.repeat(32)}` })],
])('POST /sign-in with a key %s: 401', async (_, fields) => {
  expect((await send('/sign-in', fields())).status).toBe(401);
});

test('GET /feed: the records of the feed that the reader gets', async () => {
  const feed = await fetchFeed(`U=OWNPROPERTIES@READERS&P=${key}`, {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  const ids = [...feed.xml.matchAll(/<id>([^<]*)<\/id>/g)].map(([, id]) => id!);
  expect(ids).toEqual(['SALE', 'BOTH']);
  expect(await idsOn('/feed')).toEqual(ids);
  await openReader(agency.accountId, 'rents', 'FV=3&T=RENT');
  expect(await idsOn('/feed?portal=rents')).toEqual(ids);
  const text = textOf(await page('/feed', cookie));
  expect(text).toContain('<h1>portal gets 2 properties</h1>');
  expect(text).not.toMatch(/name="(FV|T)"/);
  expect(text).not.toContain(key);
});

test('GET /feed with a parameter that the reader may not change: 422', async () => {
  const response = await page('/feed?T=RENT', cookie);
  expect([response.status, textOf(response).includes('T is fixed to &#39;SALE&#39;')]).toEqual([
    422,
    true,
  ]);
});

test('GET /feed?find=… and ?record=…: nothing outside the channel', async () => {
  expect(await idsOn('/feed?find=TWIN')).toEqual([]);
  expect(textOf(await page('/feed?record=TWIN', cookie))).not.toContain('R-TWIN');
  expect(textOf(await page('/feed?record=BOTH', cookie))).toContain('&lt;id&gt;BOTH&lt;/id&gt;');
  expect(await idsOn('/feed?find=TWIN&FV=3', await signIn('READERS'))).toEqual(['TWIN']);
});

test('GET /report and /report.csv: the properties of its feed, compared with each other alone', async () => {
  expect(await propertiesIn('')).toEqual(['BOTH', 'SALE']);
  expect(/id="checked">(\d+)</.exec(textOf(await page('/report', cookie)))?.[1]).toBe('2');
  expect(textOf(await page('/report.csv', cookie))).not.toMatch(/TWIN|longterm/);
  expect(await propertiesIn('?rule=no_price')).toEqual(['SALE']);
});

test('GET /report.csv with moved or hidden places: nothing about places', async () => {
  const shown = async (policy: string) => {
    await env.DB.prepare("UPDATE readers SET policy = ? WHERE name = 'portal'").bind(policy).run();
    const text = textOf(await page('/report.csv', cookie));
    return [',images,', ',location,'].map((node) => text.includes(node));
  };
  for (const policy of ['place=moved', 'place=hidden'])
    expect([policy, await shown(policy)]).toEqual([policy, [true, false]]);
  expect(await shown('')).toEqual([true, true]);
});

test.each([
  '/developments',
  `/units?development=${DEVELOPMENT}`,
  `/unit?development=${DEVELOPMENT}&name=A-1`,
])('GET %s: 404, and no link leads there', async (path) => {
  const { status, text } = await page(path, cookie);
  expect([status, text.includes('A-1</'), text.includes('href="/developments"')]).toEqual([
    404,
    false,
    false,
  ]);
});

test('POST /unit: 404, and the unit is unchanged', async () => {
  const fields = { status: '4', price: '1', version: '1', directions: '' };
  expect((await send(`/unit?development=${DEVELOPMENT}&name=A-1`, fields, cookie)).status).toBe(
    404,
  );
  const unit = env.DB.prepare('SELECT status FROM units WHERE account_id = ?').bind(
    agency.accountId,
  );
  expect(await unit.first('status')).toBe(1);
});

describe('a session of a reader', () => {
  test('with the digest of another key, or as the account: 401', async () => {
    const key = await openReader(agency.accountId, 'other');
    expect((await page('/feed', claiming(cookie, { sub: sha256Hex(key) }))).status).toBe(401);
    expect((await page('/feed', claiming(cookie, { sub: '' }))).status).toBe(401);
    expect((await page('/feed', claiming(cookie, {}))).status).toBe(200);
  });

  test('ends when its key is revoked, and while its reader is disabled', async () => {
    const address = { accountId: agency.accountId, name: 'leaving' };
    const leaving = await openReader(agency.accountId, 'leaving');
    const session = await signIn('READERS', leaving);
    expect((await page('/feed', session)).status).toBe(200);
    await setReaderDisabled(env.DB, address, true);
    expect((await page('/feed', session)).status).toBe(401);
    await setReaderDisabled(env.DB, address, false);
    await rotateKey(env.DB, address, 'f'.repeat(64), 3600);
    expect((await page('/feed', session)).status).toBe(200);
    await revokeOldKeys(env.DB, address);
    expect((await page('/feed', session)).status).toBe(401);
  });
});
