import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deliverAll } from '../../../src/changes/webhooks/deliver.ts';
import { EVENTS } from '../../../src/changes/webhooks/events.ts';
import { recordCall, takeLease } from '../../../src/changes/webhooks/webhook-calls.ts';
import { NO_CALL } from '../../../src/changes/webhooks/webhooks.ts';
import type { Env } from '../../../src/env.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { readCall, withTasks } from '../../support/accounts/webhooks.ts';
import { call } from '../../support/worker/api.ts';
import { watched } from '../../support/worker/ask.ts';

const URL_OF_CRM = 'https://crm.example.com/hook?token=mark-in-url';
const SCOPES = ['webhooks:read', 'webhooks:write'];

let agencies = 0;
let agency: Agency;
let headers: Record<string, string>;
let bindings: Env;
let tasks: ReturnType<typeof withTasks>['tasks'];
/** What the service logs. */
let logged: string[];

beforeEach(async () => {
  agency = await openAgency(`HOOKS${++agencies}`, ['A-1'], SCOPES);
  headers = withToken(await obtainToken(agency));
  ({ env: bindings, tasks } = withTasks());
  logged = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation(
      (...values) => void logged.push(JSON.stringify(values)),
    );
  }
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const send = (method: string, path: string, body?: unknown, given = headers) =>
  call(method, `/v1/webhooks${path}`, body, given, bindings);

/** Calls reach a receiver with these answers, the last of which it repeats. */
function receiver(...answers: Response[]): Request[] {
  const calls: Request[] = [];
  vi.stubGlobal('fetch', async (input: URL, init: RequestInit) => {
    calls.push(new Request(input, init));
    return (answers.length > 1 ? answers.shift()! : answers[0]!).clone();
  });
  return calls;
}

function setPrice(price: number): Promise<unknown> {
  return env.DB.prepare('UPDATE units SET price = ? WHERE account_id = ?')
    .bind(price, agency.accountId)
    .run();
}

test('PUT a webhook: 201 with its secret, once; PUT again: 200 without; GET, list, DELETE', async () => {
  const created = await send('PUT', '/crm', { url: URL_OF_CRM });
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'crm', url: URL_OF_CRM, events: EVENTS, enabled: true },
  });
  expect(created.body.secret).toMatch(/^whsec_/);
  const changed = await send('PUT', '/crm', {
    url: URL_OF_CRM,
    events: Array(2).fill('unit.changed'),
    enabled: false,
  });
  expect(changed).toMatchObject({
    status: 200,
    body: { events: ['unit.changed'], enabled: false },
  });
  const { secret, ...shown } = created.body;
  const got = await send('GET', '/crm');
  expect(got).toMatchObject({
    status: 200,
    body: { ...shown, events: ['unit.changed'], enabled: false },
  });
  expect(got.body.secret).toBeUndefined();
  await send('PUT', '/erp', { url: URL_OF_CRM });
  expect((await send('GET', '?limit=1')).body.webhooks).toMatchObject([{ name: 'crm' }]);
  expect((await send('GET', '')).body.webhooks).toMatchObject([{ name: 'crm' }, { name: 'erp' }]);
  expect(JSON.stringify(await env.DB.prepare('SELECT * FROM webhooks').all())).not.toContain(
    secret,
  );
  expect((await send('DELETE', '/crm')).status).toBe(204);
  expect(await send('GET', '/crm')).toMatchObject({
    status: 404,
    body: { code: 'webhook_not_found' },
  });
  expect(logged.join()).not.toMatch(/whsec_|mark-in-url/);
});

test.each([
  [{}, '/url'],
  [{ url: 'http://crm.example.com/' }, '/url'],
  [{ url: 'https://127.0.0.1/' }, '/url'],
  [{ url: 'https://0x7f.1/' }, '/url'],
  [{ url: 'https://[::ffff:10.0.0.1]/' }, '/url'],
  [{ url: 'https://metadata.google.internal/' }, '/url'],
  [{ url: 'https://user@crm.example.com/' }, '/url'],
  [{ url: 'https://:word@crm.example.com/' }, '/url'],
  [{ url: URL_OF_CRM, events: [] }, '/events'],
  [{ url: URL_OF_CRM, events: ['property.sold'] }, '/events/0'],
  [{ url: URL_OF_CRM, enabled: 1 }, '/enabled'],
  [{ url: URL_OF_CRM, secret: 'mine' }, '/secret'],
])('PUT %j: 422 that names %s, and nothing is stored', async (body, pointer) => {
  expect(await send('PUT', '/crm', body)).toMatchObject({
    status: 422,
    body: { errors: [{ pointer }] },
  });
  expect((await send('GET', '/crm')).status).toBe(404);
});

