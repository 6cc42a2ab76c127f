import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { keysOf, storeFile } from '../../../src/imports/runs/files.ts';
import { takeImport } from '../../../src/imports/runs/imports.ts';
import { keepLeased } from '../../../src/imports/runs/lease.ts';
import { runSchedule, sweepOldImports } from '../../../src/imports/runs/manage.ts';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { changeImportNames } from '../../../src/imports/runs/sources.ts';
import { copyPictures } from '../../../src/pictures/copy.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency } from '../../support/accounts/units.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { call } from '../../support/worker/api.ts';
import { jpeg } from '../pictures/pictures.ts';

const MARKED_URL = 'https://crm.example.com/feed.xml?P=mark-in-url';
const HOUR = 3_600_000;

let agencies = 0;
let agency: Agency;
let token: string;
let bindings: Env;
let tasks: ReturnType<typeof withTasks>['tasks'];
let logged: string[];

beforeEach(async () => {
  agency = await openAgency(`FILES${++agencies}`, [], ['properties:read', 'properties:write']);
  await store(env.DB, agency.accountId, [...VOCABULARY, property('P1'), property('P2')]);
  token = await obtainToken(agency);
  ({ env: bindings, tasks } = withTasks());
  logged = [];
  for (const method of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation(
      (...values) => void logged.push(JSON.stringify(values)),
    );
  }
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function send(method: string, path: string, body?: BodyInit | object, type = 'application/json') {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'Content-Type': type }),
  };
  return call(method, path, body, headers, bindings);
}

const feedOf = (...ids: string[]) => kyeroFeed(ids.map((id) => kyeroRecord(id, { type: 'Villa' })));
const run = async (): Promise<unknown> =>
  (await continueImport(bindings, agency.accountId)) && run();

function statuses(): Promise<string> {
  return env.DB.prepare(
    `SELECT group_concat(identifier || ' ' || status, ', ') AS all_of FROM (SELECT * FROM properties WHERE account_id = ? ORDER BY identifier)`,
  )
    .bind(agency.accountId)
    .first('all_of') as Promise<string>;
}

test('POST a file: 202 with its Location; GET shows progress, then the report; and an event', async () => {
  const sent = await send(
    'POST',
    '/v1/imports?replace=true&max_withdrawn=60',
    feedOf('P1', 'P3'),
    'application/xml',
  );
  expect(sent).toMatchObject({
    status: 202,
    body: { state: 'validating', records: null, done: 0 },
  });
  const location = sent.headers.get('Location')!;
  expect(tasks).toEqual([{ task: { kind: 'import', accountId: agency.accountId }, delay: 0 }]);
  await continueImport(bindings, agency.accountId);
  expect((await send('GET', location)).body).toMatchObject({
    state: 'applying',
    records: 2,
    report: null,
  });
  await run();
  expect((await send('GET', location)).body).toMatchObject({
    state: 'finished',
    done: 2,
    error: null,
    report: {
      format: 'kyero',
      properties: { created: 1, withdrawn: 1 },
      withdrawn_properties: ['P2'],
    },
  });
  expect(await statuses()).toBe('P1 Available, P2 Withdrawn, P3 Available');
  // Progress does not count as an attempt: otherwise a large import would fail after some.
  expect(
    await env.DB.prepare('SELECT attempts FROM imports ORDER BY id DESC LIMIT 1').first('attempts'),
  ).toBe(0);
  const events = await env.DB.prepare(
    'SELECT type, subject FROM account_events WHERE account_id = ?',
  )
    .bind(agency.accountId)
    .all();
  expect(events.results).toEqual([
    { type: 'import.finished', subject: location.split('/').at(-1) },
  ]);
  expect(tasks.map(({ task }) => task.kind)).toContain('webhooks');
  expect(
    (await env.FILES.list({ prefix: `imports/${agency.accountId}/` })).objects.map(
      ({ key }) => key,
    ),
  ).toEqual([expect.stringMatching(/report\.json$/)]);
});

