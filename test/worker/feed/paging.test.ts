import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { recentSnapshots } from '../../../src/feed/snapshots/store.ts';
import { addProperties, keysInKv, setPrice } from '../../support/accounts/sparse.ts';
import { checkFeedResponse } from '../../support/documents/feed.ts';
import { ask, type CompleteResponse } from '../../support/worker/ask.ts';
import { account, feed, feedWithFreshManifest, recorder, useAccount } from './snapshots/account.ts';

useAccount();

/** The account has five properties, each for sale and for rent. */
const RECORDS = 5;

/** An ETag without W/: a feed that is streamed while it is built has a weak one. */
function opaque({ headers }: CompleteResponse): string | undefined {
  return headers.get('ETag')?.replace('W/', '');
}

async function errorOf(query: string, init: RequestInit = {}) {
  const { status, document } = await checkFeedResponse(await feedWithFreshManifest(query, init));
  return { status, code: document.textOf('error/code'), message: document.textOf('error/message') };
}

describe.each(['nothing', 'everything'])('N, with %s cached', (cached) => {
  test('GET with N above the number of records: 200, the feed and its ETag', async () => {
    if (cached === 'everything') await feedWithFreshManifest();
    const limited = await feedWithFreshManifest(`N=${RECORDS + 1}`);
    const feed = await feedWithFreshManifest();
    expect(limited.status).toBe(200);
    expect(limited.bytes).toEqual(feed.bytes);
    expect(opaque(limited)).toBe(opaque(feed));
  });

  test.each([1, RECORDS])(
    'GET with N=%i: 400 unsupported_parameter, stating the number',
    async (limit) => {
      if (cached === 'everything') await feedWithFreshManifest();
      const { status, code, message } = await errorOf(`N=${limit}`);
      expect([status, code]).toEqual([400, 'unsupported_parameter']);
      expect(message).toContain(`${RECORDS} records`);
    },
  );

  test.each(['gzip', 'identity'])('HEAD with %s: the status of GET', async (encoding) => {
    const init = { method: 'HEAD', headers: { 'Accept-Encoding': encoding } };
    if (cached === 'everything') await feedWithFreshManifest();
    const rejected = await feedWithFreshManifest(`N=${RECORDS}`, init);
    expect([rejected.status, rejected.bytes.length]).toEqual([400, 0]);
    expect((await feedWithFreshManifest(`N=${RECORDS + 1}`, init)).status).toBe(200);
  });
});

describe('N', () => {
  test('GET with AR=TRUE: counts records, not properties', async () => {
    expect((await errorOf(`AR=TRUE&N=${2 * RECORDS}`)).message).toContain(`${2 * RECORDS} records`);
    expect((await feedWithFreshManifest(`AR=TRUE&N=${2 * RECORDS + 1}`)).status).toBe(200);
  });

  test('GET, and a record is added after the count: 400, never a feed of N records', async () => {
    for (const _ of ['built', 'cached']) await feed();
    await addProperties(account.id, [3]);
    for (const key of await keysInKv(account.id)) await env.SNAPSHOTS.delete(key);
    recentSnapshots.clear();
    const { document } = await checkFeedResponse(await feed(`N=${RECORDS + 1}`));
    expect(document.textOf('error/code')).toBe('unsupported_parameter');
    expect(document.textOf('error/message')).toContain(`${RECORDS + 1} records`);
  });

  test('GET with If-None-Match: 304 within the limit, 400 beyond it', async () => {
    const headers = { 'If-None-Match': (await feedWithFreshManifest()).headers.get('ETag')! };
    expect((await feedWithFreshManifest(`N=${RECORDS + 1}`, { headers })).status).toBe(304);
    expect((await feedWithFreshManifest(`N=${RECORDS}`, { headers })).status).toBe(400);
  });

  test('GET of a cached feed: the number comes from D1, without KV', async () => {
    await feedWithFreshManifest();
    const { uses, bindings } = recorder();
    await feedWithFreshManifest(`N=${RECORDS}`, {}, bindings);
    expect(uses.map(({ of }) => of)).toEqual(['D1']);
  });

  test('GET with a wrong password: 401, which does not reveal the number', async () => {
    const wrong = account.login.replace('secret', 'guess');
    expect((await ask(`/CreateXMLFeedV3.asp?${wrong}&N=1`)).status).toBe(401);
  });
});

