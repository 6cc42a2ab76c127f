import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/env.ts';
import { invalidateManifests } from '../../src/feed/manifest/manifest-cache.ts';
import { createAccount, setPassword } from '../../src/operator/accounts.ts';
import { openReader } from '../support/accounts/readers.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../support/accounts/units.ts';
import { ask, watched } from '../support/worker/ask.ts';

/** Checks of one address that an isolate runs at the same time. */
const SIMULTANEOUS = 8;

type Limiter = 'CREDENTIAL_CHECKS' | 'ADDRESS_CHECKS' | 'TOKENS' | 'UPDATES';

const UNITS = `/v1/developments/${DEVELOPMENT}/units`;

let agency: Agency;
let token: string;

beforeAll(async () => {
  agency = await openAgency('LIMITS', ['A-1']);
  token = await obtainToken(agency);
});

/** Bindings with a limiter that allows `allowed` calls per key, and the keys of its calls. A check counts once it has failed. */
function limited(name: Limiter, allowed: number): { bindings: Env; keys: string[] } {
  const keys: string[] = [];
  const unlimited = { limit: async () => ({ success: true }) };
  const limit = async ({ key }: { key: string }) => {
    keys.push(key);
    return { success: keys.filter((other) => other === key).length <= allowed };
  };
  const others = {
    CREDENTIAL_CHECKS: unlimited,
    ADDRESS_CHECKS: unlimited,
    TOKENS: unlimited,
    UPDATES: unlimited,
  };
  return { bindings: { ...env, ...others, [name]: { limit } }, keys };
}