const RESALES = `<root><resalesonline><feed_version>3</feed_version></resalesonline><property><id>P3</id>
  <type><uk>Casa Mata</uk></type></property></root>`;
const NDJSON = JSON.stringify({ ...property('P3'), type: 'Casa Mata' });

test.each([
  ['ReSales-Online', RESALES, 'application/xml'],
  ['NDJSON', NDJSON, 'application/x-ndjson'],
])(
  'POST a file, %s, with a name that the account has mapped: imported as what it is mapped to',
  async (_, file, type) => {
    await changeImportNames(env.DB, agency.accountId, {
      types: { 'Casa Mata': 'villa' },
      features: {},
    });
    const { body } = await send('POST', '/v1/imports', file, type);
    await run();
    expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({
      report: { properties: { created: 1 } },
    });
    expect((await send('GET', '/v1/properties/P3')).body).toMatchObject({ type: 'villa' });
  },
);

test('POST a file of more than 95 MB: 413, of another type: 415, a broken one: failed; nothing is changed', async () => {
  const chunk = new Uint8Array(1024 * 1024);
  let left = 91;
  const large = new ReadableStream({
    pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
  });
  const post = (body: BodyInit, type: string) => send('POST', '/v1/imports', body, type);
  // Storing 95 MB takes seconds.
  const abort = vi.fn(async () => {});
  const upload = { uploadPart: async (partNumber: number) => ({ partNumber, etag: '' }), abort };
  const create = vi.spyOn(env.FILES, 'createMultipartUpload').mockResolvedValue(upload as never);
  expect(await post(large, 'application/xml')).toMatchObject({
    status: 413,
    body: { code: 'body_too_large' },
  });
  expect([create.mock.calls.length, abort.mock.calls.length]).toEqual([1, 1]);
  const other = await post('a,b', 'text/csv');
  expect([other.status, other.body.detail]).toEqual([
    415,
    expect.stringContaining('application/xml'),
  ]);
  const { body } = await post(feedOf('P1').slice(0, -20), 'application/xml');
  await run();
  expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({
    state: 'failed',
    error: { code: 'bad_file' },
    report: null,
  });
  expect((await send('GET', '/v1/imports')).body.imports).toHaveLength(1);
  expect(await statuses()).toBe('P1 Available, P2 Available');
  expect((await env.FILES.list({ prefix: `imports/${agency.accountId}/` })).objects).toEqual([]);
});

test('a file of exactly 8 MiB, the size of a part: stored completely', async () => {
  const chunk = new Uint8Array(1024 * 1024);
  const chunks = async function* () {
    for (let left = 8; left > 0; left--) yield chunk;
  };
  const owner = { accountId: 1, id: 1 };
  expect(await storeFile(env.FILES, owner, chunks())).toBe(8 * chunk.length);
  expect(await env.FILES.head(keysOf(owner).file)).toMatchObject({ size: 8 * chunk.length });
  await env.FILES.delete('part');
});

test('POST cancel between two batches: the rest is not written, and what is written is complete', async () => {
  const ids = Array.from({ length: 400 }, (_, index) => `Q${index}`);
  const { body } = await send('POST', '/v1/imports', feedOf(...ids), 'text/xml');
  for (let steps = 0; steps < 3; steps++)
    await continueImport(bindings, agency.accountId, Date.now, 1);
  expect(await send('POST', `/v1/imports/${body.id}/cancel`)).toMatchObject({
    status: 200,
    body: { state: 'cancelled' },
  });
  expect(await env.FILES.head(`imports/${agency.accountId}/${body.id}/file`)).toBeNull();
  await run();
  const { done, state } = (await send('GET', `/v1/imports/${body.id}`)).body;
  expect([done, state]).toEqual([150, 'cancelled']);
  expect((await statuses()).match(/Q/g)).toHaveLength(150);
  expect(await send('POST', `/v1/imports/${body.id}/cancel`)).toMatchObject({
    status: 409,
    body: { code: 'wrong_state' },
  });
});

