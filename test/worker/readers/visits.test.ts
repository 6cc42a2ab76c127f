import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { app } from '../../../src/app.ts';
import { listDeliveries } from '../../../src/readers/deliveries.ts';
import { listVisits, programOf } from '../../../src/readers/visits.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { setPrice, sparseAccount } from '../../support/accounts/sparse.ts';
import { obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { here } from '../../support/platform/here.ts';
import { Invocation } from '../../support/platform/invocation.ts';
import { call } from '../../support/worker/api.ts';
import { ask, failingWhen, runSchedule } from '../../support/worker/ask.ts';

const NAME = 'idealista';

let accounts = 0;
let account: number;
let url: string;
/** Seconds. */
let startedAt: number;

beforeEach(async () => {
  const code = `VISITS${++accounts}`;
  account = (await sparseAccount(code, [1, 2])).id;
  url = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${await openReader(account, NAME, 'T=SALE', true)}`;
  startedAt = new Date().setUTCHours(12, 0, 0, 0) / 1_000;
  vi.setSystemTime(startedAt * 1_000);
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

const now = () => Math.floor(Date.now() / 1_000);
const visits = (limit = 100, after: string | null = null) =>
  listVisits(env.DB, { accountId: account, name: NAME }, now(), limit, after);
const answers = async () => (await visits()).map(({ answer, count }) => [answer, count]);
const aside = () =>
  env.DB.prepare(
    'SELECT count(*) AS n FROM earlier_visits WHERE reader_id IN (SELECT id FROM readers WHERE account_id = ?)',
  )
    .bind(account)
    .first<number>('n');

/** Requests the feed with its ETag. */
async function askAgain(init: RequestInit = {}): Promise<void> {
  const { headers } = await ask(url.replace(/P=.*/, 'P=secret&T=SALE'));
  await ask(url, { ...init, headers: { 'If-None-Match': headers.get('ETag')!, ...init.headers } });
}

/** Stores this many visits a second apart as those of the feed that was requested. */
async function fill(count: number, from: number): Promise<void> {
  const filled = Array.from({ length: count }, (_, index) => [
    from + index,
    from + index,
    1,
    ['full', 200, index, 5, ''],
  ]);
  await env.DB.prepare(
    'UPDATE deliveries SET visits = ? WHERE reader_id IN (SELECT id FROM readers WHERE account_id = ?)',
  )
    .bind(JSON.stringify(filled), account)
    .run();
}

describe('what a request was answered', () => {
  test('GET, from the database and then from the cache: the whole feed, its records, its size and the program', async () => {
    const headers = { 'User-Agent': 'Kyero/2.1 (+https://www.kyero.com)' };
    const { bytes } = await ask(url, { headers });
    const visit = {
      at: startedAt,
      until: startedAt,
      count: 1,
      answer: 'full',
      status: 200,
      records: 2,
      bytes: bytes.length,
      program: 'Kyero/2.1 (+https://www.kyero.com)',
      feed: expect.stringMatching(/^resales\?FV=1&T=SALE/),
    };
    expect(await visits()).toEqual([visit]);
    pass(6_000);
    await ask(url, { headers });
    const later = { ...visit, at: startedAt + 6_000, until: startedAt + 6_000 };
    expect(await visits()).toEqual([later, visit]);
  });

  test('GET with the ETag: nothing new', async () => {
    await askAgain();
    expect(await visits()).toEqual([
      expect.objectContaining({ answer: 'not_modified', status: 304, records: null, bytes: 0 }),
    ]);
  });

  test('GET that contradicts the preset: refused, which counts neither as a feed nor as a visit that came in time', async () => {
    await ask(`${url}&T=RENT`);
    expect(await visits()).toEqual([
      expect.objectContaining({ answer: 'refused', status: 400, feed: 'none' }),
    ]);
    pass(1);
    await ask(url);
    expect(await answers()).toEqual([
      ['full', 1],
      ['refused', 1],
    ]);
    expect(await listDeliveries(env.DB, account)).toHaveLength(1);
  });

  test('GET with an impossible condition: refused; while D1 and KV fail: failed; HEAD: no feed', async () => {
    await ask(url, { headers: { 'If-Match': '"other"' } });
    pass(600);
    const failing = failingWhen(
      ({ of, what }) => of === 'KV get' || (of === 'D1' && what.includes('properties')),
      'it fails',
    );
    await ask(url, {}, failing);
    pass(600);
    await ask(url, { method: 'HEAD' });
    expect((await visits()).map(({ answer, status }) => [answer, status])).toEqual([
      ['no_feed', 200],
      ['failed', 503],
      ['refused', 412],
    ]);
  });

  test('GET whose reader disconnects: interrupted', async () => {
    const context = createExecutionContext();
    const invocation = new Invocation(here);
    const request = new Request(new URL(url, 'https://feeds.example'));
    const response = await invocation.run(() =>
      app.fetch(request, invocation.bindings(env), context),
    );
    await response.body!.cancel();
    invocation.background.begin();
    await waitOnExecutionContext(context);
    expect(await visits()).toEqual([
      expect.objectContaining({ answer: 'interrupted', records: null }),
    ]);
  });

  test('GET with a wrong key, and with the password of the account: nobody’s', async () => {
    await ask(url.replace(/P=lindero_/, 'P=lindero_x'));
    await ask(url.replace(/P=.*/, 'P=secret'));
    expect(await visits()).toEqual([]);
  });

  test('GET by a program that sends its key as its name: the key is not recorded', async () => {
    const key = url.replace(/.*P=/, '');
    await ask(url, { headers: { 'User-Agent': `loader ${key} https://me:pass@portal.example` } });
    const [visit] = await visits();
    expect(visit!.program).toBe('loader … https:…portal.example');
    expect(programOf('x'.repeat(200))).toHaveLength(80);
    expect(programOf('a\tb\u202ec')).toBe('a b c');
    expect(programOf(null)).toBe('');
  });
});