describe('P_PageNo', () => {
  test('GET page 1: the feed', async () => {
    const expected = await feedWithFreshManifest();
    const page = await feedWithFreshManifest('P_PageNo=1&N=100');
    expect([page.status, opaque(page)]).toEqual([200, opaque(expected)]);
    expect(page.bytes).toEqual(expected.bytes);
  });

  test.each(['gzip', 'identity'])(
    'GET page 2 with %s: a complete document without records',
    async (encoding) => {
      const init = { headers: { 'Accept-Encoding': encoding } };
      const expected = await feedWithFreshManifest('FV=3', init);
      const page = await feedWithFreshManifest('FV=3&P_PageNo=2&N=1', init);
      const { document } = await checkFeedResponse(page);
      expect([page.status, document.all('property').length]).toEqual([200, 0]);
      expect(document.textOf('resalesonline/feed_version')).toBe('3');
      expect(page.headers.get('Content-Length')).toBe(String(page.bytes.length));
      expect(page.headers.get('ETag')).not.toBe(expected.headers.get('ETag'));
      const head = await feedWithFreshManifest('FV=3&P_PageNo=2', { ...init, method: 'HEAD' });
      expect(head.headers.get('ETag')).toBe(page.headers.get('ETag'));
      expect(head.headers.get('Content-Length')).toBe(String(page.bytes.length));
    },
  );

  test('GET page 2 with If-None-Match: 304, also after a change; with the ETag of the feed: 200', async () => {
    const expected = await feedWithFreshManifest();
    const page = await feedWithFreshManifest('P_PageNo=2');
    await setPrice(account.id, 1, 5);
    const status = async (etag: string | null) =>
      (await feedWithFreshManifest('P_PageNo=2', { headers: { 'If-None-Match': etag! } })).status;
    expect(await status(page.headers.get('ETag'))).toBe(304);
    expect(await status(expected.headers.get('ETag'))).toBe(200);
  });
});

test('GET p1 and p2, the first and last record, until an answer is empty: every record once', async () => {
  const pages = [1, 501].map((first) =>
    feedWithFreshManifest(`n=500&p1=${first}&p2=${first + 499}&P_Inc=0`),
  );
  const [records, rest] = (await Promise.all(pages)).map(
    (page) => page.text.match(/<property>/g)?.length ?? 0,
  );
  expect([records, rest]).toEqual([RECORDS, 0]);
});

test.each(['N=0', 'N=ten', 'P_PageNo=0', 'P_PageNo=last', 'p1=0'])(
  'GET ?%s: 400 bad_parameter that names the parameter, its value and what is allowed',
  async (query) => {
    const { status, code, message } = await errorOf(query);
    expect([status, code]).toEqual([400, 'bad_parameter']);
    expect(message).toContain(query.replace('=', " is '"));
    expect(message).toContain('1 or greater');
  },
);

test('GET with Ref: 400 unsupported_parameter, and an empty Ref counts as absent', async () => {
  const { status, code, message } = await errorOf('Ref=R1');
  expect([status, code]).toEqual([400, 'unsupported_parameter']);
  expect(message).toContain('Ref');
  expect((await feedWithFreshManifest('Ref=')).status).toBe(200);
});

test('GET with parameters of other feeds that are ignored: 200, the feed', async () => {
  const expected = await feedWithFreshManifest();
  const other = await feedWithFreshManifest(
    'I=TRUE&P_PageSize=2&P_Inc=1&Sandbox=TRUE&P_Sandbox=TRUE&p1=1&p2=2',
  );
  expect(other.bytes).toEqual(expected.bytes);
});
