import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { runSchedule, sweepOldImports } from '../../../src/imports/runs/manage.ts';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { changeImportNames } from '../../../src/imports/runs/sources.ts';
import { copyPictures } from '../../../src/pictures/copy.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { jpeg } from '../pictures/pictures.ts';
import {
  agency,
  bindings,
  feedOf,
  filesOf,
  importOf,
  logged,
  MARKED_URL,
  run,
  send,
  statuses,
  tasks,
  useAgency,
} from './exchange.ts';

const HOUR = 3_600_000;

useAgency();

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
  expect(await importOf(body.id)).toMatchObject({
    state: 'failed',
    error: { code: 'forbidden_address' },
  });
  expect(called).toEqual([MARKED_URL]);
  expect(logged.join()).toContain('import.failed');
  expect(logged.join()).not.toContain('mark-in-url');
});

test('PUT of a source at a time in Madrid: it runs next when the clocks there show it', async () => {
  const settings = { url: MARKED_URL, every: 'day', at: '03:30', time_zone: 'Europe/Madrid' };
  const created = await send('PUT', '/v1/sources/local', settings);
  expect(created.status).toBe(201);
  const later = { ...settings, url: created.body.url, at: '04:30' };
  const { body } = await send('PUT', '/v1/sources/local', later);
  expect(body).toMatchObject({ at: '04:30', time_zone: 'Europe/Madrid' });
  const next = new Date(body.next_run_at);
  expect(next.toLocaleTimeString('es', { timeZone: 'Europe/Madrid' })).toBe('4:30:00');
  expect(await send('DELETE', '/v1/sources/local')).toMatchObject({ status: 204 });
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
  expect(await importOf(body.id)).toMatchObject({
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

test('a run that is held until the next one: its file is deleted; and that of a cancelled one, with its plan and its records, after 90 days', async () => {
  serveFiles();
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
  expect([states, (await filesOf()).length]).toEqual([['held', 'cancelled', 'finished'], 4]);
  await send('POST', `/v1/imports/${imports[0].id}/approve`);
  await continueImport(bindings, agency.accountId);
  expect((await filesOf()).filter((key) => /plan.*json$/.test(key))).toHaveLength(2);
  await send('DELETE', '/v1/sources/crm');
  await env.DB.prepare('UPDATE imports SET ended_at = 1 WHERE account_id = ?')
    .bind(agency.accountId)
    .run();
  await sweepOldImports(bindings);
  expect(await filesOf()).toEqual([]);
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
  expect(await filesOf()).toHaveLength(1);
});