test('POST a file, cancelled before all of it has arrived: the file is not stored', async () => {
  async function* cancelled() {
    yield new TextEncoder().encode(feedOf('P1').slice(0, 20));
    const [{ id }] = (await send('GET', '/v1/imports')).body.imports;
    await send('POST', `/v1/imports/${id}/cancel`);
    yield new TextEncoder().encode(feedOf('P1').slice(20));
  }
  const chunks = cancelled();
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { done, value } = await chunks.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const { status, body } = await send(
    'POST',
    '/v1/imports',
    new ReadableStream({ pull }),
    'text/xml',
  );
  expect([status, body.state]).toEqual([202, 'cancelled']);
  expect((await env.FILES.list({ prefix: `imports/${agency.accountId}/` })).objects).toEqual([]);
});

test('two imports of an account: one after the other; one that waits, and a source, of another account: 404', async () => {
  await send('POST', '/v1/imports', feedOf('A1'), 'text/xml');
  await send('POST', '/v1/imports', feedOf('A2'), 'text/xml');
  await continueImport(bindings, agency.accountId);
  const { imports } = (await send('GET', '/v1/imports')).body;
  expect(imports.map(({ state }: { state: string }) => state)).toEqual(['validating', 'applying']);
  // One that was held and is approved waits until the one that is being applied has ended.
  await env.DB.prepare(`UPDATE imports SET state = 'held' WHERE id = ?`).bind(imports[1].id).run();
  await continueImport(bindings, agency.accountId);
  tasks.length = 0;
  await send('POST', `/v1/imports/${imports[1].id}/approve`);
  expect(tasks).toMatchObject([{ task: { kind: 'import' } }]);
  await continueImport(bindings, agency.accountId);
  expect((await send('GET', '/v1/imports')).body.imports).toMatchObject([
    { state: 'finished' },
    { state: 'validating' },
  ]);
  for (let steps = 0; steps < 3; steps++) await run();
  expect(await statuses()).toBe('A1 Available, A2 Available, P1 Available, P2 Available');
  const { id } = (await send('POST', '/v1/imports', feedOf('A3'), 'text/xml')).body;
  await send('PUT', '/v1/sources/crm', { url: MARKED_URL, every: 'day' });
  const other = await openAgency(`${agency.code}X`, [], ['properties:read', 'properties:write']);
  token = await obtainToken(other);
  for (const [method, path] of [
    ['GET', `/v1/imports/${id}`],
    ['POST', `/v1/imports/${id}/cancel`],
    ['POST', `/v1/imports/${id}/approve`],
    ['DELETE', '/v1/sources/crm'],
  ] as const) {
    expect((await send(method, path)).status).toBe(404);
  }
  token = await obtainToken(agency);
  expect((await send('GET', `/v1/imports/${id}`)).body.state).toBe('validating');
  expect((await send('GET', '/v1/sources/crm')).status).toBe(200);
});

test('a source that redirects to a private address: not called, and failed; its URL is nowhere in the log', async () => {
  const called: string[] = [];
  vi.stubGlobal('fetch', async (input: URL) => {
    called.push(input.href);
    return new Response(null, {
      status: 302,
      headers: { Location: 'https://169.254.169.254/latest' },
    });
  });
  expect(
    (await send('PUT', '/v1/sources/crm', { url: 'http://crm.example.com/', every: 'day' })).status,
  ).toBe(422);
  await send('PUT', '/v1/sources/crm', { url: MARKED_URL, every: 'day' });
  const { body } = await send('POST', '/v1/sources/crm/run');
  await run();
  expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({
    state: 'failed',
    error: { code: 'forbidden_address' },
  });
  expect(called).toEqual([MARKED_URL]);
  expect(logged.join()).toContain('import.failed');
  expect(logged.join()).not.toContain('mark-in-url');
});

