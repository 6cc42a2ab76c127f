import { env } from 'cloudflare:workers';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { TOKEN_CACHE_MS } from '../../../src/oauth/bearer.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { ask } from '../../support/worker/ask.ts';

const MINUTE = 60_000;
const ISSUER = 'https://login.example/';
const AUDIENCE = 'https://api.example';

let agency: Agency;
let tests = 0;
let bindings: Env;
/** The issuer's response; `undefined` if it does not respond. */
let published: { keys: JWK[] } | undefined;
let fetches: string[];

beforeAll(async () => {
  agency = await openAgency('OTHER-1', ['A-1']);
});

beforeEach(() => {
  const address = `https://login.example/${++tests}/jwks`;
  bindings = { ...env, TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: AUDIENCE, TOKEN_JWKS_URL: address };
  fetches = [];
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    fetches.push(String(input));
    if (published === undefined) throw new TypeError('Network connection lost.');
    return Response.json(published);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Key {
  readonly alg: string;
  readonly kid: string;
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

// Making an RSA key takes far longer.
async function newKey(alg = 'ES256', kid = `key-${Math.random()}`): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, privateKey };
}

function publish(...keys: Key[]): void {
  published = { keys: keys.map(({ jwk }) => jwk) };
}

function signed(
  key: Key,
  claims: Record<string, unknown> = {},
  header: object = {},
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000);
  const given = {
    iss: ISSUER,
    aud: AUDIENCE,
    exp: seconds + 86_400 * 3,
    account: agency.code,
    scope: 'units:read',
    ...claims,
  };
  return new SignJWT(JSON.parse(JSON.stringify(given)))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
    .sign(key.privateKey);
}

async function status(token: string, more: Partial<Env> = {}): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await ask('/v1/developments', { headers }, { ...bindings, ...more })).status;
}

