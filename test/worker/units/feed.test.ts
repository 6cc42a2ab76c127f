import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '../../../src/app.ts';
import { ask as askWith, type CompleteResponse, watched } from '../../support/ask.ts';
import { checkFeedResponse, feedUrl, fetchFeed } from '../../support/feed.ts';
import { keysInKv, recordedKeys } from '../../support/sparse.ts';
import { type Agency, ask, DEVELOPMENT, ORIGIN, obtainToken, openAgency, withToken } from '../../support/units.ts';
import { parseXml, type XmlElement } from '../../support/xml.ts';

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
  const response = await ask(path, { method: 'POST', headers: withToken(token), body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

function address(version: number, more: Record<string, string> = {}): string {
  return feedUrl({ U: `OWNPROPERTIES@${agency.code}`, P: 'demo', FV: version, Language: 1, ...more });
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
  const category = record.all('characteristics/category').find((found) => found.textOf('name/uk') === 'Orientation');
  return category?.texts('value/uk') ?? [];
}

describe.each([1, 2, 3])('the next feed of version %i, after one from snapshots', (version) => {
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
    expect([recordOf(without, 'A-101'), recordOf(without, 'A-102')?.name]).toEqual([undefined, 'property']);
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
    const before = (await feedFromSnapshots(version)).document;
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice: Math.random(), UntDirections: [] });
    const after = (await feed(version)).document;
    const updated = (document: XmlElement, unit: string) => recordOf(document, unit)!.textOf('last_updated')!;
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
  expect((await askWith(path, { method: 'POST', headers: withToken(token), body }, lost)).status).toBe(503);
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
    const [stored, listed] = [await keysInKv(agency.accountId), await recordedKeys(agency.accountId)];
    expect(stored).not.toEqual([]);
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice: 100_000, UntDirections: [] });
    const response = await feed(3);
    expect(response.headers.get('Cache-Status')).toContain('hit');
    expect([await keysInKv(agency.accountId), await recordedKeys(agency.accountId)]).toEqual([stored, listed]);
  });

  test('of sale feeds are deleted after a price change, those of rental feeds remain', async () => {
    const cached = async (category: string) =>
      env.DB.prepare('SELECT count(*) AS n FROM snapshots WHERE account_id = ? AND parameters LIKE ?')
        .bind(agency.accountId, `%&T=${category}&%`)
        .first<number>('n');
    await feedFromSnapshots(3, { T: 'SALE' });
    await feedFromSnapshots(3, { T: 'RENT' });
    expect([await cached('SALE'), await cached('RENT')]).toEqual([1, 1]);
    await update({ UntName: 'A-101', UntStatus: 1, UntPrice: 5, UntDirections: [] });
    await expect.poll(() => cached('SALE')).toBe(0);
    expect(await cached('RENT')).toBe(1);
  });
});

test('bursts of 50 writers on 20 units with 50 readers: no reader sees a state older than a 200', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `U-${index}`);
  await openNext(names);
  // Not through the test pool's own entry, which becomes slower with each request.
  const context = createExecutionContext();
  const send = (address: string, init: RequestInit = {}) =>
    app.fetch(new Request(new URL(address, ORIGIN), init), env, context);
  let price = 0;
  /** By unit: the values of each version, according to the 200s. */
  const written = new Map(names.map((name) => [name, new Map<number, { price: number; status: number }>()]));
  const latest = new Map(names.map((name) => [name, 1]));
  const seen: { unit: string; price: number; atLeast: number }[] = [];

  const received = new Map<string, Omit<CompleteResponse, 'usage'>>();

  async function write(writer: number): Promise<void> {
    const UntName = names[writer % names.length]!;
    const body = {
      UntName,
      UntStatus: [1, 2, 8][writer % 3],
      UntPrice: ++price,
      UntDirections: [['N', 'S', 'E'][writer % 3]],
    };
    const path = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;
    const response = await send(path, { method: 'POST', headers: withToken(token), body: JSON.stringify(body) });
    const { version, UntPrice, UntStatus } = await response.json<{
      version: number;
      UntPrice: number;
      UntStatus: number;
    }>();
    expect([response.status, UntPrice]).toEqual([200, body.UntPrice]);
    written.get(UntName)!.set(version, { price: UntPrice, status: UntStatus });
    latest.set(UntName, Math.max(latest.get(UntName)!, version));
  }

  async function read(reader: number): Promise<void> {
    const atLeast = new Map(latest);
    const response = await send(address((reader % 3) + 1));
    const bytes = new Uint8Array(await response.arrayBuffer());
    received.set(response.headers.get('ETag')!, { status: response.status, headers: response.headers, bytes });
    const document = parseXml(new TextDecoder().decode(bytes));
    for (const unit of names) {
      seen.push({ unit, price: Number(recordOf(document, unit)!.textOf('price')), atLeast: atLeast.get(unit)! });
    }
  }

  for (let burst = 0; burst < 2; burst++) {
    for (const version of [1, 2, 3]) await feedFromSnapshots(version);
    const writers = Array.from({ length: 50 }, (_, index) => write(burst * 50 + index));
    const readers = Array.from({ length: 50 }, async (_, index) => {
      for (let i = 0; i < index % 5; i++) await writers[i * 7];
      await read(index);
    });
    await Promise.all([...writers, ...readers]);
  }
  await waitOnExecutionContext(context);
  for (const response of received.values()) expect((await checkFeedResponse(response)).status).toBe(200);

  const versionOf = (unit: string, shown: number) =>
    shown === 100_000 ? 1 : [...written.get(unit)!].find(([, set]) => set.price === shown)![0];
  expect(seen.filter(({ unit, price, atLeast }) => versionOf(unit, price) < atLeast)).toEqual([]);
  expect(seen.some(({ atLeast }) => atLeast > 1)).toBe(true);

  const { document } = await feed(3);
  for (const name of names) {
    const response = await send(`/v1/developments/${DEVELOPMENT}/units/${name}`, { headers: withToken(token) });
    const unit = await response.json<{
      UntPrice: number;
      version: number;
      changes: { from: { UntPrice: number }; to: { UntPrice: number } }[];
    }>();
    const accepted = [...written.get(name)!].sort(([a], [b]) => a - b).map(([, set]) => set.price);
    expect(unit.changes.map(({ to }) => to.UntPrice).reverse()).toEqual(accepted);
    expect(unit.changes.map(({ from }) => from.UntPrice).reverse()).toEqual([100_000, ...accepted.slice(0, -1)]);
    expect([unit.UntPrice, unit.version]).toEqual([accepted.at(-1), accepted.length + 1]);
    expect(recordOf(document, name)!.textOf('price')).toBe(String(unit.UntPrice));
  }
});