describe('equal answers', () => {
  test('GET with the ETag every minute for three hours: one visit, of which every request is counted', async () => {
    const before = await ask(url);
    const headers = { 'If-None-Match': (await ask(url)).headers.get('ETag')! };
    expect(before.status).toBe(200);
    for (let minute = 1; minute <= 180; minute++) {
      pass(60);
      await ask(url, { headers });
    }
    const [last, first] = await visits();
    expect([last!.answer, last!.until - last!.at, last!.count]).toEqual([
      'not_modified',
      179 * 60,
      180,
    ]);
    expect([first!.answer, first!.count]).toEqual(['full', 2]);
  });

  test('GET every hour and by another program, after two hours, or after a change: visits of their own', async () => {
    const by = (program: string) => ({ headers: { 'User-Agent': program } });
    await ask(url, by('a'));
    for (const [seconds, program] of [
      [3_600, 'a'],
      [3_600, 'b'],
      [7_200, 'b'],
    ] as const) {
      pass(seconds);
      await ask(url, by(program));
    }
    await setPrice(account, 1, 4_711_000);
    pass(3_600);
    await ask(url, by('b'));
    expect((await visits()).map(({ program, count }) => [program, count])).toEqual([
      ['b', 1],
      ['b', 1],
      ['b', 1],
      ['a', 2],
    ]);
  });

  test('GET with another answer each second for ten minutes: the last ten', async () => {
    await ask(url);
    for (let second = 1; second <= 30; second++) {
      pass(1);
      await ask(url, { method: second % 2 ? 'HEAD' : 'GET' });
    }
    pass(600);
    await ask(url);
    expect((await visits()).length).toBe(11);
  });
});

