import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { ask } from '../../support/worker/ask.ts';

const ACCOUNTS = '/v1/operator/accounts';

let agency: Agency;

beforeAll(async () => {
  agency = await openAgency('OPERATED', ['A-1'], ['units:read', 'units:write']);
});

const bearing = (key: string | undefined) => ({ headers: { Authorization: `Bearer ${key}` } });
const KEY = env.OPERATOR_KEY!;

test.each([undefined, '', 'short'])(
  'with the key %j: as a path that does not exist',
  async (key) => {
    // The former key alone lets nobody in.
    const bindings = { ...env, OPERATOR_KEY: key, OPERATOR_KEY_OLD: KEY } as Env;
    const answerTo = async (path: string, method: string, sent: string | undefined) => {
      const init = { method, ...(sent !== undefined && bearing(sent)) };
      const { status, text, headers } = await ask(path, init, bindings);
      const shown = [...headers].filter(([name]) => !/^(x-request-id|server-timing)$/.test(name));
      return { status, text, shown };
    };
    for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS']) {
      const nothing = await answerTo('/v1/nothing', method, undefined);
      expect(nothing.status).toBe(404);
      for (const sent of [undefined, key, KEY])
        expect(await answerTo(ACCOUNTS, method, sent)).toEqual(nothing);
    }
  },
);

test('with the key: 200; with the former key while it is set: 200; with another, or a token of a client: 401', async () => {
  expect((await ask(ACCOUNTS, bearing(KEY))).status).toBe(200);
  const former = 'former-key-'.repeat(4);
  const rotated = { ...env, OPERATOR_KEY_OLD: former } as Env;
  expect((await ask(ACCOUNTS, bearing(former), rotated)).status).toBe(200);
  expect((await ask(ACCOUNTS, bearing(former))).status).toBe(401);
  for (const other of [`${KEY}x`, KEY.slice(1), '', await obtainToken(agency)]) {
    const { status, headers } = await ask(ACCOUNTS, bearing(other));
    expect([status, headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Bearer realm="Lindero operator"',
    ]);
  }
  expect((await ask(ACCOUNTS)).status).toBe(401);
});

test('too many wrong keys from an address: 429, also with the right one, and nobody else is affected', async () => {
  const refusing = {
    ...env,
    ADDRESS_CHECKS: { limit: async () => ({ success: false }) },
  } as unknown as Env;
  const from = (address: string, key: string) => ({
    headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': address },
  });
  expect((await ask(ACCOUNTS, from('192.0.2.77', 'wrong'), refusing)).status).toBe(401);
  expect((await ask(ACCOUNTS, from('192.0.2.77', KEY), refusing)).status).toBe(429);
  expect((await ask(ACCOUNTS, from('192.0.2.78', KEY), refusing)).status).toBe(200);
});

test('a request of the operator: its log line says so, and nothing has the key', async () => {
  const lines = vi.spyOn(console, 'info').mockImplementation(() => {});
  const { text } = await ask(`${ACCOUNTS}/OPERATED`, bearing(KEY));
  const logged = JSON.stringify(lines.mock.calls);
  lines.mockRestore();
  expect(logged).toContain('\\"interface\\":\\"operator\\"');
  expect(logged).toContain('\\"client\\":\\"operator\\"');
  expect(logged + text).not.toContain(KEY);
});

describe('the operator in an account', () => {
  const unit = `/v1/developments/${DEVELOPMENT}/units/A-1`;

  test('without ?account: 400; with an unknown one: 404; with the account in any case: as its clients', async () => {
    expect((await ask(unit, bearing(KEY))).status).toBe(400);
    const unknown = await ask(`${unit}?account=NOBODY`, bearing(KEY));
    expect([unknown.status, JSON.parse(unknown.text).code]).toEqual([404, 'account_not_found']);
    const found = await ask(`${unit}?account=operated`, bearing(KEY));
    expect([found.status, JSON.parse(found.text).UntName]).toEqual([200, 'A-1']);
  });

  test('a token of a client with ?account of another account: 400 bad_parameter', async () => {
    await openAgency('OPERATED-TOO', ['B-1']);
    const own = { headers: withToken(await obtainToken(agency)) };
    const { status, text } = await ask(`${unit}?account=OPERATED-TOO`, own);
    expect([status, JSON.parse(text).code]).toEqual([400, 'bad_parameter']);
  });

  test('what it changes: the history says that the operator did it', async () => {
    const body = JSON.stringify({ UntName: 'A-1', UntStatus: 2, UntPrice: 7, UntDirections: [] });
    const path = `/v1/developments/${DEVELOPMENT}/units/update-by-name?account=OPERATED`;
    const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
    expect((await ask(path, { method: 'POST', headers, body })).status).toBe(200);
    const { text } = await ask(`${unit}?account=OPERATED`, bearing(KEY));
    expect(JSON.parse(text).changes[0]).toMatchObject({
      client_id: 'lindero',
      to: { UntPrice: 7 },
    });
    const actor = await env.DB.prepare(
      'SELECT actor FROM unit_history WHERE account_id = ? ORDER BY version DESC',
    )
      .bind(agency.accountId)
      .first('actor');
    expect(actor).toBe('operator');
  });

  test('GET /v1/export: every document, and a last line with their number', async () => {
    const { status, text, headers } = await ask('/v1/export?account=OPERATED', bearing(KEY));
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson']);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([lines[0], lines.at(-1)]).toEqual([
      { kind: 'portfolio' },
      { kind: 'end', documents: lines.length - 2 },
    ]);
    expect(lines).toContainEqual(expect.objectContaining({ kind: 'unit', name: 'A-1' }));
  });
});

test('the demo, whose secrets are public: only `npm start` has its routes', async () => {
  for (const path of ['/v1/operator/demo', '/v1/operator/demo/events']) {
    const { status } = await ask(path, { method: 'POST', ...bearing(KEY) });
    expect(status).toBe(404);
  }
});