function later(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

test('token endpoint, keys and metadata with another issuer: 404', async () => {
  for (const path of [
    '/oauth/token',
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server',
  ]) {
    for (const method of ['GET', 'POST'])
      expect((await ask(path, { method }, bindings)).status).toBe(404);
  }
});

describe('a token of the other issuer: 200', () => {
  test.each(['RS256', 'ES256', 'EdDSA'])('signed by %s', async (alg) => {
    const key = await newKey(alg);
    publish(await newKey(), key);
    expect(await status(await signed(key))).toBe(200);
  });

  test.each<[string, object]>([
    ['of typ at+jwt', { typ: 'at+jwt' }],
    ['of typ JWT', { typ: 'JWT' }],
    ['without a typ', {}],
  ])('%s', async (_, header) => {
    const key = await newKey();
    publish(key);
    expect(await status(await signed(key, {}, header))).toBe(200);
  });

  test.each<[string, Record<string, unknown>]>([
    ['with scp as an array', { scope: undefined, scp: ['openid', 'units:read'] }],
    ['with scp as a string', { scope: undefined, scp: 'openid units:read' }],
    ['with the account in lower case', { account: 'other-1' }],
  ])('%s', async (_, claims) => {
    const key = await newKey();
    publish(key);
    expect(await status(await signed(key, claims))).toBe(200);
  });

  test('with the account in the claim named by a setting', async () => {
    const key = await newKey();
    publish(key);
    const token = await signed(key, {
      account: undefined,
      'https://lindero.example/account': agency.code,
    });
    expect(await status(token, { TOKEN_ACCOUNT_CLAIM: 'https://lindero.example/account' })).toBe(
      200,
    );
    expect(await status(token)).toBe(401);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['client_id', { client_id: 'crm', azp: 'b', sub: 'c' }, 'crm'],
    ['azp', { azp: 'portal', sub: 'c' }, 'portal'],
    ['sub', { sub: 'someone' }, 'someone'],
  ])('%s identifies the client in the history', async (_, claims, client) => {
    const key = await newKey();
    publish(key);
    const headers = {
      Authorization: `Bearer ${await signed(key, { ...claims, scope: 'units:write units:read' })}`,
      'Content-Type': 'application/json',
    };
    const path = `/v1/developments/${DEVELOPMENT}/units`;
    const body = JSON.stringify({
      UntName: 'A-1',
      UntStatus: 1,
      UntPrice: Math.random(),
      UntDirections: [],
    });
    expect(
      (await ask(`${path}/update-by-name`, { method: 'POST', headers, body }, bindings)).status,
    ).toBe(200);
    const { text } = await ask(`${path}/A-1`, { headers }, bindings);
    expect(JSON.parse(text).changes[0]).toMatchObject({ client_id: client });
  });
});

test('a token of the other issuer: 401 until its account is created, then 200', async () => {
  const key = await newKey();
  publish(key);
  const token = await signed(key, { account: 'TO-COME' });
  expect(await status(token)).toBe(401);
  await openAgency('TO-COME', []);
  expect(await status(token)).toBe(200);
});

describe('an invalid token of the other issuer: 401', () => {
  test.each<[string, Record<string, unknown>, object]>([
    ['for another audience', { aud: 'https://elsewhere.example' }, {}],
    ['of yet another issuer', { iss: 'https://login.example' }, {}],
    ['without an expiry', { exp: undefined }, {}],
    ['expired', { exp: 1 }, {}],
    ['without an account', { account: undefined }, {}],
    ['of an unknown account', { account: 'NOBODY' }, {}],
    ['of an account that is a number', { account: 1 }, {}],
    ['with another typ', {}, { typ: 'logout+jwt' }],
    ['whose typ is a number', {}, { typ: 5 }],
  ])('%s', async (_, claims, header) => {
    const key = await newKey();
    publish(key);
    expect(await status(await signed(key, claims, header))).toBe(401);
  });

  test('signed by an algorithm that is not accepted', async () => {
    const key = await newKey('PS256');
    publish(key);
    expect(await status(await signed(key))).toBe(401);
  });

  test('signed by a key that is not published', async () => {
    publish(await newKey('ES256', 'a'));
    expect(await status(await signed(await newKey('ES256', 'a')))).toBe(401);
  });

  test('issued by this service', async () => {
    publish(await newKey());
    expect(await status(await obtainToken(agency))).toBe(401);
  });

  test('of a disabled account, within a minute', async () => {
    const other = await openAgency('OTHER-2', []);
    const key = await newKey();
    publish(key);
    const token = await signed(key, { account: other.code });
    expect(await status(token)).toBe(200);
    await env.DB.prepare('UPDATE accounts SET disabled = 1 WHERE id = ?')
      .bind(other.accountId)
      .run();
    later(59_000);
    expect(await status(token)).toBe(401);
  });
});

describe('keys', () => {
  test('are fetched once, for any number of tokens', async () => {
    const key = await newKey();
    publish(key);
    for (let i = 0; i < 5; i++) expect(await status(await signed(key))).toBe(200);
    expect(fetches).toEqual([bindings.TOKEN_JWKS_URL]);
  });

  test('that are new are fetched when a token names them', async () => {
    const [old, fresh] = [await newKey(), await newKey()];
    publish(old);
    expect(await status(await signed(old))).toBe(200);
    publish(old, fresh);
    later(5_000);
    expect([await status(await signed(fresh)), await status(await signed(old))]).toEqual([
      200, 200,
    ]);
    expect(fetches).toHaveLength(2);
  });

  test('that are withdrawn are rejected after ten minutes, for a cached token half a minute later', async () => {
    const [old, fresh] = [await newKey(), await newKey()];
    publish(old);
    expect(await status(await signed(old))).toBe(200);
    publish(fresh);
    later(10 * MINUTE - 1);
    const token = await signed(old);
    expect(await status(token)).toBe(200);
    later(1);
    expect(await status(await signed(old, { jti: 'another' }))).toBe(401);
    later(TOKEN_CACHE_MS - 2);
    expect(await status(token)).toBe(200);
    later(1);
    expect(await status(token)).toBe(401);
  });

  test('of which several match a token without a kid: 401', async () => {
    const [one, two] = [await newKey(), await newKey()];
    publish(one, two);
    expect(await status(await signed(one, {}, { kid: undefined }))).toBe(401);
  });

  test('that are unknown do not cause repeated fetches', async () => {
    const key = await newKey();
    publish(key);
    expect(await status(await signed(key))).toBe(200);
    const unknown = await newKey();
    for (let i = 0; i < 5; i++) expect(await status(await signed(unknown))).toBe(401);
    expect(fetches).toHaveLength(1);
  });
});

describe('while the issuer does not respond', () => {
  test('cached keys work for a day; unknown keys: 503', async () => {
    const key = await newKey();
    publish(key);
    expect(await status(await signed(key))).toBe(200);
    published = undefined;
    later(11 * MINUTE);
    for (let i = 0; i < 5; i++) expect(await status(await signed(key))).toBe(200);
    expect(fetches).toHaveLength(2);
    expect(await status(await signed(await newKey()))).toBe(503);
    later(23 * 60 * MINUTE);
    expect(await status(await signed(key))).toBe(200);
    later(60 * MINUTE);
    expect(await status(await signed(key))).toBe(503);
  });

  test('no cached keys: 503 with Retry-After, then 200 once the issuer responds', async () => {
    const key = await newKey();
    published = undefined;
    const token = await signed(key);
    const { headers, ...failed } = await ask(
      '/v1/developments',
      { headers: withToken(token) },
      bindings,
    );
    expect([failed.status, headers.get('Retry-After')]).toEqual([503, '5']);
    publish(key);
    expect(await status(token)).toBe(200);
  });

  test('but keeps the connection open: 503', async () => {
    const key = await newKey();
    vi.mocked(globalThis.fetch).mockImplementation(
      (_, init) =>
        new Promise((_, fail) =>
          init?.signal?.addEventListener('abort', () => fail(new Error('aborted'))),
        ),
    );
    expect(await status(await signed(key))).toBe(503);
  });

  test.each<[string, () => Response]>([
    ['an error', () => new Response('no', { status: 500 })],
    [
      'a redirection',
      () => new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example' } }),
    ],
    ['a body that is not JSON', () => new Response('<html>')],
    ['a body that is not a key set', () => Response.json({ keys: 'none' })],
  ])('but sends %s: 503', async (_, response) => {
    vi.mocked(globalThis.fetch).mockImplementation(async () => response());
    expect(await status(await signed(await newKey()))).toBe(503);
  });
});

describe('invalid settings: 503, named in the log but not in the response', () => {
  test.each<[string, Partial<Record<keyof Env, string>>, string]>([
    ['only an audience', { TOKEN_ISSUER: '', TOKEN_JWKS_URL: '' }, 'TOKEN_ISSUER'],
    ['only a URL of keys', { TOKEN_ISSUER: '', TOKEN_AUDIENCE: '' }, 'TOKEN_ISSUER'],
    [
      'only a claim',
      { TOKEN_ISSUER: '', TOKEN_JWKS_URL: '', TOKEN_AUDIENCE: '', TOKEN_ACCOUNT_CLAIM: 'a' },
      'TOKEN_ISSUER',
    ],
    ['no audience', { TOKEN_AUDIENCE: '' }, 'TOKEN_AUDIENCE'],
    ['no URL of keys', { TOKEN_JWKS_URL: '' }, 'TOKEN_JWKS_URL'],
    ['an invalid URL', { TOKEN_JWKS_URL: 'login.example/jwks' }, 'TOKEN_JWKS_URL'],
    ['a URL with http', { TOKEN_JWKS_URL: 'http://login.example/jwks' }, 'TOKEN_JWKS_URL'],
  ])('%s', async (_, settings, name) => {
    const written = vi.spyOn(console, 'error');
    const headers = { Authorization: 'Bearer a.b.c' };
    const { status, text } = await ask('/v1/developments', { headers }, {
      ...bindings,
      ...settings,
    } as Env);
    expect([status, text.includes('TOKEN_')]).toEqual([503, false]);
    expect(written.mock.calls.flat().join()).toContain(name);
  });
});