describe('the cost', () => {
  test('GET with the ETag every ten minutes: one row each, as before; of a row with fifty visits, one more', async () => {
    await askAgain();
    const { headers } = await ask(url.replace(/P=.*/, 'P=secret&T=SALE'));
    const conditional = { headers: { 'If-None-Match': headers.get('ETag')! } };
    const rows = async (init: RequestInit) => {
      pass(600);
      return (await ask(url, init, env, new Invocation(here, true))).usage.rowsWritten;
    };
    for (let times = 0; times < 5; times++) expect(await rows(conditional)).toBe(1);
    await fill(50, startedAt - 100);
    expect(await rows(conditional)).toBe(2);
    expect(await rows(conditional)).toBe(1);
    expect([await aside(), (await visits()).length]).toEqual([1, 51]);
  });
});

describe('old visits', () => {
  test('the list has those of 90 days; the daily sweep deletes the others, and all but the last 250 rows', async () => {
    await ask(url);
    await fill(50, now() - 91 * 86_400);
    pass(600);
    await ask(url);
    expect([await aside(), (await visits()).length]).toEqual([1, 1]);
    await env.DB.prepare(
      `INSERT INTO earlier_visits (reader_id, written_at, feed, visits)
       SELECT r.id, ?1 - j.value, 'resales?', '[]' FROM readers r, json_each(?2) j WHERE r.account_id = ?3`,
    )
      .bind(now(), JSON.stringify(Array.from({ length: 299 }, (_, index) => index + 1)), account)
      .run();
    // At the limit, nothing more is set aside.
    await fill(50, now() - 100);
    pass(600);
    await ask(url, { method: 'HEAD' });
    expect([await aside(), (await visits()).length]).toEqual([300, 1]);
    await env.DB.prepare('UPDATE earlier_visits SET written_at = 1 WHERE written_at = ?')
      .bind(now() - 601)
      .run();
    await runSchedule();
    expect(await aside()).toBe(250);
  });
});

describe('GET /v1/readers/{reader}/visits', () => {
  test('page by page, also where several ended in one second: each once; an unknown reader and another account: 404', async () => {
    const agency = await openAgency(`VISITS${accounts}-A`, [], ['readers:read']);
    account = agency.accountId;
    await openReader(account, NAME);
    await env.DB.prepare(
      `INSERT INTO deliveries (reader_id, feed, last_seen_at, visits)
       SELECT r.id, j.value, 1, ?1 FROM readers r, json_each('["resales?a","resales?b","none"]') j WHERE r.account_id = ?2`,
    )
      .bind(
        JSON.stringify([
          [now() - 9, now() - 5, 3, ['not_modified', 304, null, 0, 'a']],
          [now() - 4, now() - 4, 1, ['full', 200, 2, 700, 'a']],
        ]),
        account,
      )
      .run();
    const auth = withToken(await obtainToken(agency));
    const seen: unknown[] = [];
    let path: string | undefined = `/v1/readers/${NAME}/visits?limit=2`;
    while (path !== undefined) {
      const { status, body, headers } = await call('GET', path, undefined, auth);
      expect(status).toBe(200);
      seen.push(...body.visits);
      path = /<(.*)>/.exec(headers.get('Link') ?? '')?.[1];
    }
    const feeds = ['resales?b', 'resales?a', null];
    expect(seen).toEqual([
      ...feeds.map((feed) => expect.objectContaining({ feed, answer: 'full', requests: 1 })),
      ...feeds.map((feed) =>
        expect.objectContaining({ feed, answer: 'not_modified', requests: 3 }),
      ),
    ]);
    expect((await call('GET', '/v1/readers/nobody/visits', undefined, auth)).status).toBe(404);
    const other = await openAgency(`VISITS${accounts}-B`, [], ['readers:read']);
    const elsewhere = withToken(await obtainToken(other));
    expect((await call('GET', `/v1/readers/${NAME}/visits`, undefined, elsewhere)).status).toBe(
      404,
    );
  });
});
