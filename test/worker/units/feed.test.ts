import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { keysInKv, recordedKeys } from '../../support/accounts/sparse.ts';
import {
  type Agency,
  ask,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { feedUrl, fetchFeed } from '../../support/documents/feed.ts';
import type { XmlElement } from '../../support/documents/xml.ts';
import { ask as askWith, watched } from '../../support/worker/ask.ts';

const NAMES = ['A-101', 'A-102'];

let agencies = 0;
let agency: Agency;
let token: string;

async function openNext(names = NAMES): Promise<void> {
  agency = await openAgency(`FEED-${++agencies}`, names);
  token = await obtainToken(agency);
}

async function update(body: object | object[], operation = 'update-by-name'): Promise<void> {
  const path = `/v1/developments/${DEVELOPMENT}/units/${operation}`;
  const response = await ask(path, {
    method: 'POST',
    headers: withToken(token),
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

function address(version: number, more: Record<string, string> = {}): string {
  return feedUrl({
    U: `OWNPROPERTIES@${agency.code}`,
    P: 'demo',
    FV: version,
    Language: 1,
    ...more,
  });
}

function feed(version: number, more: Record<string, string> = {}) {
  return fetchFeed(new URL(address(version, more)).search.slice(1));
}

/** Requests the feed until it comes entirely from snapshots, with the manifest in memory. */
async function feedFromSnapshots(version: number, more: Record<string, string> = {}) {
  for (let hits = 0; ; ) {
    const response = await feed(version, more);
    hits = response.headers.get('Cache-Status')?.startsWith('Lindero; hit') ? hits + 1 : 0;
    if (hits === 2) return response;
  }
}

function recordOf(document: XmlElement, unit: string): XmlElement | undefined {
  return document.all('property').find((property) => property.textOf('unit_name') === unit);
}

function orientation(record: XmlElement): string[] {
  const category = record
    .all('characteristics/category')
    .find((found) => found.textOf('name/uk') === 'Orientation');
  return category?.texts('value/uk') ?? [];
}

describe.each([1, 3])('the next feed of version %i, after one from snapshots', (version) => {
  beforeAll(() => openNext());

  test.each([
    [1, 'Available'],
    [2, 'Under Offer'],
    [8, 'Sale Agreed'],
  ])('UntStatus %i is the status %s', async (UntStatus, status) => {
    await feedFromSnapshots(version);
    await update({ UntName: 'A-101', UntStatus, UntPrice: 100_000, UntDirections: [] });
    const record = recordOf((await feed(version)).document, 'A-101')!;
    expect([record.textOf('status'), record.textOf('availability')]).toEqual(
      version === 3 ? [status, status] : [undefined, undefined],
    );
  });

  test('SOLD removes only this unit, and AVAILABLE brings it back', async () => {
    await feedFromSnapshots(version);
    await update({ UntName: 'A-101', UntStatus: 4, UntPrice: 100_000, UntDirections: [] });
    const without = (await feed(version)).document;
    expect([recordOf(without, 'A-101'), recordOf(without, 'A-102')?.name]).toEqual([
      undefined,
      'property',
    ]);
    await feedFromSnapshots(version);
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice: 100_000, UntDirections: [] });
    expect(recordOf((await feed(version)).document, 'A-101')).toBeDefined();
  });

  test.each([
    [123_456.78, '123456.78'],
    [0.1 + 0.2, '0.30000000000000004'],
    [-5, '0'],
    [1e21, '1000000000000000000000'],
  ])('UntPrice %d is the price %s', async (UntPrice, price) => {
    await feedFromSnapshots(version);
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice, UntDirections: [] });
    expect(recordOf((await feed(version)).document, 'A-101')!.textOf('price')).toBe(price);
  });

  test.each([
    [
      ['N', 'SE'],
      ['North', 'South East'],
    ],
    [
      [['S'], ['W', 'Sea & sky']],
      ['South', 'West', 'Sea & sky'],
    ],
    [[], []],
  ])('UntDirections %j are the Orientation %j', async (UntDirections, words) => {
    await feedFromSnapshots(version);
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice: 1, UntDirections });
    expect(orientation(recordOf((await feed(version)).document, 'A-101')!)).toEqual(words);
  });

  test('last_updated advances, and that of other units does not', async () => {
    // The third change within one second has the time of the second.
    await openNext();
    const before = (await feedFromSnapshots(version)).document;
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice: Math.random(), UntDirections: [] });
    const after = (await feed(version)).document;
    const updated = (document: XmlElement, unit: string) =>
      recordOf(document, unit)!.textOf('last_updated')!;
    expect(updated(after, 'A-101') > updated(before, 'A-101')).toBe(true);
    expect(updated(after, 'A-102')).toBe(updated(before, 'A-102'));
  });

  test('shows all units of update-many', async () => {
    await feedFromSnapshots(version);
    const updates = NAMES.map((UntName, index) => ({
      UntName,
      UntStatus: 2,
      UntPrice: 700 + index,
      UntDirections: ['E'],
    }));
    await update(updates, 'update-many');
    const { document } = await feed(version);
    expect(NAMES.map((name) => recordOf(document, name)!.textOf('price'))).toEqual(['700', '701']);
  });
});