function feed(account: string, address: string, bindings: Env, password = 'guess') {
  const path = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${account}&P=${password}`;
  return ask(path, { headers: { 'CF-Connecting-IP': address } }, bindings);
}

function tokenRequest(clientId: string, secret: string, address: string, bindings: Env) {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  });
  return ask(
    '/oauth/token',
    { method: 'POST', body, headers: { 'CF-Connecting-IP': address } },
    bindings,
  );
}

function update(path: string, body: unknown, bindings: Env) {
  const init = { method: 'POST', headers: withToken(token), body: JSON.stringify(body) };
  return ask(`${UNITS}/${path}`, init, bindings);
}

function values(UntPrice: number) {
  return { UntName: 'A-1', UntStatus: 1, UntPrice, UntDirections: [] };
}

describe('credentials from one address that the isolate has not verified', () => {
  test('feeds of 250 invented accounts at once: some 401, then 429 with Retry-After, without D1 and PBKDF2', async () => {
    const { bindings } = limited('ADDRESS_CHECKS', 20);
    const known = await feed(agency.code, '192.0.2.7', bindings, 'demo');
    let statements = 0;
    const counting = { ...bindings, DB: watched(({ of }) => of === 'D1' && statements++).DB };
    const derivations = vi
      .spyOn(crypto.subtle, 'deriveBits')
      .mockResolvedValue(new ArrayBuffer(32));
    const answers = await Promise.all(
      Array.from({ length: 250 }, (_, index) => feed(`INVENTED-${index}`, '192.0.2.7', counting)),
    );
    const denied = answers.filter(({ status }) => status === 401).length;
    expect(denied).toBeGreaterThan(20);
    expect(denied).toBeLessThanOrEqual(20 + SIMULTANEOUS);
    expect([statements, derivations.mock.calls.length]).toEqual([denied, denied]);
    derivations.mockRestore();
    const rejected = answers.filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(250 - denied);
    for (const { headers } of rejected) {
      expect(headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(50);
      expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    }
    // The isolate knows when it will check the network's credentials again.
    vi.setSystemTime(Date.now() + 40_000);
    const later = await feed('INVENTED-1', '192.0.2.7', bindings);
    vi.useRealTimers();
    expect(later.status).toBe(429);
    expect(Number(later.headers.get('Retry-After'))).toBeLessThanOrEqual(20);
    expect((await feed(agency.code, '192.0.2.7', bindings, 'demo')).bytes).toEqual(known.bytes);
  });

  test('feeds of many accounts with the right passwords: never limited by address', async () => {
    const portal = ['PORTAL-1', 'PORTAL-2', 'PORTAL-3'];
    for (const code of portal) await createAccount(env.DB, { code, name: code, password: 'right' });
    const { bindings, keys } = limited('ADDRESS_CHECKS', 0);
    for (const code of portal)
      expect((await feed(code, '192.0.2.11', bindings, 'right')).status).toBe(200);
    expect(keys).toEqual([]);
  });

  test('feeds with the right password, many at once: those that wait for the first ones are not limited', async () => {
    await createAccount(env.DB, { code: 'BURST', name: 'BURST', password: 'right' });
    const { bindings } = limited('CREDENTIAL_CHECKS', SIMULTANEOUS);
    const answers = await Promise.all(
      Array.from({ length: 3 * SIMULTANEOUS }, () =>
        feed('BURST', '192.0.2.13', bindings, 'right'),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a password that is right no longer: limited like any other', async () => {
    const code = 'CHANGED';
    const id = await createAccount(env.DB, { code, name: code, password: 'former' });
    const { bindings } = limited('CREDENTIAL_CHECKS', 2);
    expect((await feed(code, '192.0.2.12', bindings, 'former')).status).toBe(200);
    await setPassword(env.DB, id, { password: 'new' });
    invalidateManifests(id);
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++)
      statuses.push((await feed(code, '192.0.2.12', bindings, 'former')).status);
    expect(statuses).toEqual([401, 401, 429]);
  });

  test('feeds, tokens and token requests share a limit per /64; other networks have their own', async () => {
    const { bindings, keys } = limited('ADDRESS_CHECKS', 3);
    const bearer = {
      headers: { Authorization: 'Bearer abc', 'CF-Connecting-IP': '2001:db8:0:1:ffff::2' },
    };
    const statuses = [
      (await feed('INVENTED', '2001:db8:0:1::1', bindings)).status,
      (await feed('INVENTED', '2001:db8:0:1::9', bindings)).status,
      (await ask('/v1/developments', bearer, bindings)).status,
      (await tokenRequest('invented', 'x', '2001:db8:0:1::3', bindings)).status,
      (await tokenRequest('invented', 'x', '2001:db8:0:1::4', bindings)).status,
      (await tokenRequest('invented', 'x', '2001:db8:0:2::4', bindings)).status,
    ];
    expect(statuses).toEqual([401, 401, 401, 401, 429, 401]);
    expect(new Set(keys)).toEqual(new Set(['2001:db8:0:1::/64', '2001:db8:0:2::/64']));
  });

  test('invalid access tokens: 401, then 429 with Retry-After and a problem document', async () => {
    const { bindings } = limited('ADDRESS_CHECKS', 1);
    const send = (credential: string) => {
      const headers = { Authorization: `Bearer ${credential}`, 'CF-Connecting-IP': '192.0.2.8' };
      return ask('/v1/developments', { headers }, bindings);
    };
    expect([(await send('invalid')).status, (await send('invalid')).status]).toEqual([401, 401]);
    const { status, headers, text } = await send('another');
    expect([status, headers.get('Retry-After')]).toEqual([429, '60']);
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'too_many_requests' });
  });

  test('hits, 304s and tokens that were verified before: never limited', async () => {
    const unlimited = limited('ADDRESS_CHECKS', 1_000).bindings;
    const { headers } = await feed(agency.code, '192.0.2.9', unlimited, 'demo');
    await ask('/v1/developments', { headers: withToken(token) }, unlimited);
    const { bindings, keys } = limited('ADDRESS_CHECKS', 0);
    expect((await feed(agency.code, '192.0.2.9', bindings, 'demo')).status).toBe(200);
    const path = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agency.code}&P=demo`;
    const conditional = { 'CF-Connecting-IP': '192.0.2.9', 'If-None-Match': headers.get('ETag')! };
    expect((await ask(path, { headers: conditional }, bindings)).status).toBe(304);
    const bearer = withToken(token, { 'CF-Connecting-IP': '192.0.2.9' });
    expect((await ask('/v1/developments', { headers: bearer }, bindings)).status).toBe(200);
    expect(keys).toEqual([]);
  });

  test('a reader that follows changes: not limited once its key was verified, until the key is wrong', async () => {
    const key = await openReader(agency.accountId, 'follower');
    const { bindings } = limited('CREDENTIAL_CHECKS', 1);
    const authorization = `Basic ${btoa(`OWNPROPERTIES@${agency.code}:${key}`)}`;
    const headers = { Authorization: authorization, 'CF-Connecting-IP': '192.0.2.13' };
    const statuses = async () => {
      const follow = async () => (await ask('/v1/changes', { headers }, bindings)).status;
      return [await follow(), await follow()];
    };
    expect(await statuses()).toEqual([200, 200]);
    await env.DB.prepare('DELETE FROM readers WHERE account_id = ?').bind(agency.accountId).run();
    expect(await statuses()).toEqual([401, 429]);
  });
});