test('PUT with another name: 400; of another account: 404; without the scope: 403', async () => {
  expect((await send('PUT', '/CRM!', { url: URL_OF_CRM })).body.code).toBe('bad_parameter');
  await send('PUT', '/crm', { url: URL_OF_CRM });
  const other = withToken(
    await obtainToken(await openAgency(`${agency.code}X`, [], ['webhooks:read'])),
  );
  for (const path of ['/crm', '/crm/attempts'])
    expect((await send('GET', path, undefined, other)).status).toBe(404);
  for (const [method, path] of [
    ['PUT', '/crm'],
    ['DELETE', '/crm'],
    ['POST', '/crm/rotate'],
    ['POST', '/crm/test'],
    ['POST', '/crm/replay'],
  ] as const) {
    expect((await send(method, path, { from: 1 }, other)).status).toBe(403);
  }
  const writer = withToken(await obtainToken(await openAgency(`${agency.code}Y`, [], SCOPES)));
  for (const [method, path, body] of [
    ['DELETE', '/crm', undefined],
    ['POST', '/crm/rotate', {}],
    ['POST', '/crm/test', undefined],
    ['POST', '/crm/replay', { from: 1 }],
  ] as const) {
    expect([path, (await send(method, path, body, writer)).status]).toEqual([path, 404]);
  }
});

test('POST rotate, again before the old secret expires: calls are signed with all secrets until the old ones expire', async () => {
  const { secret } = (await send('PUT', '/crm', { url: URL_OF_CRM })).body;
  const lost = await send('POST', '/crm/rotate', { old_secret_days: 1 });
  const rotated = await send('POST', '/crm/rotate', { old_secret_days: 1 });
  expect(rotated.body.secret).not.toBe(secret);
  expect(Date.parse(rotated.body.old_secret_expires_at) / 86_400_000).toBeCloseTo(
    Date.now() / 86_400_000 + 1,
    2,
  );
  const calls = receiver(new Response('ok'));
  await send('POST', '/crm/test');
  const [call] = calls;
  const body = await call!.text();
  const given = Object.fromEntries(call!.headers);
  for (const valid of [secret, lost.body.secret, rotated.body.secret]) {
    expect(new Webhook(valid).verify(body, given)).toMatchObject({
      type: 'ping',
      data: { account: agency.code },
    });
  }
  expect(
    (await send('POST', '/crm/rotate', { old_secret_days: 0 })).body.old_secret_expires_at,
  ).toBeNull();
  await send('POST', '/crm/test');
  const second = calls[1]!;
  const [text, later] = [await second.text(), Object.fromEntries(second.headers)];
  for (const expired of [secret, lost.body.secret, rotated.body.secret]) {
    expect(() => new Webhook(expired).verify(text, later)).toThrow();
  }
  expect((await send('POST', '/crm/rotate', { old_secret_days: 31 })).status).toBe(422);
});

test('POST rotate while the webhook waits after failures: it is called at once', async () => {
  await send('PUT', '/crm', { url: URL_OF_CRM });
  await env.DB.prepare(
    'UPDATE webhooks SET failures = 5, failing_since = unixepoch(), next_attempt_at = unixepoch() + 3600 WHERE account_id = ?',
  )
    .bind(agency.accountId)
    .run();
  expect((await send('GET', '/crm')).body).toMatchObject({ next_attempt_at: expect.any(String) });
  tasks.length = 0;
  const rotated = await send('POST', '/crm/rotate', {});
  expect(rotated.body).toMatchObject({ next_attempt_at: null });
  expect(tasks.map(({ task }) => task)).toEqual([
    { kind: 'webhooks', accountId: agency.accountId },
  ]);
});

test('POST test: the answer of the receiver, also of a disabled webhook; GET attempts: the latest first', async () => {
  await send('PUT', '/crm', { url: URL_OF_CRM, enabled: false });
  receiver(
    new Response('x'.repeat(2_000), { status: 500 }),
    new Response('accepted', { status: 202 }),
  );
  expect((await send('POST', '/crm/test')).body).toMatchObject({
    status: 500,
    error: null,
    response: 'x'.repeat(1_024),
  });
  expect((await send('POST', '/crm/test')).body).toMatchObject({
    status: 202,
    events: 0,
    response: 'accepted',
  });
  const { attempts } = (await send('GET', '/crm/attempts')).body;
  expect(attempts.map(({ status }: { status: number }) => status)).toEqual([202, 500]);
  expect(await send('GET', '/crm')).toMatchObject({
    body: { enabled: false, failing_since: null },
  });
  expect(logged.join()).not.toMatch(/accepted|mark-in-url/);
});