test('PUT of 60 new sources at the same time: 50 are created, the others are 409; an existing one still changes', async () => {
  const put = (name: string, at: string) =>
    send('PUT', `/v1/sources/${name}`, { url: MARKED_URL, every: 'day', at });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => put(`s${index}`, '03:00')),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, body }) => [status, body.code, body.detail])).toEqual(
    Array(10).fill([409, 'too_many_sources', 'An account has at most 50 sources.']),
  );
  const { sources } = (await send('GET', '/v1/sources?limit=100')).body;
  expect(sources).toHaveLength(50);
  expect(await put(sources[0].name, '04:00')).toMatchObject({ status: 200, body: { at: '04:00' } });
});

test('PUT of one new source by two at the same time: one creates it, the other changes it', async () => {
  const times = ['03:00', '04:00'];
  const answers = await Promise.all(
    times.map((at) => send('PUT', '/v1/sources/crm', { url: MARKED_URL, every: 'day', at })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 201]);
  expect((await send('GET', '/v1/sources/crm')).body.at).toBe(times[statuses.indexOf(200)]);
});

test('the schedule: starts a source when its time has come, once, unless its account is disabled, and continues what was left behind', async () => {
  vi.stubGlobal('fetch', async () => new Response(feedOf('P1')));
  const { created_at, next_run_at } = (
    await send('PUT', '/v1/sources/crm', { url: MARKED_URL, every: 'hour', at: '00:30' })
  ).body;
  expect(next_run_at >= created_at).toBe(true);
  const started = Date.UTC(2030, 0, 1, 9, 0);
  await runSchedule(bindings, started);
  await runSchedule(bindings, started);
  const runs = async () => (await send('GET', '/v1/sources/crm/runs')).body.imports;
  expect(await runs()).toMatchObject([{ state: 'fetching', source: 'crm' }]);
  expect((await send('GET', '/v1/sources/crm')).body.next_run_at).toBe('2030-01-01T09:30:00Z');
  expect(tasks.filter(({ task }) => task.kind === 'import').length).toBeGreaterThanOrEqual(2);
  await run();
  await runSchedule(bindings, started + HOUR / 4);
  expect(await runs()).toHaveLength(1);
  await runSchedule(bindings, started + HOUR);
  expect(await runs()).toMatchObject([{ state: 'fetching' }, { state: 'finished' }]);
  await run();
  const disable = (disabled: number) =>
    env.DB.prepare('UPDATE accounts SET disabled = ? WHERE id = ?')
      .bind(disabled, agency.accountId)
      .run();
  await disable(1);
  await runSchedule(bindings, started + 5 * HOUR);
  await disable(0);
  expect(await runs()).toHaveLength(2);
  await send('PUT', '/v1/sources/crm', {
    url: MARKED_URL,
    every: 'hour',
    at: '00:30',
    enabled: false,
  });
  await runSchedule(bindings, started + 9 * HOUR);
  expect(await runs()).toHaveLength(2);
});

test('PUT a source with its address as it is shown: due as before, unless its schedule changes', async () => {
  await send('PUT', '/v1/sources/crm', { url: MARKED_URL, every: 'hour', at: '00:30' });
  await runSchedule(bindings, Date.UTC(2030, 0, 1, 9, 0));
  const { url } = (await send('GET', '/v1/sources/crm')).body;
  const dueAfter = async (at: string) =>
    (await send('PUT', '/v1/sources/crm', { url, every: 'hour', at })).body.next_run_at;
  expect(await dueAfter('00:30')).toBe('2030-01-01T09:30:00Z');
  expect(await dueAfter('00:45')).toMatch(/^(?!2030).*:45:00Z$/);
});

