import { env } from 'cloudflare:workers';
import { CompactSign, decodeJwt, exportSPKI, importJWK, type JWK, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { generateSigningKey } from '../../../src/oauth/own-keys.ts';
import {
  type Agency,
  ask,
  DEVELOPMENT,
  ORIGIN,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { ask as askWith } from '../../support/worker/ask.ts';

const [ownKey] = JSON.parse(env.SIGNING_KEYS!).keys as [JWK & { kid: string }];
const HOUR = 3600;

let agency: Agency;
let token: string;

beforeAll(async () => {
  agency = await openAgency('BEARER', ['A-1']);
  token = await obtainToken(agency);
});

afterEach(() => {
  vi.useRealTimers();
});

function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** A valid token, except for the given values. */
async function forged(
  claims: Record<string, unknown> = {},
  header: object = {},
  key: JWK = ownKey,
): Promise<string> {
  const payload = {
    iss: ORIGIN,
    aud: ORIGIN,
    sub: agency.clientId,
    client_id: agency.clientId,
    client_created_at: decodeJwt(token).client_created_at,
    scope: 'units:write units:read',
    iat: now(),
    exp: now() + HOUR,
    jti: 'x',
    ...claims,
  };
  return new SignJWT(JSON.parse(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: ownKey.kid, ...header })
    .sign(await importJWK(key, 'ES256'), { crit: { 'urn:example': true } });
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function read(authorization?: string): Promise<Response> {
  return ask('/v1/developments', {
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });
}

async function problemOf(response: Response) {
  const { code, status, title, type } = await response.json<Record<string, unknown>>();
  expect([response.headers.get('Content-Type'), type]).toEqual([
    'application/problem+json',
    `/problems/${code}`,
  ]);
  expect([status, title]).toEqual([response.status, expect.any(String)]);
  return [response.status, code, response.headers.get('WWW-Authenticate')];
}

test('GET with a valid token: 200', async () => {
  expect((await read(`Bearer ${token}`)).status).toBe(200);
  expect((await read(`bearer  ${await forged()}`)).status).toBe(200);
  expect((await read(`Bearer ${await forged({}, { typ: 'application/AT+JWT' })}`)).status).toBe(
    200,
  );
  expect(
    (await read(`Bearer ${await forged({ aud: ['https://elsewhere.example', ORIGIN] })}`)).status,
  ).toBe(200);
});

describe('GET without a token: 401 missing_token with a challenge without error', () => {
  test.each([undefined, 'Basic eDp5', 'Bearerabc', 'DPoP abc'])('%s', async (authorization) => {
    expect(await problemOf(await read(authorization))).toEqual([
      401,
      'missing_token',
      'Bearer realm="Lindero"',
    ]);
  });
});

describe('GET with an invalid token: 401 invalid_token', () => {
  test.each<[string, () => string | Promise<string>]>([
    ['empty', () => ''],
    ['not a JWT', () => 'abc'],
    ['with characters that no token contains', () => 'äöü'],
    ['two tokens', () => `${token} ${token}`],
    ['truncated', () => token.slice(0, -10)],
    ['with another payload', () => token.replace(/\.[^.]+\./, `.${encode({ iss: ORIGIN })}.`)],
    [
      'with a payload that is not JSON',
      async () =>
        new CompactSign(new TextEncoder().encode('no'))
          .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: ownKey.kid })
          .sign(await importJWK(ownKey, 'ES256')),
    ],
    ['alg none', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${token.split('.')[1]}.`],
    [
      'alg none with the kid',
      () => `${encode({ alg: 'none', typ: 'at+jwt', kid: ownKey.kid })}.${token.split('.')[1]}.`,
    ],
    [
      'HS256 signed with the public key',
      async () => {
        const { d: _, ...half } = ownKey;
        const pem = await exportSPKI(
          (await importJWK(half, 'ES256', { extractable: true })) as CryptoKey,
        );
        return new SignJWT({ client_id: agency.clientId, scope: 'units:read' })
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: ownKey.kid })
          .setIssuer(ORIGIN)
          .setAudience(ORIGIN)
          .setSubject(agency.clientId)
          .setIssuedAt()
          .setExpirationTime('1h')
          .setJti('x')
          .sign(new TextEncoder().encode(pem));
      },
    ],
    [
      'another key under the same kid',
      async () => forged({}, {}, { ...(await generateSigningKey()), kid: ownKey.kid }),
    ],
    ['an unknown kid', () => forged({}, { kid: 'unknown' })],
    [
      'another key contained in the header',
      async () => {
        const { d: _, ...half } = await generateSigningKey();
        return forged({}, { kid: half.kid, jwk: half }, await generateSigningKey());
      },
    ],
    ['a wrong issuer', () => forged({ iss: 'https://elsewhere.example' })],
    ['no issuer', () => forged({ iss: undefined })],
    ['a wrong audience', () => forged({ aud: 'https://elsewhere.example' })],
    ['no audience', () => forged({ aud: undefined })],
    ['not yet valid', () => forged({ nbf: now() + 60 })],
    ['without an expiry', () => forged({ exp: undefined })],
    ['with an expiry that is a string', () => forged({ exp: 'tomorrow' })],
    ['without a client', () => forged({ client_id: undefined })],
    ['of an unknown client', () => forged({ client_id: 'nobody' })],
    ['an ID token by its typ', () => forged({}, { typ: 'JWT' })],
    ['without a typ', () => forged({}, { typ: undefined })],
    ['with a critical extension', () => forged({}, { crit: ['urn:example'], 'urn:example': 1 })],
  ])('%s', async (_, make) => {
    const [status, code, challenge] = await problemOf(await read(`Bearer ${await make()}`));
    expect([status, code]).toEqual([401, 'invalid_token']);
    expect(challenge).toMatch(
      /^Bearer realm="Lindero", error="invalid_token", error_description="[^"]+"$/,
    );
  });
});

test('GET with an invalid token: the reason is logged, the token is not', async () => {
  const written = vi.spyOn(console, 'info').mockImplementation(() => {});
  const bad = await forged({ iss: 'https://elsewhere.example' });
  const { headers } = await read(`Bearer ${bad}`);
  const lines: string[] = written.mock.calls.flat();
  written.mockRestore();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      event: 'token.denied',
      requestId: headers.get('X-Request-Id'),
      reason: expect.stringContaining('"iss"'),
    },
    expect.objectContaining({ event: 'request', status: 401 }),
  ]);
  expect(lines.join()).not.toContain(bad);
});

describe('times', () => {
  test.each([
    ['expired 20 seconds ago: 200', { exp: -20 }, 200],
    ['expired 31 seconds ago: 401', { exp: -31 }, 401],
    ['valid in 20 seconds: 200', { nbf: 20 }, 200],
    ['valid in 40 seconds: 401', { nbf: 40 }, 401],
  ])('%s', async (_, offsets, status) => {
    const claims = Object.fromEntries(
      Object.entries(offsets).map(([name, offset]) => [name, now() + offset]),
    );
    expect((await read(`Bearer ${await forged(claims)}`)).status).toBe(status);
  });

  test('a token of this service: 200 for an hour, then 401 with the reason', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + (HOUR - 5) * 1000);
    expect((await read(`Bearer ${token}`)).status).toBe(200);
    vi.setSystemTime(Date.now() + 60_000);
    const { detail } = await (await read(`Bearer ${token}`)).json<{ detail: string }>();
    expect(detail).toContain('expired');
  });

  test('a cached token: verified again after it expires, and for another issuer', async () => {
    const short = await forged({ exp: now() + 5 });
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 25_000);
    expect((await read(`Bearer ${short}`)).status, 'within the tolerance of clocks').toBe(200);
    vi.setSystemTime(Date.now() + 15_000);
    expect((await read(`Bearer ${short}`)).status).toBe(401);
    vi.useRealTimers();
    expect((await read(`Bearer ${token}`)).status).toBe(200);
    const elsewhere = { ...env, PUBLIC_ORIGIN: 'https://other.example' };
    const { status } = await askWith('/v1/developments', { headers: withToken(token) }, elsewhere);
    expect(status).toBe(401);
  });
});

describe('without the required scope: 403 insufficient_scope', () => {
  const path = `/v1/developments/${DEVELOPMENT}/units`;
  const calls: [string, string, string][] = [
    ['units:write', 'POST', `${path}/update-by-name`],
    ['units:write', 'POST', `${path}/update-many`],
    ['units:read', 'GET', '/v1/developments'],
    ['units:read', 'GET', path],
    ['units:read', 'GET', `${path}/A-1`],
  ];

  test.each(calls)('%s for %s %s', async (scope, method, address) => {
    const other = scope === 'units:write' ? 'units:read' : 'units:write';
    const response = await ask(address, {
      method,
      headers: withToken(await obtainToken(agency, other)),
    });
    const [status, code, challenge] = await problemOf(response);
    expect([status, code]).toEqual([403, 'insufficient_scope']);
    expect(challenge).toContain(`error="insufficient_scope"`);
    expect(challenge).toContain(`scope="${scope}"`);
  });

  test('a token without scopes', async () => {
    expect((await read(`Bearer ${await forged({ scope: '' })}`)).status).toBe(403);
  });

  test('a scope removed from the client: 403 within a minute', async () => {
    const other = await openAgency('NARROWED', []);
    const headers = withToken(await obtainToken(other));
    expect((await ask('/v1/developments', { headers })).status).toBe(200);
    await env.DB.prepare("UPDATE clients SET scopes = 'units:write' WHERE id = ?")
      .bind(other.clientId)
      .run();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 60_000);
    expect((await ask('/v1/developments', { headers })).status).toBe(403);
  });
});

describe('disabled', () => {
  test.each(['clients', 'accounts'])('one of %s: 401 within a minute', async (table) => {
    const other = await openAgency(`STOPPED-${table.toUpperCase()}`, []);
    const headers = withToken(await obtainToken(other));
    expect((await ask('/v1/developments', { headers })).status).toBe(200);
    const id = table === 'clients' ? other.clientId : other.accountId;
    await env.DB.prepare(`UPDATE ${table} SET disabled = 1 WHERE id = ?`).bind(id).run();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 59_000);
    const [status, code] = await problemOf(await ask('/v1/developments', { headers }));
    expect([status, code]).toEqual([401, 'invalid_token']);
  });
});

test('a token of a deleted client whose id another account’s client has: 401', async () => {
  const former = await openAgency('FORMER', []);
  const headers = withToken(await obtainToken(former));
  const { accountId } = await openAgency('LATTER', []);
  await env.DB.prepare(
    'UPDATE clients SET account_id = ?, created_at = created_at + 1 WHERE id = ?',
  )
    .bind(accountId, former.clientId)
    .run();
  expect((await ask('/v1/developments', { headers })).status).toBe(401);
  expect(
    (await ask('/v1/developments', { headers: withToken(await obtainToken(former)) })).status,
  ).toBe(200);
});

test("a token of another account: 404 for this account's units", async () => {
  const headers = withToken(await obtainToken(await openAgency('STRANGER', ['B-1'])));
  const body = JSON.stringify({ UntName: 'A-1', UntStatus: 4, UntPrice: 1, UntDirections: [] });
  const path = `/v1/developments/${DEVELOPMENT}/units`;
  const update = await ask(`${path}/update-by-name`, { method: 'POST', headers, body });
  expect([update.status, (await update.json<{ code: string }>()).code]).toEqual([
    404,
    'unit_not_found',
  ]);
  expect((await ask(`${path}/A-1`, { headers })).status).toBe(404);
  const { units } = await (await ask(path, { headers })).json<{ units: { UntName: string }[] }>();
  expect(units.map(({ UntName }) => UntName)).toEqual(['B-1']);
  const own = await ask(`${path}/update-by-name`, {
    method: 'POST',
    headers,
    body: body.replace('A-1', 'B-1'),
  });
  expect(await own.json()).toMatchObject({ UntName: 'B-1', UntStatus: 4 });
  const unit = await ask(`${path}/A-1`, { headers: withToken(token) });
  expect(await unit.json()).toMatchObject({ UntStatus: 1, version: 1, changes: [] });
});
