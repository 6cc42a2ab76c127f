import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { keysOf, storeFile } from '../../../src/imports/runs/files.ts';
import { takeImport } from '../../../src/imports/runs/imports.ts';
import { keepLeased } from '../../../src/imports/runs/lease.ts';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { changeImportNames } from '../../../src/imports/runs/sources.ts';
import { property } from '../../support/accounts/portfolio.ts';
import { obtainToken, openAgency } from '../../support/accounts/units.ts';
import {
  agency,
  bindings,
  feedOf,
  filesOf,
  importOf,
  MARKED_URL,
  run,
  send,
  statuses,
  tasks,
  useAgency,
} from './exchange.ts';

useAgency();

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
  expect(await filesOf()).toEqual([expect.stringMatching(/report\.json$/)]);
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
    expect(await importOf(body.id)).toMatchObject({
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
  expect(await importOf(body.id)).toMatchObject({
    state: 'failed',
    error: { code: 'bad_file' },
    report: null,
  });
  expect((await send('GET', '/v1/imports')).body.imports).toHaveLength(1);
  expect(await statuses()).toBe('P1 Available, P2 Available');
  expect(await filesOf()).toEqual([]);
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
  const { done, state } = await importOf(body.id);
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
  expect(await filesOf()).toEqual([]);
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
  const theirs = await obtainToken(other);
  for (const [method, path] of [
    ['GET', `/v1/imports/${id}`],
    ['POST', `/v1/imports/${id}/cancel`],
    ['POST', `/v1/imports/${id}/approve`],
    ['DELETE', '/v1/sources/crm'],
  ] as const) {
    const { status } = await send(method, path, undefined, undefined, theirs);
    expect(status).toBe(404);
  }
  expect((await importOf(id)).state).toBe('validating');
  expect((await send('GET', '/v1/sources/crm')).status).toBe(200);
});

test('an import whose isolate has ended: continued once its lease has expired', async () => {
  const location = (await send('POST', '/v1/imports', feedOf('P3'), 'application/xml')).headers.get(
    'Location',
  )!;
  const until = Date.now() + 3_600_000;
  await env.DB.prepare("UPDATE imports SET lease = 'ended', leased_until = ? WHERE account_id = ?")
    .bind(until, agency.accountId)
    .run();
  const stateAt = async (now: number) => {
    await continueImport(bindings, agency.accountId, () => now);
    return (await send('GET', location)).body.state;
  };
  expect([await stateAt(until - 1), await stateAt(until)]).toEqual(['validating', 'applying']);
});

test('an import whose stored file is gone: failed with the reason, and the next one runs', async () => {
  const { body } = await send('POST', '/v1/imports', feedOf('P1'), 'application/xml');
  await env.FILES.delete(keysOf({ accountId: agency.accountId, id: body.id }).file);
  await send('POST', '/v1/imports', feedOf('P3'), 'application/xml');
  await run();
  expect(await importOf(body.id)).toMatchObject({
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