test('an import whose isolate has ended: continued once its lease has expired', async () => {
  const location = (await send('POST', '/v1/imports', feedOf('P3'), 'application/xml')).headers.get(
    'Location',
  )!;
  const until = Date.now() + HOUR;
  await env.DB.prepare("UPDATE imports SET lease = 'ended', leased_until = ? WHERE account_id = ?")
    .bind(until, agency.accountId)
    .run();
  const stateAt = async (now: number) => {
    await continueImport(bindings, agency.accountId, () => now);
    return (await send('GET', location)).body.state;
  };
  expect([await stateAt(until - 1), await stateAt(until)]).toEqual(['validating', 'applying']);
});

test('a server that sends a small file slowly: nobody else fetches it meanwhile', async () => {
  const file = feedOf('P1', 'P2', 'P3');
  const pieces = file.match(new RegExp(`[\\s\\S]{1,${Math.ceil(file.length / 3)}}`, 'g'))!;
  let now = Date.now();
  const step = () => continueImport(bindings, agency.accountId, () => now);
  const others: unknown[] = [];
  const fetched = vi.fn(async () => {
    const left = [...pieces];
    const pull = async (controller: ReadableStreamDefaultController) => {
      now += 20_000;
      if (fetched.mock.calls.length === 1) others.push(await step());
      const piece = left.shift();
      return piece === undefined
        ? controller.close()
        : controller.enqueue(new TextEncoder().encode(piece));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  });
  vi.stubGlobal('fetch', fetched);
  await setUrl('new.example.com');
  await send('POST', '/v1/sources/crm/run');
  await step();
  expect(others).toEqual(Array(pieces.length + 1).fill(null));
  while ((await step()) !== null);
  expect([await statuses(), fetched.mock.calls.length]).toEqual([
    'P1 Available, P2 Available, P3 Available',
    1,
  ]);
});

test('a server that sends a byte a second: the import fails after a minute, and the next one runs', async () => {
  let now = Date.now();
  const pull = async (controller: ReadableStreamDefaultController) => {
    now += 1_000;
    controller.enqueue(new Uint8Array([60]));
  };
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))),
  );
  await setUrl('new.example.com');
  const { body } = await send('POST', '/v1/sources/crm/run');
  await continueImport(bindings, agency.accountId, () => now);
  expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({
    state: 'failed',
    error: {
      code: 'incomplete',
      reason: 'too_slow',
      parameters: { bytes: 61, seconds: 61 },
      detail: expect.any(String),
    },
  });
  vi.unstubAllGlobals();
  await send('POST', '/v1/imports', feedOf('P3'), 'application/xml');
  await run();
  expect(await statuses()).toContain('P3 Available');
});

test('an import whose stored file is gone: failed with the reason, and the next one runs', async () => {
  const { body } = await send('POST', '/v1/imports', feedOf('P1'), 'application/xml');
  await env.FILES.delete(keysOf({ accountId: agency.accountId, id: body.id }).file);
  await send('POST', '/v1/imports', feedOf('P3'), 'application/xml');
  await run();
  expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({
    state: 'failed',
    error: { code: 'incomplete', reason: 'file_lost', detail: expect.any(String) },
  });
  expect(await statuses()).toContain('P3 Available');
});

test('a step that takes long: its lease of 30 seconds is renewed every 5', async () => {
  const { body } = await send('POST', '/v1/imports', feedOf('P1'), 'application/xml');
  const now = Date.now();
  const held = await takeImport(env.DB, agency.accountId, 'mine', now, now + 30_000);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const stop = keepLeased(env, held!, () => now + 5_000);
  vi.advanceTimersByTime(5_000);
  await stop();
  vi.useRealTimers();
  const until = env.DB.prepare('SELECT leased_until FROM imports WHERE id = ?').bind(body.id);
  expect(await until.first('leased_until')).toBe(now + 35_000);
});

