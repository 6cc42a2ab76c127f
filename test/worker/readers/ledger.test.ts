import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { app } from '../../../src/app.ts';
import { readerView } from '../../../src/readers/api/view.ts';
import { listDeliveries } from '../../../src/readers/deliveries.ts';
import { findReader, setReaderDisabled } from '../../../src/readers/readers.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { setPrice, sparseAccount } from '../../support/accounts/sparse.ts';
import { obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { here } from '../../support/platform/here.ts';
import { Invocation } from '../../support/platform/invocation.ts';
import { ask, failingWhen, runSchedule, type Use, watched } from '../../support/worker/ask.ts';

const NAME = 'idealista';

let accounts = 0;
let account: number;
let url: string;
/** Seconds. */
let startedAt: number;

const logLines: string[] = [];

beforeEach(async () => {
  const code = `LEDGER${++accounts}`;
  account = (await sparseAccount(code, [1, 501])).id;
  url = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=${await openReader(account, NAME, 'T=SALE')}`;
  // Noon, so that no test crosses the end of a day.
  startedAt = new Date().setUTCHours(12, 0, 0, 0) / 1_000;
  vi.setSystemTime(startedAt * 1_000);
  logLines.length = 0;
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void logLines.push(line));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

async function feeds() {
  return listDeliveries(env.DB, account);
}

/** The number of the account's last change. */
async function revision(): Promise<number | null> {
  return env.DB.prepare('SELECT changes FROM accounts WHERE id = ?')
    .bind(account)
    .first<number>('changes');
}

/** Requests the feed and cancels its body after the first chunk. */
async function abort(init: RequestInit = {}, bindings = env): Promise<void> {
  const context = createExecutionContext();
  const request = new Request(new URL(url, 'https://feeds.example'), init);
  const invocation = new Invocation(here);
  const response = await invocation.run(() =>
    app.fetch(request, invocation.bindings(bindings), context),
  );
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  invocation.background.begin();
  await waitOnExecutionContext(context);
}

describe('a complete feed', () => {
  test('GET: time, revision, status, bytes, origin and the count of the day are recorded', async () => {
    const { bytes } = await ask(url);
    const now = await revision();
    expect(await feeds()).toEqual([
      {
        reader: NAME,
        feed: expect.stringMatching(/^resales\?FV=1&T=SALE/),
        delivery: {
          at: startedAt,
          revision: now,
          status: 200,
          bytes: bytes.length,
          origin: 'miss',
          confirmedAt: null,
        },
        lastSeenAt: startedAt,
        usualInterval: null,
        intervals: 0,
        days: { [new Date().toISOString().slice(0, 10)]: [1, 0] },
        history: [[startedAt, now, null]],
      },
    ]);
  });

  test.each([
    ['identity', {}],
    ['gzip', { 'Accept-Encoding': 'gzip' }],
  ])('GET from the cache with %s: a hit with the bytes that were sent', async (_, headers) => {
    await ask(url);
    pass(600);
    const { bytes } = await ask(url, { headers });
    const [feed] = await feeds();
    expect(feed?.delivery).toMatchObject({
      at: startedAt + 600,
      bytes: bytes.length,
      origin: 'hit',
    });
  });

  test('GET with its ETag: the 304 is a request, and the delivery stays the one before', async () => {
    await ask(url);
    const { headers } = await ask(url);
    pass(600);
    expect((await ask(url, { headers: { 'If-None-Match': headers.get('ETag')! } })).status).toBe(
      304,
    );
    const [feed] = await feeds();
    expect(feed?.delivery).toMatchObject({ at: startedAt, status: 200 });
    expect([feed?.lastSeenAt, Object.values(feed!.days)]).toEqual([startedAt + 600, [[2, 1]]]);
  });

  test('a 304 for a state of which no delivery was recorded: shows that the reader has it', async () => {
    await ask(url);
    await setPrice(account, 1, 5);
    pass(60);
    await ask(url);
    const { headers } = await ask(url);
    const now = await revision();
    await env.DB.prepare('UPDATE deliveries SET delivered_at = 1, revision = 1').run();
    pass(1_200);
    await ask(url, { headers: { 'If-None-Match': headers.get('ETag')! } });
    const [feed] = await feeds();
    expect(feed?.delivery).toMatchObject({ revision: now });
  });

  test('GET with the password of the account: nothing is recorded', async () => {
    await ask(url.replace(/P=.*/, 'P=secret'));
    expect(await feeds()).toEqual([]);
  });

  test('HEAD: a request, no delivery', async () => {
    await ask(url, { method: 'HEAD' });
    expect(await feeds()).toEqual([
      expect.objectContaining({ delivery: null, lastSeenAt: startedAt, days: {} }),
    ]);
  });
});

describe('an aborted feed counts as none', () => {
  test('a feed that is being built', async () => {
    await abort();
    expect(await feeds()).toEqual([
      expect.objectContaining({ delivery: null, lastSeenAt: startedAt, days: {} }),
    ]);
  });

  test('a cached feed', async () => {
    await ask(url);
    pass(600);
    await setPrice(account, 1, 5);
    await ask(url.replace(/P=.*/, 'P=secret&T=SALE'));
    const before = (await feeds())[0]?.delivery;
    await abort();
    const [feed] = await feeds();
    expect([feed?.delivery, feed?.lastSeenAt]).toEqual([before, startedAt + 600]);
  });

  test('a feed that D1 fails in the middle of', async () => {
    let reads = 0;
    const failing = failingWhen(
      ({ of, what }) => of === 'D1' && what.includes('properties') && ++reads > 1,
      'D1 fails',
    );
    await ask(url, {}, failing).catch(() => {});
    expect((await feeds()).every(({ delivery }) => delivery === null)).toBe(true);
  });
});

describe('a reader that requests a feed again within ten minutes', () => {
  test('GET of what it has taken: counted, but not observed, and the delivery stays the one before', async () => {
    await ask(url);
    const before = (await feeds())[0]?.delivery;
    let observed = 0;
    const construct = (target: typeof ReadableStream, given: unknown[]) => {
      if (Object.hasOwn(given[0] as object, 'expectedLength')) observed++;
      return Reflect.construct(target, given);
    };
    vi.stubGlobal('ReadableStream', new Proxy(ReadableStream, { construct }));
    pass(599);
    await ask(url);
    expect(observed).toBe(0);
    pass(1);
    await ask(url);
    expect(observed).toBe(1);
    const [feed] = await feeds();
    expect(feed?.delivery).toEqual({ ...before, at: startedAt + 600, origin: 'hit' });
    expect(Object.values(feed!.days)).toEqual([[3, 0]]);
  });

  test('GET after a change, aborted: it has not got the change', async () => {
    await ask(url);
    const before = (await feeds())[0]?.delivery;
    await setPrice(account, 1, 5);
    await ask(url.replace(/P=.*/, 'P=secret&T=SALE'));
    pass(60);
    await abort();
    pass(600);
    await ask(url, { method: 'HEAD' });
    const [feed] = await feeds();
    expect([feed?.delivery, Object.values(feed!.days)]).toEqual([before, [[1, 0]]]);
  });

  test('GET after a change, then twice with its ETag: sent when it was, and confirmed by the first of the two', async () => {
    await ask(url);
    await setPrice(account, 1, 5);
    pass(60);
    await ask(url);
    const { headers } = await ask(url);
    for (let times = 0; times < 2; times++) {
      pass(60);
      expect((await ask(url, { headers: { 'If-None-Match': headers.get('ETag')! } })).status).toBe(
        304,
      );
    }
    pass(600);
    await ask(url, { method: 'HEAD' });
    const [feed] = await feeds();
    expect(feed?.delivery).toMatchObject({
      at: startedAt + 60,
      status: 200,
      confirmedAt: startedAt + 120,
    });
  });

  test('GET while KV and D1 fail: 503, a request', async () => {
    await ask(url);
    const failing = failingWhen(
      ({ of, what }) => of === 'KV get' || (of === 'D1' && what.includes('properties')),
      'it fails',
    );
    pass(60);
    expect((await ask(url, {}, failing)).status).toBe(503);
    pass(600);
    await ask(url, { method: 'HEAD' });
    const [feed] = await feeds();
    expect([Object.values(feed!.days), feed?.usualInterval]).toEqual([[[1, 0]], 330]);
  });
});

describe('the cost', () => {
  test('GET every minute for an hour: at most one row in ten minutes, and every request is counted', async () => {
    const { headers } = await ask(url);
    const etag = { headers: { 'If-None-Match': headers.get('ETag')! } };
    let rows = 0;
    for (let minute = 1; minute <= 60; minute++) {
      pass(60);
      rows += (await ask(url, etag, env, new Invocation(here, true))).usage.rowsWritten;
    }
    expect(rows).toBeLessThanOrEqual(6);
    const [feed] = await feeds();
    expect(
      Object.values(feed!.days).reduce((sum, [full, notModified]) => sum + full + notModified, 0),
    ).toBe(61);
  });
});

describe('two isolates', () => {
  let askElsewhere: typeof ask;

  beforeAll(async () => {
    vi.resetModules();
    ({ ask: askElsewhere } = await import('../../support/worker/ask.ts'));
    vi.resetModules();
  });

  test('GET at another isolate a minute later: no second row within ten minutes, and every request is counted', async () => {
    const days = async () => Object.values((await feeds())[0]!.days);
    await ask(url);
    pass(60);
    await askElsewhere(url);
    expect(await days()).toEqual([[1, 0]]);
    pass(600);
    await askElsewhere(url);
    expect(await days()).toEqual([[3, 0]]);
  });

  test('GET at another isolate before a change, recorded after the GET that shows it: the reader has the change', async () => {
    await ask(url);
    pass(60);
    await askElsewhere(url);
    await setPrice(account, 1, 4_711);
    pass(60);
    await ask(url);
    for (const [at, head] of [
      [600, ask],
      [1_300, askElsewhere],
    ] as const) {
      vi.setSystemTime((startedAt + at) * 1_000);
      await head(url, { method: 'HEAD' });
      expect((await feeds())[0]!.delivery!.at).toBe(startedAt + 120);
    }
  });
});

describe('while the ledger cannot be written', () => {
  const isRecording = ({ statements = [] }: Use) =>
    statements.some((text) => text.includes('deliveries'));

  test('GET: 200 and 304 as before, and the failure is logged without the key', async () => {
    const failing = failingWhen(isRecording, 'D1 fails');
    expect((await ask(url, {}, failing)).status).toBe(200);
    const { headers } = await ask(url, {}, failing);
    pass(600);
    const conditional = { headers: { 'If-None-Match': headers.get('ETag')! } };
    expect((await ask(url, conditional, failing)).status).toBe(304);
    expect(logLines.join('\n')).toContain('"event":"ledger.failed"');
    expect(logLines.join('\n')).not.toContain('lindero_');
    expect(await feeds()).toEqual([]);
  });

  test('GET ten minutes after a write whose result was lost: nothing is counted twice', async () => {
    const failing = watched(
      () => {},
      (use) => {
        if (isRecording(use)) throw new Error('Network connection lost.');
      },
    );
    await ask(url, {}, failing);
    expect(Object.values((await feeds())[0]!.days)).toEqual([[1, 0]]);
    pass(600);
    await ask(url);
    expect(Object.values((await feeds())[0]!.days)).toEqual([[2, 0]]);
  });
});

test('GET of a hundred and one different feeds: the ledger keeps the hundred requested last', async () => {
  await env.DB.prepare(`
    INSERT INTO deliveries (reader_id, feed, last_seen_at)
    SELECT r.id, 'resales?' || j.value, j.value FROM readers r, json_each(?) j WHERE r.account_id = ?`)
    .bind(JSON.stringify(Array.from({ length: 100 }, (_, index) => startedAt - index - 1)), account)
    .run();
  await ask(url);
  const seen = (await feeds()).map(({ lastSeenAt }) => lastSeenAt);
  expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => startedAt - index));
});

test('the daily sweep: deletes the counts of days more than 90 days ago, and feeds not requested since', async () => {
  await ask(url);
  const today = new Date().toISOString().slice(0, 10);
  const days = JSON.stringify({ '2020-01-01': [1, 1], [today]: [2, 3] });
  await env.DB.prepare("UPDATE deliveries SET days = ? WHERE feed NOT LIKE '%FV=3%'")
    .bind(days)
    .run();
  await ask(`${url}&FV=3`);
  await env.DB.prepare("UPDATE deliveries SET last_seen_at = 1 WHERE feed LIKE '%FV=3%'").run();
  await runSchedule();
  expect((await feeds()).map((feed) => feed.days)).toEqual([{ [today]: [2, 3] }]);
});

describe('an overdue reader', () => {
  /** Requests at an interval in seconds. */
  async function requests(times: number, interval: number): Promise<void> {
    for (let request = 0; request < times; request++) {
      await ask(url, { method: 'HEAD' });
      pass(interval);
    }
  }

  async function isOverdue(): Promise<boolean> {
    const reader = (await findReader(env.DB, { accountId: account, name: NAME }))!;
    return readerView(reader, await feeds(), Math.floor(Date.now() / 1_000)).overdue;
  }

  const overdue = () =>
    logLines.filter(
      (line) => line.includes('"reader.overdue"') && line.includes(`LEDGER${accounts}"`),
    );

  test('is flagged after three of its usual intervals, and not before', async () => {
    await requests(6, 3_600);
    const [feed] = await feeds();
    expect(feed?.usualInterval).toBeCloseTo(3_600, 0);
    pass(3_600);
    expect(await isOverdue()).toBe(false);
    pass(3_600 + 601);
    expect(await isOverdue()).toBe(true);
    await setReaderDisabled(env.DB, { accountId: account, name: NAME }, true);
    expect(await isOverdue()).toBe(false);
  });

  test('is logged once, until it is seen again and overdue again, and not while it is disabled', async () => {
    await requests(6, 3_600);
    await runSchedule(env, 'hourly');
    expect(overdue()).toEqual([]);
    pass(4 * 3_600);
    await setReaderDisabled(env.DB, { accountId: account, name: NAME }, true);
    await runSchedule(env, 'hourly');
    expect(overdue()).toEqual([]);
    await setReaderDisabled(env.DB, { accountId: account, name: NAME }, false);
    await runSchedule(env, 'hourly');
    await runSchedule(env, 'hourly');
    expect(overdue()).toHaveLength(1);
    expect(JSON.parse(overdue()[0]!)).toMatchObject({
      event: 'reader.overdue',
      account: `LEDGER${accounts}`,
      reader: NAME,
    });
    await requests(1, 20 * 3_600);
    // An interval counts as three times the usual one at most.
    expect((await feeds())[0]?.usualInterval).toBeCloseTo(3_600 + 0.2 * 2 * 3_600, 0);
    await runSchedule(env, 'hourly');
    expect(overdue()).toHaveLength(2);
  });

  test('one of 600 after an outage, of two accounts: each is news once, within the limits of one invocation', async () => {
    await requests(6, 3_600);
    const other = (await sparseAccount(`LEDGER${accounts}-B`, [])).id;
    await env.DB.prepare(
      `INSERT INTO readers (account_id, name) SELECT iif(value % 2, ?1, ?2), 'portal-' || value FROM json_each(?3)`,
    )
      .bind(account, other, JSON.stringify(Array.from({ length: 599 }, (_, index) => index)))
      .run();
    await env.DB.exec(
      `INSERT INTO deliveries (reader_id, feed, last_seen_at, usual_interval, intervals, days, history)
       SELECT r.id, d.feed, d.last_seen_at, d.usual_interval, d.intervals, d.days, d.history
         FROM readers r, (SELECT * FROM deliveries WHERE reader_id = (
           SELECT id FROM readers WHERE account_id = ${account} AND name = '${NAME}')) d WHERE r.name LIKE 'portal-%'`.replaceAll(
        '\n',
        ' ',
      ),
    );
    pass(4 * 3_600);
    const told = async () => {
      const { results } = await env.DB.prepare(
        `SELECT count(DISTINCT e.subject) AS readers, count(*) AS news, max(e.change) - a.changes AS ahead
           FROM accounts a JOIN account_events e ON e.account_id = a.id AND e.type = 'reader.overdue'
          WHERE a.id IN (${account}, ${other}) GROUP BY a.id ORDER BY a.id`,
      ).all();
      return results;
    };
    await runSchedule(env, 'hourly');
    await runSchedule(env, 'hourly');
    expect(await told()).toEqual([
      { readers: 300, news: 300, ahead: 0 },
      { readers: 300, news: 300, ahead: 0 },
    ]);
  });

  test('GET /health with a token: the overdue readers of its account; without one, none; with another scope, 403', async () => {
    const agency = await openAgency(`OVERDUE${accounts}`, [], ['readers:read']);
    url = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@OVERDUE${accounts}&P=${await openReader(agency.accountId, NAME)}`;
    await requests(6, 3_600);
    pass(4 * 3_600);
    const token = await obtainToken(agency);
    const other = await obtainToken(await openAgency(`OVERDUE${accounts}-B`, [], ['readers:read']));
    const health = async (bearer?: string) => {
      const { status, text } = await ask(
        '/health',
        bearer === undefined ? {} : { headers: withToken(bearer) },
      );
      return [status, JSON.parse(text)];
    };
    expect(await health(token)).toEqual([
      200,
      { status: 'ok', overdue_readers: [expect.objectContaining({ name: NAME, overdue: true })] },
    ]);
    expect(await health(other)).toEqual([200, { status: 'ok', overdue_readers: [] }]);
    expect(await health()).toEqual([200, { status: 'ok' }]);
    const units = await obtainToken(await openAgency(`OVERDUE${accounts}-C`, []));
    expect((await health(units))[0]).toBe(403);
  });
});
