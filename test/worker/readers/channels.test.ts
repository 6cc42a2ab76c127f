import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { invalidateReaders } from '../../../src/feed/access/callers.ts';
import { invalidateManifests } from '../../../src/feed/manifest/manifest-cache.ts';
import {
  addToChannel,
  channelProperties,
  deleteChannel,
  findChannelId,
  listChannels,
  removeFromChannel,
} from '../../../src/readers/channels.ts';
import { deleteReader } from '../../../src/readers/readers.ts';
import { SOMEBODY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { addProperties, setPrice, sparseAccount } from '../../support/accounts/sparse.ts';
import { obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { checkFeedResponse } from '../../support/documents/feed.ts';
import { call as callApi } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';

let accounts = 0;
let code: string;
let account: number;

beforeEach(async () => {
  code = `CHANNELS${++accounts}`;
  account = (await sparseAccount(code, [1, 2, 501, 502])).id;
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** A feed at an isolate that has read nothing yet. */
async function feed(password: string, query = '') {
  invalidateManifests(account);
  invalidateReaders(account);
  const { usage, ...answer } = await ask(
    `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${password}${query}`,
  );
  const { document, headers } = await checkFeedResponse(answer);
  const ids = document.all('property').map((record) => record.textOf('id'));
  return { ids, etag: headers.get('ETag'), cache: headers.get('Cache-Status'), usage };
}

async function open(name: string, ...properties: string[]): Promise<{ id: number; key: string }> {
  const id = await openChannel(env.DB, { accountId: account, name });
  if (properties.length > 0)
    await addToChannel(env.DB, { accountId: account, name }, properties, SOMEBODY);
  return { id, key: await openReader(account, `reader-${name}`, '', false, id) };
}

/** Sets the status of the property with a number. */
async function setStatus(number: number, status: string): Promise<void> {
  await env.DB.prepare(
    "UPDATE properties SET document = json_set(document, '$.status', ?3) WHERE account_id = ?1 AND number = ?2",
  )
    .bind(account, number, status)
    .run();
}

/** The feed's ETag once all of it is cached. */
async function cachedTag(password: string, query = ''): Promise<string | null> {
  await feed(password, query);
  const { etag, cache } = await feed(password, query);
  expect(cache).toContain('; hit');
  return etag;
}

describe('a reader with a channel', () => {
  test.each(['', '&DisplayListingDate=TRUE'])(
    'GET ?%s: the properties of its channel only; without one: all',
    async (query) => {
      const { key } = await open('a', '2', '501');
      expect((await feed(key, query)).ids.toSorted()).toEqual(['2', '501']);
      const all = ['1', '2', '501', '502'];
      expect((await feed(await openReader(account, 'all'), query)).ids.toSorted()).toEqual(all);
      expect((await feed('secret', query)).ids.toSorted()).toEqual(all);
      // How many parts there are would tell how many properties.
      const again = await feed(key, query);
      expect([again.ids.toSorted(), again.cache]).toEqual([['2', '501'], 'Lindero; hit']);
    },
  );

  test.each(['', '&DisplayListingDate=TRUE'])(
    'GET ?%s after an assignment and its removal: shows them',
    async (query) => {
      const { id, key } = await open('a', '1');
      const before = await cachedTag(key, query);
      await addToChannel(env.DB, { accountId: account, name: 'a' }, ['502'], SOMEBODY);
      expect((await feed(key, query)).ids.toSorted()).toEqual(['1', '502']);
      await removeFromChannel(env.DB, account, id, ['502'], SOMEBODY);
      const after = await feed(key, query);
      expect(after.ids).toEqual(['1']);
      expect(after.etag).not.toBe(before);
    },
  );

  test('GET after a change of a property, its withdrawal and its deletion: shows them', async () => {
    const { key } = await open('a', '1', '501', '502');
    const tags = [await cachedTag(key)];
    await setPrice(account, 1, 4_711);
    tags.push(await cachedTag(key));
    await setStatus(501, 'Withdrawn');
    expect((await feed(key)).ids).toEqual(['1', '502']);
    tags.push(await cachedTag(key));
    await env.DB.prepare('DELETE FROM properties WHERE account_id = ? AND number = 502')
      .bind(account)
      .run();
    expect((await feed(key)).ids).toEqual(['1']);
    tags.push(await cachedTag(key));
    expect(new Set(tags).size).toBe(tags.length);
    await setStatus(501, 'Available');
    expect((await feed(key)).ids).toEqual(['1', '501']);
  });
});

describe('changes of a channel', () => {
  test('that change nothing: the ETag stays', async () => {
    const { id, key } = await open('a', '1');
    const before = await cachedTag(key);
    await addToChannel(env.DB, { accountId: account, name: 'a' }, ['1'], SOMEBODY);
    await removeFromChannel(env.DB, account, id, ['2'], SOMEBODY);
    await setStatus(502, 'Withdrawn');
    const withdrawn = await cachedTag(key);
    await addToChannel(env.DB, { accountId: account, name: 'a' }, ['502'], SOMEBODY);
    expect([before === null, await cachedTag(key)]).toEqual([false, withdrawn]);
  });

  test('If-Modified-Since: 304; from before an assignment, or the end of one: 200', async () => {
    const { id, key } = await open('a', '1');
    const headers = { 'If-Modified-Since': new Date(Date.now() - 30_000).toUTCString() };
    const statusAfter = async (change: () => Promise<unknown>) => {
      await env.DB.prepare('UPDATE accounts SET changed_at = unixepoch() - 60').run();
      await change();
      invalidateManifests(account);
      return (await ask(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${key}`, { headers }))
        .status;
    };
    expect(await statusAfter(async () => {})).toBe(304);
    expect(
      await statusAfter(() =>
        addToChannel(env.DB, { accountId: account, name: 'a' }, ['2'], SOMEBODY),
      ),
    ).toBe(200);
    expect(await statusAfter(() => removeFromChannel(env.DB, account, id, ['2'], SOMEBODY))).toBe(
      200,
    );
  });
});

test('1,001 properties are added to a channel and removed again, by whom: in the history of each', async () => {
  const numbers = Array.from({ length: 1_001 }, (_, index) => 1_000 + index);
  await addProperties(account, numbers);
  const ids = [...numbers.map(String), 'UNKNOWN'];
  const address = { accountId: account, name: 'many' };
  const added = { changed: 1_001, unknown: ['UNKNOWN'] };
  expect(await addToChannel(env.DB, address, ids, { kind: 'client', name: 'crm' })).toEqual(added);
  expect(await addToChannel(env.DB, address, ids, SOMEBODY)).toEqual({ ...added, changed: 0 });
  expect(await listChannels(env.DB, account, null, 9)).toEqual([
    { name: 'many', properties: 1_001 },
  ]);
  const id = (await findChannelId(env.DB, address))!;
  expect(await channelProperties(env.DB, account, id)).toEqual(numbers.map(String));
  expect(
    await removeFromChannel(env.DB, account, id, ids, { kind: 'source', name: 'web' }),
  ).toEqual(added);
  const { results } = await env.DB.prepare(
    'SELECT h.actor, count(*) AS rows FROM property_history h WHERE h.account_id = ? GROUP BY 1 ORDER BY 1',
  )
    .bind(account)
    .all();
  expect(results).toEqual([
    { actor: 'client:crm', rows: 1_001 },
    { actor: 'source:web', rows: 1_001 },
  ]);
  expect(await listChannels(env.DB, account, 'l', 9)).toEqual([{ name: 'many', properties: 0 }]);
});

describe('the deletion of a channel', () => {
  test('while a reader has it: nothing happens; afterwards, a new one of the same name has no properties', async () => {
    const { id, key } = await open('a', '1');
    await cachedTag(key);
    expect(await deleteChannel(env.DB, account, id, SOMEBODY)).toEqual(['reader-a']);
    expect((await feed(key)).ids).toEqual(['1']);
    await deleteReader(env.DB, { accountId: account, name: 'reader-a' });
    expect(await deleteChannel(env.DB, account, id, SOMEBODY)).toEqual([]);
    expect(await findChannelId(env.DB, { accountId: account, name: 'a' })).toBeNull();
    const again = await open('a');
    expect(again.id).not.toBe(id);
    expect((await feed(again.key)).ids).toEqual([]);
  });
});

describe('/v1/channels', () => {
  let token: string;

  beforeEach(async () => {
    const agency = await openAgency(
      `${code}-API`,
      ['A-1', 'A-2'],
      ['readers:write', 'readers:read'],
    );
    token = await obtainToken(agency);
    code = agency.code;
    account = agency.accountId;
  });

  const call = (method: string, path: string, body?: unknown, bearer = token) =>
    callApi(method, path, body, withToken(bearer));

  test('POST add and remove, GET, and a reader with the channel', async () => {
    const added = await call('POST', '/v1/channels/idealista/add', {
      properties: ['P1', 'P2', 'P9'],
    });
    expect(added).toMatchObject({
      status: 200,
      body: { channel: 'idealista', changed: 2, unknown_properties: ['P9'] },
    });
    expect((await call('GET', '/v1/channels')).body).toEqual({
      channels: [{ name: 'idealista', properties: 2 }],
    });
    const created = await call('POST', '/v1/readers', { name: 'portal', channel: 'idealista' });
    expect([created.status, created.body.channel]).toEqual([201, 'idealista']);
    expect((await feed(created.body.key)).ids).toEqual(['P1', 'P2']);
    await call('POST', '/v1/channels/other/add', { properties: ['P1'] });
    expect(
      (await call('POST', '/v1/channels/idealista/remove', { properties: ['P1'] })).body.changed,
    ).toBe(1);
    expect((await feed(created.body.key)).ids).toEqual(['P2']);
    expect((await call('GET', '/v1/channels/other')).body.properties).toEqual(['P1']);
    expect((await call('GET', '/v1/channels/idealista')).body).toEqual({
      name: 'idealista',
      properties: ['P2'],
    });
    expect((await call('DELETE', '/v1/channels/idealista')).body.code).toBe('channel_in_use');
    await call('DELETE', '/v1/readers/portal');
    expect((await call('DELETE', '/v1/channels/idealista')).status).toBe(204);
  });

  test('POST add while the channel is deleted, again and again: 200 and 204, never 503', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([
        call('POST', '/v1/channels/racing/add', { properties: ['P1'] }),
        call('DELETE', '/v1/channels/racing'),
        call('POST', '/v1/channels/racing/add', { properties: ['P2'] }),
      ]);
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].filter((status) => ![200, 204, 404, 429].includes(status))).toEqual([]);
  });

  test('a property that was just assigned: the reader has it once it was delivered, and no earlier', async () => {
    await call('POST', '/v1/channels/a/add', { properties: ['P1'] });
    const { key } = (await call('POST', '/v1/readers', { name: 'portal', channel: 'a' })).body;
    await feed(key);
    const state = async (id: string) =>
      (await call('GET', `/v1/properties/${id}/deliveries`)).body.deliveries[0].state;
    expect([await state('P1'), await state('P2')]).toEqual(['current', 'not in its channel']);
    await call('POST', '/v1/channels/a/add', { properties: ['P2'] });
    expect([await state('P1'), await state('P2')]).toEqual(['current', 'outdated']);
    vi.setSystemTime(Date.now() + 700_000);
    await feed(key);
    vi.useRealTimers();
    expect([await state('P1'), await state('P2')]).toEqual(['current', 'current']);
  });

  test('a reader that is moved to another channel: its feed is the new one; it has what was delivered of that', async () => {
    await call('POST', '/v1/channels/a/add', { properties: ['P1'] });
    const { key } = (await call('POST', '/v1/readers', { name: 'portal', channel: 'a' })).body;
    await call('POST', '/v1/channels/b/add', { properties: ['P2'] });
    expect((await feed(key)).ids).toEqual(['P1']);
    await call('PATCH', '/v1/readers/portal', { channel: 'b' });
    const state = async (id: string) =>
      (await call('GET', `/v1/properties/${id}/deliveries`)).body.deliveries[0].state;
    expect([await state('P1'), await state('P2')]).toEqual([
      'not in its channel',
      'never delivered',
    ]);
    expect((await feed(key)).ids).toEqual(['P2']);
    expect(await state('P2')).toBe('current');
    await call('PATCH', '/v1/readers/portal', { channel: null });
    expect((await feed(key)).ids).toEqual(['P1', 'P2']);
  });

  test("another account's channels: 404, and readers cannot have them", async () => {
    await call('POST', '/v1/channels/mine/add', { properties: ['P1'] });
    const other = await obtainToken(
      await openAgency(`${code}-B`, ['B-1'], ['readers:write', 'readers:read']),
    );
    for (const [method, path, body] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/remove', { properties: ['P1'] }],
    ] as const) {
      expect((await call(method, `/v1/channels/mine${path}`, body, other)).body.code).toBe(
        'channel_not_found',
      );
    }
    expect((await call('GET', '/v1/channels', undefined, other)).body).toEqual({ channels: [] });
    const reader = await call('POST', '/v1/readers', { name: 'thief', channel: 'mine' }, other);
    expect([reader.status, reader.body.errors[0].pointer]).toEqual([422, '/channel']);
    expect((await call('GET', '/v1/channels/mine')).body.properties).toEqual(['P1']);
  });

  test.each([
    [{}],
    [{ properties: [] }],
    [{ properties: ['P1', 2] }],
    [{ properties: ['P1'], more: 1 }],
    [[]],
  ])('POST add %j: 422, and nothing is assigned', async (body) => {
    expect((await call('POST', '/v1/channels/a/add', body)).status).toBe(422);
    expect((await call('GET', '/v1/channels')).body.channels).toEqual([]);
  });
});