describe('files that are being received', () => {
  /** A file of which some bytes have been sent, and the others are not until it is released. */
  function heldOpen(id: number, bytes: number, accountId = 7) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const chunks = async function* () {
      yield new Uint8Array(bytes);
      await released;
    };
    return { stored: storeFile(env.FILES, { accountId, id }, chunks()), release };
  }

  test('of one account, twenty of a byte each: all are received, and two of eight megabytes', async () => {
    const files = Array.from({ length: 20 }, (_, id) => heldOpen(id, 1));
    const large = [heldOpen(20, 7_000_000), heldOpen(21, 6_000_000)];
    for (const { release } of [...files, ...large]) release();
    const sizes = await Promise.all([...files, ...large].map(({ stored }) => stored));
    expect(sizes).toEqual([...Array(20).fill(1), 7_000_000, 6_000_000]);
  });

  test('of one account, more than 16 MiB in memory: 503, and again received once others have ended', async () => {
    const files = [heldOpen(1, 8_000_000), heldOpen(2, 8_000_000)];
    await expect(heldOpen(3, 8_000_000).stored).rejects.toThrow('too many files');
    const other = heldOpen(4, 8_000_000, 8);
    for (const { release } of [...files, other]) release();
    await Promise.all([...files, other].map(({ stored }) => stored));
    const again = heldOpen(3, 8_000_000);
    again.release();
    expect(await again.stored).toBe(8_000_000);
  });
});

/** Serves different files at two hosts, each with a 304 for any condition; returns the conditions of requests. */
function serveFiles(): (string | null)[][] {
  const conditions: (string | null)[][] = [];
  vi.stubGlobal('fetch', async ({ hostname }: URL, { headers }: { headers: Headers }) => {
    const condition = [headers.get('If-None-Match'), headers.get('If-Modified-Since')];
    conditions.push(condition);
    if (condition.some((value) => value !== null)) return new Response(null, { status: 304 });
    const validators = { ETag: '"1"', 'Last-Modified': 'Thu, 26 Nov 2026 08:00:00 GMT' };
    return new Response(feedOf(hostname === 'old.example.com' ? 'OLD' : 'NEW'), {
      headers: validators,
    });
  });
  return conditions;
}

const setUrl = (host: string) =>
  send('PUT', '/v1/sources/crm', {
    url: `https://${host}/feed.xml`,
    every: 'week',
    max_withdrawn: 100,
  });

