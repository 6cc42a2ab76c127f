import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { writeFormatSettings } from '../../../src/accounts/accounts.ts';
import { invalidateReaders } from '../../../src/feed/access/callers.ts';
import { invalidateManifests } from '../../../src/feed/manifest/manifest-cache.ts';
import { changeReader, newReader } from '../../../src/readers/api/reader.ts';
import { SOMEBODY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { sparseAccount } from '../../support/accounts/sparse.ts';
import { checkFeedResponse } from '../../support/documents/feed.ts';
import { ask } from '../../support/worker/ask.ts';

const PRESET = 'FV=3&Language=1,2,3&T=SALE';

let account: number;
let readers = 0;

beforeAll(async () => {
  account = (await sparseAccount('PRESETS', [1, 501])).id;
});

async function feed(key: string, query = '', init: RequestInit = {}) {
  const { usage, ...response } = await ask(
    `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@PRESETS&P=${key}${query}`,
    init,
  );
  return { ...(await checkFeedResponse(response)), usage };
}

function open(preset: string, fixed = false): Promise<string> {
  return openReader(account, `reader-${++readers}`, preset, fixed);
}

async function etagOf(key: string, query = ''): Promise<string | null> {
  await feed(key, query);
  return (await feed(key, query)).headers.get('ETag');
}

describe('a preset', () => {
  test('GET with U and P alone: the feed that its parameters select, at an isolate without manifest in one round trip', async () => {
    const key = await open(PRESET);
    const etag = await etagOf(key);
    expect(etag).toBe(await etagOf('secret', `&${PRESET}`));
    invalidateManifests(account);
    invalidateReaders(account);
    const { document, usage, headers } = await feed(key);
    expect([document.textOf('resalesonline/feed_version'), usage.roundTrips]).toEqual(['3', 1]);
    expect(headers.get('Cache-Status')).toContain('2 of 2 parts cached');
  });

  test('GET with parameters: they take precedence, the others of the preset apply', async () => {
    const key = await open(PRESET);
    expect(await etagOf(key, '&fv=2&IC=3')).toBe(
      await etagOf('secret', '&FV=2&Language=1,2,3&T=SALE&IC=3'),
    );
  });

  test('GET with parameters at an isolate without manifest: the same feed', async () => {
    const key = await open('T=SALE');
    const etag = await etagOf(key, '&FV=3');
    invalidateManifests(account);
    invalidateReaders(account);
    expect((await feed(key, '&FV=3')).headers.get('ETag')).toBe(etag);
    expect(etag).toBe(await etagOf('secret', '&T=SALE&FV=3'));
  });

  test('GET with DisplayListingDate in the preset: the feed ordered by listing date', async () => {
    const key = await open('DisplayListingDate=TRUE&FV=3');
    expect(await etagOf(key)).toBe(await etagOf('secret', '&DisplayListingDate=TRUE&FV=3'));
    invalidateManifests(account);
    invalidateReaders(account);
    expect(await etagOf(key)).toBe(await etagOf('secret', '&DisplayListingDate=TRUE&FV=3'));
  });

  test('GET after the preset was changed: within a second, the feed of the new one', async () => {
    const key = await open('FV=3');
    expect((await feed(key)).document.textOf('resalesonline/feed_version')).toBe('3');
    await env.DB.prepare("UPDATE readers SET preset = 'FV=2', parameters = NULL WHERE name = ?")
      .bind(`reader-${readers}`)
      .run();
    vi.setSystemTime(Date.now() + 1_000);
    expect((await feed(key)).document.textOf('resalesonline/feed_version')).toBe('2');
    vi.useRealTimers();
  });
});

describe('GET with the date of the last feed, after the reader was given another', () => {
  test.each<[string, (name: string) => Promise<unknown>]>([
    [
      'by a preset',
      (name) => changeReader(env.DB, { accountId: account, name }, { preset: 'FV=2' }, SOMEBODY),
    ],
    [
      'by a policy',
      (name) =>
        changeReader(env.DB, { accountId: account, name }, { withhold: ['postcode'] }, SOMEBODY),
    ],
    [
      'by a channel',
      async (name) => {
        const channelId = await openChannel(env.DB, { accountId: account, name: 'coast' });
        await env.DB.prepare('UPDATE accounts SET changed_at = 1').run();
        await changeReader(env.DB, { accountId: account, name }, { channelId }, SOMEBODY);
      },
    ],
    [
      'by what the account states',
      () => writeFormatSettings(env.DB, account, 'idealista', 'ContactPhone=910000000'),
    ],
  ])('%s: 200', async (_, change) => {
    await env.DB.prepare('UPDATE accounts SET changed_at = 1 WHERE id = ?').bind(account).run();
    const key = await open('FV=3');
    const headers = { 'If-Modified-Since': new Date().toUTCString() };
    const statuses: number[] = [];
    for (const happens of [() => undefined, change]) {
      await happens(`reader-${readers}`);
      invalidateManifests(account);
      invalidateReaders(account);
      statuses.push((await feed(key, '', { headers })).status);
    }
    expect(statuses).toEqual([304, 200]);
  });
});

test.each([
  ['preset', { preset: 'FV=2' }, true],
  ['policy', { withhold: ['postcode'] }, true],
  ['order of the preset', { preset: 't=sale&fv=3' }, false],
  ['right to give other parameters', { fixed: true }, false],
])(
  'GET after a change of the %s: properties are shown as updated then: %s %s',
  async (_, change, isDated) => {
    const [changed, other] = [await open('FV=3&T=SALE'), await open('FV=3&T=SALE')];
    // With another number, the time stays as it is given. The other incarnation has no snapshots with the time before.
    await env.DB.batch([
      env.DB.prepare('UPDATE properties SET changed_at = 86400, change = change + 1'),
      env.DB.prepare('UPDATE accounts SET incarnation = incarnation + 1'),
    ]);
    const address = { accountId: account, name: `reader-${readers - 1}` };
    expect(await changeReader(env.DB, address, change, SOMEBODY)).toBe('changed');
    invalidateManifests(account);
    invalidateReaders(account);
    const dates = async (key: string) =>
      new Set((await feed(key)).document.texts('property/last_updated'));
    expect(await dates(other)).toEqual(new Set(['1970-01-02 00:00:00']));
    const today = new Date().toISOString().slice(0, 10);
    expect([...(await dates(changed))]).toEqual([
      isDated ? expect.stringContaining(today) : '1970-01-02 00:00:00',
    ]);
  },
);

describe('a fixed preset', () => {
  test.each([
    ['&T=RENT', 'T'],
    ['&FV=3&Language=1', 'Language'],
    ['&FV=1', 'FV'],
  ])('GET ?%s: 400 that names the parameter', async (query, parameter) => {
    const key = await open(PRESET, true);
    for (const _ of ['unknown to the isolate', 'known']) {
      const { status, document } = await feed(key, query);
      expect([status, document.textOf('error/code')]).toEqual([400, 'bad_parameter']);
      expect(document.textOf('error/message')).toMatch(new RegExp(`^${parameter} is fixed to `));
    }
    expect(await etagOf(key)).toBe(await etagOf('secret', `&${PRESET}`));
  });

  test('GET with the same values, differently written, and with other parameters: 200', async () => {
    const key = await open(PRESET, true);
    expect((await feed(key, '&t=sale&Language=3,2,1&IC=2')).status).toBe(200);
  });

  test('GET with a wrong key and a contradiction: 401', async () => {
    const key = await open(PRESET, true);
    const wrong = `${key.slice(0, -2)}${key.endsWith('aa') ? 'bb' : 'aa'}`;
    expect((await feed(wrong, '&T=RENT')).status).toBe(401);
  });
});

describe('a preset to be stored', () => {
  const errorsOf = (preset: string) => {
    const created = newReader({ accountId: 1, name: 'a', preset, fixed: false, channelId: null });
    return 'errors' in created
      ? created.errors.map(({ parameter }) => parameter)
      : created.reader.preset;
  };

  test.each([
    ['FV=4&T=LET', ['FV', 'T']],
    ['T=SALE&t=RENT', ['T']],
    ['Fv=3&Foo=1', ['Foo']],
    ['U=OWNPROPERTIES@A&P=b', ['U', 'P']],
    ['N=100&P_PageNo=2', ['N', 'P_PageNo']],
  ])('%s: errors that name %s', (preset, parameters) => {
    expect(errorsOf(preset)).toEqual(parameters);
  });

  test('is stored in canonical form', () => {
    expect(errorsOf('?fv=3&language=2,1&t=sale&vt=TRUE')).toBe('FV=3&Language=1,2&T=SALE&VT=1');
    expect(errorsOf('')).toBe('');
  });

  test('one that is no longer valid: 400 that names the parameter', async () => {
    const key = await open('FV=3');
    await env.DB.prepare("UPDATE readers SET preset = 'FV=9' WHERE name = ?")
      .bind(`reader-${readers}`)
      .run();
    const { status, document } = await feed(key);
    expect([status, document.textOf('error/message')]).toEqual([
      400,
      expect.stringContaining("FV is '9'"),
    ]);
  });
});