test('an update whose response is lost, repeated: the next feed shows it, and stale snapshots are deleted', async () => {
  await openNext();
  await feedFromSnapshots(3);
  const lost = watched(
    () => {},
    ({ what }) => {
      if (/^(batch|insert)/i.test(what)) throw new Error('D1_ERROR: Network connection lost.');
    },
  );
  const path = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;
  const body = JSON.stringify({ UntName: 'A-101', UntStatus: 1, UntPrice: 777, UntDirections: [] });
  expect(
    (await askWith(path, { method: 'POST', headers: withToken(token), body }, lost)).status,
  ).toBe(503);
  await update(JSON.parse(body));
  expect(recordOf((await feed(3)).document, 'A-101')?.textOf('price')).toBe('777');
  await expect.poll(() => recordedKeys(agency.accountId)).toHaveLength(1);
});

test('an update applied by another isolate, repeated: the next feed shows it', async () => {
  await openNext();
  await feedFromSnapshots(3);
  await env.DB.prepare("UPDATE units SET price = 888 WHERE account_id = ? AND name = 'A-101'")
    .bind(agency.accountId)
    .run();
  await update({ UntName: 'A-101', UntStatus: 1, UntPrice: 888, UntDirections: [] });
  expect(recordOf((await feed(3)).document, 'A-101')?.textOf('price')).toBe('888');
});

describe('snapshots', () => {
  beforeAll(() => openNext());

  test('remain after an update that changes nothing', async () => {
    await feedFromSnapshots(3);
    const [stored, listed] = [
      await keysInKv(agency.accountId),
      await recordedKeys(agency.accountId),
    ];
    expect(stored).not.toEqual([]);
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice: 100_000, UntDirections: [] });
    const response = await feed(3);
    expect(response.headers.get('Cache-Status')).toContain('hit');
    expect([await keysInKv(agency.accountId), await recordedKeys(agency.accountId)]).toEqual([
      stored,
      listed,
    ]);
  });
});

test('60 updates of a unit within a few seconds: its feed is not dated later than a second ahead', async () => {
  await openNext(['A-1']);
  for (let price = 1; price <= 60; price++) {
    await update({ UntName: 'A-1', UntStatus: 1, UntPrice: price, UntDirections: [] });
  }
  const { latest, now } = (await env.DB.prepare(
    'SELECT max(changed_at) AS latest, unixepoch() AS now FROM units WHERE account_id = ?',
  )
    .bind(agency.accountId)
    .first<{ latest: number; now: number }>())!;
  expect(latest).toBeLessThanOrEqual(now + 1);
  const account = await env.DB.prepare('SELECT changed_at FROM accounts WHERE id = ?')
    .bind(agency.accountId)
    .first<number>('changed_at');
  expect(account).toBeLessThanOrEqual(now + 1);
});

test('a unit with directions in other spellings: the feed has the points of the compass in each language', async () => {
  await openNext(['A-1']);
  const UntDirections = [' s ', 'O', 'north east', 'sea'];
  await update({ UntName: 'A-1', UntStatus: 1, UntPrice: 1, UntDirections });
  const { xml } = await feed(3, { Language: '1,2' });
  const [, words = ''] = /<uk>Orientation<\/uk>.*?<\/name>(.*?)<\/category>/s.exec(xml) ?? [];
  expect([...words.matchAll(/<(?:uk|es)>([^<]+)/g)].map(([, word]) => word)).toEqual([
    ...['South', 'Sur', 'West', 'Oeste', 'North East', 'Noreste', 'sea', 'sea'],
  ]);
});
