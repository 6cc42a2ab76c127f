import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency } from '../../support/accounts/units.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { call } from '../../support/worker/api.ts';

let agencies = 0;
let agency: Agency;
let token: string;

beforeEach(async () => {
  agency = await openAgency(`REPORTS${++agencies}`, [], ['properties:read', 'properties:write']);
  await store(env.DB, agency.accountId, [...VOCABULARY, property('P1'), property('P2')]);
  token = await obtainToken(agency);
});

afterEach(() => vi.unstubAllGlobals());

function send(method: string, path: string, body?: BodyInit | object, type = 'text/xml') {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
  return call(method, path, body, headers, withTasks().env);
}

const run = async (): Promise<unknown> =>
  (await continueImport(withTasks().env, agency.accountId)) && run();

test('GET an import that is held: the listed properties that are not in its file, until it is decided', async () => {
  const { body } = await send(
    'POST',
    '/v1/imports?replace=true&max_withdrawn=20',
    kyeroFeed([kyeroRecord('P1')]),
  );
  await run();
  const { ref, town } = property('P2');
  const held = { total: 1, properties: [{ id: 'P2', ref, town }] };
  const shown = (await send('GET', `/v1/imports/${body.id}`)).body;
  expect([shown.state, shown.would_withdraw]).toEqual(['held', held]);
  await send('POST', `/v1/imports/${body.id}/approve`);
  expect((await send('GET', `/v1/imports/${body.id}`)).body).toMatchObject({
    would_withdraw: null,
    report: null,
  });
});

const NDJSON = 'application/x-ndjson';

test('POST a file without the time of a listing: a new property is listed now, a stored one keeps its time', async () => {
  const lines = ['P1', 'P3'].map((id) => {
    const { listed_at: _, ...given } = { ...property(id), ref: 'new' };
    return JSON.stringify(given);
  });
  const { body } = await send('POST', '/v1/imports', lines.join('\n'), NDJSON);
  await run();
  const { created_at, report } = (await send('GET', `/v1/imports/${body.id}`)).body;
  expect(report.properties).toMatchObject({ created: 1, updated: 1, rejected: 0 });
  const listed = async (id: string) => (await send('GET', `/v1/properties/${id}`)).body.listed_at;
  expect(await listed('P1')).toBe(property('P1').listed_at);
  expect(await listed('P3')).toBe(created_at);
});

test('POST a file of which every record is rejected: failed, with the report; of which one is: finished', async () => {
  const bad = JSON.stringify({ kind: 'property', id: 'bad' });
  const state = async (lines: readonly string[]) => {
    const { body } = await send('POST', '/v1/imports', lines.join('\n'), NDJSON);
    await run();
    const ended = (await send('GET', `/v1/imports/${body.id}`)).body;
    return [ended.state, ended.error?.code, ended.report.properties.rejected];
  };
  expect(await state([bad, bad])).toEqual(['failed', 'bad_records', 2]);
  expect(await state([bad, JSON.stringify(property('P1'))])).toEqual(['finished', undefined, 1]);
});

test('GET imports of two sources with the same properties: how many the other source has', async () => {
  vi.stubGlobal(
    'fetch',
    async ({ pathname }: URL) =>
      new Response(kyeroFeed([pathname.slice(1), 'P2'].map((id) => kyeroRecord(id)))),
  );
  for (const name of ['one', 'two']) {
    await send(
      'PUT',
      `/v1/sources/${name}`,
      { url: `https://crm.example.com/${name}`, every: 'week' },
      'application/json',
    );
    await send('POST', `/v1/sources/${name}/run`);
    await run();
  }
  const sent = await send(
    'POST',
    '/v1/imports',
    kyeroFeed([kyeroRecord('P2'), kyeroRecord('one')]),
  );
  await run();
  const reported = async (id: number) =>
    (await send('GET', `/v1/imports/${id}`)).body.report.in_other_sources;
  const ofSent = await reported(sent.body.id);
  expect([await reported(sent.body.id - 2), await reported(sent.body.id - 1), ofSent]).toEqual([
    {},
    { one: 1 },
    { one: 2, two: 1 },
  ]);
});