test('changes: one call with all of them; answered with 500: shown as failing; POST replay: begins again there', async () => {
  const { secret } = (await send('PUT', '/crm', { url: URL_OF_CRM, events: ['unit.changed'] }))
    .body;
  const { number: before } = (await send('GET', '/crm')).body;
  await setPrice(2);
  await setPrice(3);
  const calls = receiver(new Response('no', { status: 500 }), new Response('ok'));
  await deliverAll({ ...bindings, PUBLIC_ORIGIN: 'https://public.example' }, [agency.accountId]);
  const failing = (await send('GET', '/crm')).body;
  expect(failing).toMatchObject({ confirmed_number: before, enabled: true });
  expect(failing.number).toBeGreaterThan(before);
  expect(failing.failing_since).not.toBeNull();
  expect(failing.next_attempt_at).not.toBeNull();
  expect(tasks.map(({ task }) => task.kind)).toContain('webhook');
  const replayed = await send('POST', '/crm/replay', { from: failing.number });
  expect(tasks.at(-1)!.task.kind).toBe('webhooks');
  expect(replayed).toMatchObject({
    status: 200,
    body: { failing_since: null, confirmed_number: failing.number - 1 },
  });
  await deliverAll(bindings, [agency.accountId]);
  const [failed, confirmed] = [
    await readCall(calls[0]!, secret),
    await readCall(calls[1]!, secret),
  ];
  expect(failed.data.events).toMatchObject([
    { type: 'unit.changed', id: 'A-1', number: failing.number },
  ]);
  expect(failed.data.unit_changes_url).toMatch(
    /^https:\/\/public\.example\/v1\/units\/changes\?after=/,
  );
  expect(confirmed.data.events).toEqual(failed.data.events);
  expect(confirmed.id).not.toBe(failed.id);
  expect(confirmed.data.unit_changes_url).toMatch(
    /^https:\/\/feeds\.example\/v1\/units\/changes\?after=/,
  );
  expect(await send('GET', '/crm')).toMatchObject({
    body: { confirmed_number: failing.number, failing_since: null },
  });
  await send('POST', '/crm/replay', { from: 1 });
  // One after the next change, which would skip the rest unnoticed.
  const future = await send('POST', '/crm/replay', { from: failing.number + 2 });
  expect(future).toMatchObject({ status: 422, body: { errors: [{ pointer: '/from' }] } });
  expect((await send('GET', '/crm')).body.confirmed_number).toBe(0);
  await send('POST', '/crm/replay', { from: failing.number + 1 });
  expect((await send('GET', '/crm')).body.confirmed_number).toBe(failing.number);
  for (const from of [0, -1, 1.5, '1'])
    expect((await send('POST', '/crm/replay', { from })).status).toBe(422);
  expect(logged.join()).not.toMatch(/whsec_|A-1|mark-in-url/);
});

test('a call that fails, repeated after further changes: the same body under the same id; then the others', async () => {
  const { secret } = (await send('PUT', '/crm', { url: URL_OF_CRM })).body;
  const calls = receiver(new Response('no', { status: 500 }), new Response('ok'));
  await setPrice(6);
  await deliverAll(bindings, [agency.accountId]);
  await setPrice(7);
  await deliverAll(bindings, [agency.accountId], () => Date.now() + 60_000);
  const [first, repeated, later] = await Promise.all(
    calls.map(async (request) => ({
      body: await request.clone().text(),
      ...(await readCall(request, secret)),
    })),
  );
  expect(repeated).toEqual(first);
  expect(first!.data.events).toHaveLength(2);
  expect(later!.data.events.map(({ type, id }) => [type, id])).toEqual(
    first!.data.events.map(({ type, id }) => [type, id]),
  );
  expect(later!.id).not.toBe(first!.id);
  expect(calls).toHaveLength(3);
});

test('a call whose outcome is lost: the next attempt has its body and its id', async () => {
  await send('PUT', '/crm', { url: URL_OF_CRM });
  const calls = receiver(new Response('ok'));
  await setPrice(8);
  const { DB } = watched(({ what }) => {
    if (what === 'batch' && calls.length > 0) throw new Error('The isolate is gone');
  });
  await expect(deliverAll({ ...bindings, DB }, [agency.accountId])).rejects.toThrow();
  await setPrice(9);
  await deliverAll(bindings, [agency.accountId], () => Date.now() + 120_000);
  const [first, again] = await Promise.all(
    calls.map(async (request) => [request.headers.get('webhook-id'), await request.text()]),
  );
  expect(again).toEqual(first);
});

test('PUT with further events while a call is repeated: the next call has another id, and all of them', async () => {
  const { secret } = (await send('PUT', '/crm', { url: URL_OF_CRM, events: ['unit.changed'] }))
    .body;
  const calls = receiver(new Response('no', { status: 500 }), new Response('ok'));
  await setPrice(5);
  await deliverAll(bindings, [agency.accountId]);
  await send('PUT', '/crm', { url: URL_OF_CRM });
  await deliverAll(bindings, [agency.accountId], () => Date.now() + 60_000);
  const [first, second] = [await readCall(calls[0]!, secret), await readCall(calls[1]!, secret)];
  const types = [first, second].map(({ data }) => data.events.map(({ type }) => type));
  expect(types).toEqual([['unit.changed'], ['property.changed', 'unit.changed']]);
  expect(second.id).not.toBe(first.id);
});