test('a source that says so: the pictures of its listed properties are copied after each import, and stay when it runs again', async () => {
  const address = 'https://pictures.example.com/1.jpg';
  const picture = await jpeg(90, 60, 4);
  let fetches = 0;
  vi.stubGlobal('fetch', async (url: URL) => {
    if (url.href !== address)
      return new Response(
        kyeroFeed([
          kyeroRecord('P1', {
            type: 'Villa',
            images: `<image id="1"><url>${address}</url></image>`,
          }),
          kyeroRecord('P2'),
        ]),
      );
    fetches++;
    return new Response(picture);
  });
  const settings = { url: 'https://crm.example.com/feed.xml', every: 'day' };
  await send('PUT', '/v1/sources/crm', settings);
  const read = async () => {
    await send('POST', '/v1/sources/crm/run');
    await run();
    await copyPictures(bindings, agency.accountId);
    const { body } = await send('GET', '/v1/properties/P1');
    return body.pictures;
  };
  expect(await read()).toEqual([address]);
  await send('PUT', '/v1/sources/crm', { ...settings, copy_pictures: true });
  const copied = await read();
  expect(copied).toMatchObject([{ width: 90, copied_from: address }]);
  expect(copied[0].url).toMatch(/^https:\/\/feeds\.example\/pictures\//);
  expect(await read()).toEqual(copied);
  expect(fetches).toBe(1);
});

test('a source whose URL changes while it runs: the new one is read next, and as one that is not known', async () => {
  const conditions = serveFiles();
  await setUrl('old.example.com');
  await send('POST', '/v1/sources/crm/run');
  await continueImport(bindings, agency.accountId);
  await setUrl('new.example.com');
  await runSchedule(bindings, Date.now());
  await run();
  expect(await statuses()).toBe('OLD Available, P1 Available, P2 Available');
  await runSchedule(bindings, Date.now());
  await run();
  expect(await statuses()).toBe('NEW Available, OLD Withdrawn, P1 Available, P2 Available');
  await send('POST', '/v1/sources/crm/run');
  await run();
  const { imports } = (await send('GET', '/v1/sources/crm/runs')).body;
  expect(imports.map(({ state }: { state: string }) => state)).toEqual([
    'unchanged',
    'finished',
    'finished',
  ]);
  expect(conditions.at(-1)).toEqual(['"1"', 'Thu, 26 Nov 2026 08:00:00 GMT']);
});

test('a source whose URL changes while it runs, and the run fails: the new one has not failed, and is read next', async () => {
  vi.stubGlobal('fetch', async () => new Response('no feed'));
  await setUrl('old.example.com');
  await send('POST', '/v1/sources/crm/run');
  await continueImport(bindings, agency.accountId);
  await setUrl('new.example.com');
  await run();
  const { last_run, failures, next_run_at } = (await send('GET', '/v1/sources/crm')).body;
  expect([last_run.state, failures, Date.parse(next_run_at) <= Date.now()]).toEqual([
    'failed',
    0,
    true,
  ]);
});

test('a source that gets a channel, also while it runs: its file is read again with the next run', async () => {
  serveFiles();
  const settings = { url: 'https://new.example.com/feed.xml', every: 'week' };
  const { body } = await send('PUT', '/v1/sources/crm', settings);
  const setChannel = (channel: string) =>
    send('PUT', '/v1/sources/crm', { ...settings, url: body.url, channel });
  const runSource = () => send('POST', '/v1/sources/crm/run');
  const channels = async () => {
    await run();
    return (await send('GET', '/v1/properties/NEW')).body.channels;
  };
  await runSource();
  expect(await channels()).toEqual([]);
  await setChannel('coast');
  await runSource();
  await continueImport(bindings, agency.accountId);
  await setChannel('hills');
  expect(await channels()).toEqual(['coast']);
  await runSource();
  expect(await channels()).toEqual(['coast', 'hills']);
  const history = 'SELECT DISTINCT actor FROM property_history WHERE account_id = ?';
  const actors = await env.DB.prepare(history).bind(agency.accountId).all();
  expect(actors.results).toEqual([{ actor: 'source:crm' }]);
});

test.each([
  [
    'mapped names',
    (id: number) => changeImportNames(env.DB, id, { types: { Villa: 'apartment' }, features: {} }),
  ],
  [
    'a property that a record conflicts with',
    (id: number) => store(env.DB, id, [property('NEW-LT')]),
  ],
])(
  'a source is imported, and meanwhile come %s: its file is read again with the next run',
  async (_, change) => {
    const conditions = serveFiles();
    await setUrl('new.example.com');
    await send('POST', '/v1/sources/crm/run');
    for (let steps = 0; steps < 2; steps++) await continueImport(bindings, agency.accountId);
    await change(agency.accountId);
    await run();
    await send('POST', '/v1/sources/crm/run');
    await run();
    expect(conditions).toEqual(Array(2).fill([null, null]));
  },
);

test('a property that two sources have, and one loses: it stays listed, and in the channel of the other, unlike its own', async () => {
  let left = ['P3'];
  vi.stubGlobal(
    'fetch',
    async ({ pathname }: URL) =>
      new Response(feedOf('P4', ...(pathname === '/all' ? ['P3'] : left))),
  );
  const read = async (name: string, path: string, channel: string) => {
    const url = `https://crm.example.com${path}`;
    await send('PUT', `/v1/sources/${name}`, { url, every: 'week', channel, max_withdrawn: 100 });
    await send('POST', `/v1/sources/${name}/run`);
    await run();
  };
  await read('all', '/all', 'coast');
  for (const channel of ['coast', 'hills']) {
    left = ['P3', 'P5'];
    await read('some', '/some', channel);
    left = [];
    await read('some', '/some', channel);
    const { status, channels } = (await send('GET', '/v1/properties/P3')).body;
    const own = (await send('GET', '/v1/properties/P5')).body;
    expect([status, channels, own.status]).toEqual(['Available', ['coast'], 'Withdrawn']);
  }
});

test('20 uploads that were interrupted an hour ago: another one is accepted; 20 that are being received: 409', async () => {
  const receiving = (createdAt: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
       INSERT INTO imports (account_id, state, options, created_at) SELECT ?, 'receiving', '{}', ? FROM n`,
    )
      .bind(agency.accountId, createdAt)
      .run();
  const now = Math.floor(Date.now() / 1_000);
  await receiving(now - 3_700);
  expect((await send('POST', '/v1/imports', feedOf('P1'), 'text/xml')).status).toBe(202);
  await receiving(now);
  expect(await send('POST', '/v1/imports', feedOf('P1'), 'text/xml')).toMatchObject({
    status: 409,
    body: { code: 'too_many_imports' },
  });
});

test('a run that is held until the next one: its file is deleted; and that of a cancelled one, with its plan and its records, after 90 days', async () => {
  serveFiles();
  const keys = async () =>
    (await env.FILES.list({ prefix: `imports/${agency.accountId}/` })).objects.map(
      ({ key }) => key,
    );
  const runSource = () => send('POST', '/v1/sources/crm/run');
  for (const host of ['old.example.com', 'new.example.com', 'new.example.com']) {
    await send('PUT', '/v1/sources/crm', {
      url: `https://${host}/feed.xml`,
      every: 'week',
      max_withdrawn: 20,
    });
    await runSource();
    await run();
  }
  const { imports } = (await send('GET', '/v1/sources/crm/runs')).body;
  const states = imports.map(({ state }: { state: string }) => state);
  expect([states, (await keys()).length]).toEqual([['held', 'cancelled', 'finished'], 4]);
  await send('POST', `/v1/imports/${imports[0].id}/approve`);
  await continueImport(bindings, agency.accountId);
  expect((await keys()).filter((key) => /plan.*json$/.test(key))).toHaveLength(2);
  await send('DELETE', '/v1/sources/crm');
  await env.DB.prepare('UPDATE imports SET ended_at = 1 WHERE account_id = ?')
    .bind(agency.accountId)
    .run();
  await sweepOldImports(bindings);
  expect(await keys()).toEqual([]);
});

