import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deliveredStateOf } from '../../../src/readers/api/delivered-state.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { openReader } from '../../support/accounts/readers.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';

const UNITS = `/v1/developments/${DEVELOPMENT}/units`;

let agencies = 0;
let agency: Agency;
let token: string;
let key: string;
let startedAt: number;

beforeEach(async () => {
  startedAt = Math.floor(Date.now() / 1_000);
  vi.setSystemTime(startedAt * 1_000);
  agency = await openAgency(
    `HOLDING${++agencies}`,
    ['A-1'],
    ['units:write', 'units:read', 'readers:read'],
  );
  token = await obtainToken(agency);
  key = await openReader(agency.accountId, 'idealista', 'T=SALE');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

function time(seconds: number): string {
  return new Date((startedAt + seconds) * 1_000).toISOString().replace('.000', '');
}

const get = (path: string, bearer = token) => call('GET', path, undefined, withToken(bearer));

async function update(UntPrice: number, UntStatus = 1): Promise<void> {
  const body = JSON.stringify({ UntName: 'A-1', UntStatus, UntPrice, UntDirections: [] });
  expect(
    (await ask(`${UNITS}/update-by-name`, { method: 'POST', headers: withToken(token), body }))
      .status,
  ).toBe(200);
}

function feedPath(): string {
  return `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agency.code}&P=${key}`;
}

async function fetchFeed(): Promise<void> {
  expect((await ask(feedPath())).status).toBe(200);
}

/** By the clock of the database, which tests cannot set: a feed has a date from the third second after a change on. */
async function letChangesAge(): Promise<void> {
  await env.DB.prepare('UPDATE accounts SET changed_at = changed_at - 10').run();
}

/** What the API states of the only reader, by the unit and by its property, which must be the same. */
async function deliveredState(): Promise<object> {
  const byProperty = (await get('/v1/properties/P1/deliveries')).body;
  const byUnit = (await get(`${UNITS}/A-1`)).body;
  expect(byUnit.deliveries).toEqual(byProperty.deliveries);
  expect(byProperty.deliveries).toHaveLength(1);
  const { reader, feed, ...rest } = byProperty.deliveries[0];
  expect([reader, byProperty.property]).toEqual(['idealista', 'P1']);
  expect(feed === null || feed.startsWith('resales?')).toBe(true);
  return rest;
}

describe('who has the current state of a property', () => {
  test('never delivered, current since the delivery, outdated after a change, current again', async () => {
    expect(await deliveredState()).toEqual({ state: 'never delivered' });
    await fetchFeed();
    expect(await deliveredState()).toEqual({ state: 'current', since: time(0), delivery: 'sent' });
    pass(700);
    await update(200_000);
    expect(await deliveredState()).toEqual({ state: 'outdated', delivered_at: time(0) });
    pass(700);
    await fetchFeed();
    expect(await deliveredState()).toEqual({
      state: 'current',
      since: time(1_400),
      delivery: 'sent',
    });
  });

  test.each([
    ['ETag', 'If-None-Match'],
    ['Last-Modified', 'If-Modified-Since'],
  ])('a 304 for the %s that this delivery has given it: confirmed', async (validator, header) => {
    await letChangesAge();
    const { headers } = await ask(feedPath());
    pass(700);
    const init = { headers: { [header]: headers.get(validator)! } };
    expect((await ask(feedPath(), init)).status).toBe(304);
    expect(await deliveredState()).toEqual({
      state: 'current',
      since: time(0),
      delivery: 'confirmed',
    });
    pass(700);
    await update(1);
    await fetchFeed();
    expect(await deliveredState()).toEqual({
      state: 'current',
      since: time(1_400),
      delivery: 'sent',
    });
  });

  test.each([
    ['If-None-Match', '*'],
    ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
  ])('a 304 for %s: %s, which anyone can send: sent', async (header, value) => {
    await letChangesAge();
    await fetchFeed();
    pass(700);
    expect((await ask(feedPath(), { headers: { [header]: value } })).status).toBe(304);
    expect(await deliveredState()).toMatchObject({ state: 'current', delivery: 'sent' });
  });

  test('a 304 for the date of a state that was never sent to this reader: it does not have it', async () => {
    const other = await openReader(agency.accountId, 'other', 'T=SALE');
    const delivered = async () => {
      const { deliveries } = (await get('/v1/properties/P1/deliveries')).body;
      return deliveries.find(({ reader }: { reader: string }) => reader === 'idealista');
    };
    const sendDate = async () => {
      await letChangesAge();
      const { headers } = await ask(feedPath().replace(/P=.*/, `P=${other}`));
      const since = { 'If-Modified-Since': headers.get('Last-Modified')! };
      expect((await ask(feedPath(), { headers: since })).status).toBe(304);
    };
    await sendDate();
    expect(await delivered()).toMatchObject({ state: 'never delivered' });
    pass(700);
    await fetchFeed();
    pass(700);
    await update(200_000);
    await sendDate();
    expect(await delivered()).toMatchObject({ state: 'outdated' });
    pass(700);
    await fetchFeed();
    expect(await delivered()).toMatchObject({ state: 'current', since: time(2_100) });
  });

  test('a unit that is sold: outdated until a feed without it was delivered', async () => {
    await fetchFeed();
    await update(100_000, 4);
    pass(700);
    expect(await deliveredState()).toEqual({ state: 'outdated', delivered_at: time(0) });
    await fetchFeed();
    expect(await deliveredState()).toEqual({
      state: 'current',
      since: time(700),
      delivery: 'sent',
    });
  });

  test('a property that is withdrawn by an import: outdated until a feed without it was delivered', async () => {
    await store(env.DB, agency.accountId, [property('OTHER')]);
    await fetchFeed();
    await store(env.DB, agency.accountId, [property('OTHER', { status: 'Withdrawn' })]);
    const state = async () =>
      (await get('/v1/properties/OTHER/deliveries')).body.deliveries[0].state;
    expect(await state()).toBe('outdated');
    pass(700);
    await fetchFeed();
    expect(await state()).toBe('current');
  });

  test('a property of another account: the same 404 as an unknown one; readers of other accounts are not shown', async () => {
    const other = await openAgency(`HOLDING${agencies}-B`, ['B-1'], ['units:read', 'readers:read']);
    await store(env.DB, other.accountId, [property('FOREIGN')]);
    const [foreign, unknown] = [
      await get('/v1/properties/FOREIGN/deliveries'),
      await get('/v1/properties/UNKNOWN/deliveries'),
    ];
    expect([foreign.status, foreign.body.code]).toEqual([404, 'property_not_found']);
    expect(unknown.body).toEqual({
      ...foreign.body,
      detail: foreign.body.detail.replace('FOREIGN', 'UNKNOWN'),
    });
    expect(
      (await get('/v1/properties/FOREIGN/deliveries', await obtainToken(other))).body.deliveries,
    ).toEqual([]);
  });

  test('GET a unit with a token without readers:read: no deliveries, and 304 as before', async () => {
    const reading = await obtainToken(agency, 'units:read');
    expect((await get(`${UNITS}/A-1`, reading)).body.deliveries).toBeUndefined();
    const headers = withToken(reading, { 'If-None-Match': '"1"' });
    expect((await ask(`${UNITS}/A-1`, { headers })).status).toBe(304);
    expect((await get('/v1/properties/P1/deliveries', reading)).status).toBe(403);
  });

  test('GET a unit with readers:read and its ETag: 304 until the unit or its deliveries change; an update takes that ETag', async () => {
    const first = await ask(`${UNITS}/A-1`, { headers: withToken(token) });
    const etag = first.headers.get('ETag')!;
    const conditional = () =>
      ask(`${UNITS}/A-1`, { headers: withToken(token, { 'If-None-Match': etag }) });
    expect((await conditional()).status).toBe(304);
    await fetchFeed();
    expect((await conditional()).status).toBe(200);
    expect(
      (await ask(`${UNITS}/A-1`, { headers: withToken(token, { 'If-Match': etag }) })).status,
    ).toBe(200);
    expect(
      (await ask(`${UNITS}/A-1`, { headers: withToken(token, { 'If-Match': '"7"' }) })).status,
    ).toBe(412);
  });
});

describe('a delivery of revision 5', () => {
  const delivery = {
    at: 50,
    revision: 5,
    status: 200,
    bytes: 1,
    origin: 'hit',
    confirmedAt: null,
  } as const;

  test.each([
    [4, { state: 'current', since: '1970-01-01T00:00:20Z', delivery: 'confirmed' }],
    [5, { state: 'current', since: '1970-01-01T00:00:50Z', delivery: 'sent' }],
    [6, { state: 'outdated', delivered_at: '1970-01-01T00:00:50Z' }],
  ])('after one of revision 4, and a change with the number %d: %j', (change, state) => {
    const history = [
      [20, 4, 30],
      [50, 5, null],
    ] as const;
    expect(deliveredStateOf({ delivery, history }, change)).toEqual(state);
  });
});