test('news of another account, with later numbers: in no call', async () => {
  const { secret } = (await send('PUT', '/crm', { url: URL_OF_CRM })).body;
  const calls = receiver(new Response('ok'));
  const { accountId } = await openAgency(`${agency.code}X`, ['B-1']);
  await env.DB.prepare('UPDATE accounts SET changes = 1000 WHERE id = ?').bind(accountId).run();
  await env.DB.prepare('UPDATE units SET price = 7 WHERE account_id = ?').bind(accountId).run();
  await env.DB.exec(
    `INSERT INTO account_events (account_id, change, type) VALUES (${accountId}, 1002, 'import.failed')`,
  );
  await setPrice(2);
  await deliverAll(bindings, [agency.accountId]);
  const { data } = await readCall(calls[0]!, secret);
  const types = data.events.map(({ type, number }) => [type, number < 1_000]);
  expect(types.toSorted()).toEqual([
    ['property.changed', true],
    ['unit.changed', true],
  ]);
});

test('a change of a property that no feed has ever shown: no call', async () => {
  await send('PUT', '/crm', { url: URL_OF_CRM });
  const calls = receiver(new Response('ok'));
  const write = (title: string) =>
    store(env.DB, agency.accountId, [
      property('DRAFT', { status: 'Withdrawn', texts: { uk: { title } } }),
    ]);
  await write('Old');
  await deliverAll(bindings, [agency.accountId]);
  const before = calls.length;
  await write('New');
  await deliverAll(bindings, [agency.accountId]);
  expect(calls).toHaveLength(before);
});

test('a failed call whose only change is followed by another one: still failing since the first, until a call succeeds', async () => {
  await send('PUT', '/crm', { url: URL_OF_CRM, events: ['unit.changed'] });
  const calls = receiver(new Response('no', { status: 500 }));
  const deliverAt = (seconds: number) =>
    deliverAll(bindings, [agency.accountId], () => Date.now() + seconds * 1_000);
  await setPrice(5);
  await deliverAt(0);
  const { failing_since: since } = (await send('GET', '/crm')).body;
  await setPrice(6);
  await deliverAt(3_600);
  expect((await send('GET', '/crm')).body).toMatchObject({ failing_since: since, enabled: true });
  await setPrice(7);
  await deliverAt(4 * 86_400);
  expect((await send('GET', '/crm')).body).toMatchObject({ disabled_because: 'failing' });
  expect(calls).toHaveLength(3);
});

test('a call that ends after its lease has expired: what a later one has recorded stays', async () => {
  await send('PUT', '/crm', { url: URL_OF_CRM });
  await setPrice(5);
  const query = env.DB.prepare('SELECT id FROM webhooks WHERE account_id = ?').bind(
    agency.accountId,
  );
  const id = (await query.first<number>('id'))!;
  const now = Date.now();
  const slow = (await takeLease(env.DB, id, now, now + 1))!;
  const later = (await takeLease(env.DB, id, now + 1, now + 2))!;
  const succeeded = {
    enabled: true,
    disabledBecause: null,
    failures: 0,
    failingSince: null,
    nextAttemptAt: 0,
  } as const;
  for (const [lease, number] of [
    [later, later.confirmedNumber + 1],
    [slow, slow.confirmedNumber],
  ] as const) {
    await recordCall(env.DB, lease, { ...succeeded, ...NO_CALL, confirmedNumber: number }, null);
  }
  expect((await send('GET', '/crm')).body.confirmed_number).toBe(later.confirmedNumber + 1);
});

test('an answer of 410: disabled and shown as gone; PUT enables it again', async () => {
  await send('PUT', '/crm', { url: URL_OF_CRM });
  await setPrice(4);
  const calls = receiver(new Response(null, { status: 410 }), new Response('ok'));
  await deliverAll(bindings, [agency.accountId]);
  expect(await send('GET', '/crm')).toMatchObject({
    body: { enabled: false, disabled_because: 'gone', next_attempt_at: null },
  });
  await deliverAll(bindings, [agency.accountId]);
  expect(calls).toHaveLength(1);
  expect(logged.join()).toContain('webhook.disabled');
  await send('PUT', '/crm', { url: URL_OF_CRM });
  expect(tasks.at(-1)).toEqual({
    task: { kind: 'webhooks', accountId: agency.accountId },
    delay: 0,
  });
  await deliverAll(bindings, [agency.accountId]);
  const { confirmed_number, number, disabled_because } = (await send('GET', '/crm')).body;
  expect([calls.length, confirmed_number, disabled_because]).toEqual([2, number, null]);
});