test('after 90 days: imports, held ones too, are deleted with their files, except the last report of each source', async () => {
  vi.stubGlobal('fetch', async (url: URL) =>
    url.pathname === '/feed.xml' ? new Response(feedOf('P1')) : new Response(null, { status: 404 }),
  );
  await send('PUT', '/v1/sources/crm', { url: MARKED_URL, every: 'hour' });
  await send('PUT', '/v1/sources/broken', { url: 'https://crm.example.com/none', every: 'hour' });
  for (const source of ['crm', 'crm', 'broken']) {
    await send('POST', `/v1/sources/${source}/run`);
    await run();
  }
  for (const parameters of ['', '?replace=true&max_withdrawn=0']) {
    await send('POST', `/v1/imports${parameters}`, feedOf('P1'), 'text/xml');
    await run();
  }
  const old =
    'UPDATE imports SET (created_at, ended_at) = (1, iif(ended_at, 1, NULL)) WHERE account_id = ?';
  await env.DB.prepare(old).bind(agency.accountId).run();
  await sweepOldImports(bindings);
  const { imports } = (await send('GET', '/v1/imports')).body;
  expect(imports).toMatchObject([{ source: 'crm', state: 'finished' }]);
  expect((await send('GET', `/v1/imports/${imports[0].id}`)).body.report.properties.read).toBe(1);
  expect((await env.FILES.list({ prefix: `imports/${agency.accountId}/` })).objects).toHaveLength(
    1,
  );
});
