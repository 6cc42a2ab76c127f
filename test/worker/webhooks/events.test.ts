import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ACCOUNT_EVENTS } from '../../../src/accounts/events.ts';
import { deliverAll } from '../../../src/changes/webhooks/deliver.ts';
import { EVENTS, type WebhookEvent } from '../../../src/changes/webhooks/events.ts';
import type { Env } from '../../../src/env.ts';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { logOverdueReaders } from '../../../src/readers/overdue.ts';
import { removeUnit } from '../../../src/units/developments.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { openWebhook, readCall, withTasks } from '../../support/accounts/webhooks.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { call } from '../../support/worker/api.ts';

let agencies = 0;
let agency: Agency;
let bindings: Env;
let tasks: ReturnType<typeof withTasks>['tasks'];

beforeEach(async () => {
  agency = await openAgency(`NEWS${++agencies}`, ['A-1'], ['properties:write']);
  await store(env.DB, agency.accountId, [...VOCABULARY, property('P1')]);
  ({ env: bindings, tasks } = withTasks());
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const run = (statement: string) =>
  env.DB.prepare(statement.replaceAll('?', String(agency.accountId))).run();

/** Imports a file, and returns the id of the import. */
async function imported(file: string): Promise<string> {
  const token = await obtainToken(agency);
  const headers = { ...withToken(token), 'Content-Type': 'application/xml' };
  const sent = await call('POST', '/v1/imports', file, headers, bindings);
  while (await continueImport(bindings, agency.accountId));
  return sent.headers.get('Location')!.split('/').at(-1)!;
}

/** Makes each event happen, and returns its `id`. An event without an entry does not compile. */
const HAPPENS: Readonly<Record<WebhookEvent, () => Promise<string>>> = {
  async 'property.changed'() {
    await store(env.DB, agency.accountId, [property('P1', { beds: 7 })]);
    return 'P1';
  },
  async 'property.removed'() {
    await store(env.DB, agency.accountId, [property('P1', { status: 'Withdrawn' })]);
    return 'P1';
  },
  async 'unit.changed'() {
    await run('UPDATE units SET price = price + 1 WHERE account_id = ?');
    return 'A-1';
  },
  async 'unit.removed'() {
    const { accountId } = agency;
    await removeUnit(env.DB, { accountId, development: DEVELOPMENT, name: 'A-1' });
    return 'A-1';
  },
  'import.finished': () => imported(kyeroFeed([kyeroRecord('P2', { type: 'Villa' })])),
  'import.failed': () => imported('<kyero>'),
  async 'reader.overdue'() {
    await run("INSERT INTO readers (account_id, name) VALUES (?, 'portal')");
    await run(`INSERT INTO deliveries (reader_id, feed, last_seen_at, usual_interval, intervals)
      SELECT id, 'resales', 0, 3600, 9 FROM readers WHERE account_id = ?`);
    await logOverdueReaders(bindings, [agency.accountId], 1_000_000);
    return 'portal';
  },
};

test.each(EVENTS)('%s: a webhook that asked for it is called', async (type) => {
  const { secret } = await openWebhook(agency.accountId, 'crm', undefined, [type]);
  const id = await HAPPENS[type]();
  const calls: Request[] = [];
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    calls.push(new Request(url, init));
    return new Response();
  });
  await deliverAll(bindings, [agency.accountId]);
  expect(calls.length, `Nothing adds ${type}: call eventStatements where it happens`).toBe(1);
  if (type in ACCOUNT_EVENTS)
    expect(
      tasks.map(({ task }) => task.kind),
      'Nobody is told: send the task',
    ).toContain('webhooks');
  const { data } = await readCall(calls[0]!, secret);
  expect(data.events).toEqual([expect.objectContaining({ type, id })]);
});