test('POST /oauth/token with verified secrets: limited per client', async () => {
  const other = await openAgency('LIMITS-2', []);
  const { bindings } = limited('TOKENS', 2);
  const send = (client: Agency) =>
    tokenRequest(client.clientId, client.secret, '192.0.2.10', bindings);
  expect([(await send(agency)).status, (await send(agency)).status]).toEqual([200, 200]);
  const { status, headers, text } = await send(agency);
  expect([status, headers.get('Retry-After'), headers.get('Cache-Control')]).toEqual([
    429,
    '60',
    'no-store',
  ]);
  expect(JSON.parse(text)).toMatchObject({ error: 'temporarily_unavailable' });
  expect((await send(other)).status).toBe(200);
});

test('POST update-by-name and update-many: limited per account, by updates', async () => {
  const { bindings } = limited('UPDATES', 202);
  const many = Array.from({ length: 201 }, (_, price) => values(price));
  expect((await update('update-many', many, bindings)).status).toBe(200);
  expect((await update('update-by-name', values(1000), bindings)).status).toBe(200);
  for (const [path, body] of [
    ['update-by-name', values(2000)],
    ['update-many', [values(2000)]],
  ] as const) {
    const { status, headers, text } = await update(path, body, bindings);
    expect([status, headers.get('Retry-After')]).toEqual([429, '60']);
    expect(headers.get('RateLimit')).toBe('"updates";r=0;t=60');
    expect(headers.get('RateLimit-Policy')).toBe('"updates";q=3000;w=60');
    expect(JSON.parse(text)).toMatchObject({ code: 'too_many_requests' });
  }
  const { text } = await ask(`${UNITS}/A-1`, { headers: withToken(token) }, bindings);
  expect(JSON.parse(text)).toMatchObject({ UntPrice: 1000 });
});

test('POST /v1/properties/batch: limited per account, by operations', async () => {
  const other = await openAgency('LIMITS-3', [], ['properties:write']);
  const body = JSON.stringify({ operations: ['a', 'b', 'c'].map((id) => ({ op: 'delete', id })) });
  const init = { method: 'POST', headers: withToken(await obtainToken(other)), body };
  expect((await ask('/v1/properties/batch', init, limited('UPDATES', 3).bindings)).status).toBe(
    200,
  );
  expect((await ask('/v1/properties/batch', init, limited('UPDATES', 2).bindings)).status).toBe(
    429,
  );
});

test('a limiter that fails: nothing is limited, and the failure is logged as an error', async () => {
  const failing = { limit: () => Promise.reject(new Error('limiter')) };
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { status } = await update('update-by-name', values(1), { ...env, UPDATES: failing });
  expect([status, logged.mock.calls]).toEqual([
    200,
    [[expect.stringMatching(/"rate_limiter.failed".*"Error: limiter"/)]],
  ]);
  logged.mockRestore();
});
