import { env } from 'cloudflare:workers';
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { generateSigningKey } from '../../../src/oauth/generate-signing-key.ts';
import { ask } from '../../support/ask.ts';
import { type Agency, openAgency } from '../../support/units.ts';

let agency: Agency;
let before: JWK;
let after: JWK;

beforeAll(async () => {
  agency = await openAgency('KEYS', []);
  [before, after] = [await generateSigningKey(), await generateSigningKey()];
});

function withKeys(...keys: JWK[]): Env {
  return { ...env, SIGNING_KEYS: JSON.stringify({ keys }) };
}

async function json<Body>(bytes: Uint8Array): Promise<Body> {
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function tokenFrom(bindings: Env, origin = 'https://feeds.example'): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: agency.clientId,
    client_secret: agency.secret,
  });
  const { bytes } = await ask(`${origin}/oauth/token`, { method: 'POST', body }, bindings);
  return (await json<{ access_token: string }>(bytes)).access_token;
}

async function status(token: string, bindings: Env, origin = 'https://feeds.example'): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await ask(`${origin}/v1/developments`, { headers }, bindings)).status;
}

async function published(bindings: Env): Promise<JWK[]> {
  const { bytes } = await ask('/.well-known/jwks.json', {}, bindings);
  return (await json<JSONWebKeySet>(bytes)).keys;
}

test('a new signing key is a private ES256 key named by its thumbprint', async () => {
  expect(before).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', d: expect.any(String) });
  expect(before.kid).toBe(await calculateJwkThumbprint(before));
  expect(before.kid).not.toBe(after.kid);
});

test('published keys hold the public halves of all keys in their order, and nothing private', async () => {
  const halves = [before, after].map(({ d: _, ...half }) => half);
  expect(await published(withKeys(before, after))).toEqual(halves);
});

test('published keys may be kept for ten minutes', async () => {
  const { status, headers } = await ask('/.well-known/jwks.json');
  expect([status, headers.get('Cache-Control')]).toEqual([200, 'public, max-age=600']);
});

describe('rotation', () => {
  test('a token signed before it is good as long as its key verifies, and no longer', async () => {
    const old = await tokenFrom(withKeys(before));
    expect(await status(old, withKeys(before, after))).toBe(200);
    expect(await status(old, withKeys(after, before))).toBe(200);
    expect(await status(old, withKeys(after))).toBe(401);
  });

  test('the public half of the key before is enough for its tokens', async () => {
    const old = await tokenFrom(withKeys(before));
    const { d: _, ...half } = before;
    expect(await status(old, withKeys(after, half))).toBe(200);
  });

  test('the first key signs', async () => {
    const fresh = await tokenFrom(withKeys(after, before));
    expect(await status(fresh, withKeys(after))).toBe(200);
    expect(await status(fresh, withKeys(before))).toBe(401);
  });

  test('a token signed just after it is good where the new key only verifies yet', async () => {
    expect(await status(await tokenFrom(withKeys(after, before)), withKeys(before, after))).toBe(200);
  });
});

describe('SIGNING_KEYS that cannot be used is 503, named in the log and not on the wire', () => {
  test.each<[string, (key: JWK) => string | undefined]>([
    ['not set', () => undefined],
    ['empty', () => ''],
    ['not JSON', () => 'secret-material'],
    ['a key by itself', (key) => JSON.stringify(key)],
    ['no key', () => JSON.stringify({ keys: [] })],
    ['a public key', ({ d: _, ...half }) => JSON.stringify({ keys: [half] })],
    ['a key without a kid', ({ kid: _, ...key }) => JSON.stringify({ keys: [key] })],
    ['a key of another kind', (key) => JSON.stringify({ keys: [{ ...key, crv: 'P-384' }] })],
    ['a key that is no point of the curve', (key) => JSON.stringify({ keys: [{ ...key, x: key.y }] })],
    ['a second key that is none', (key) => JSON.stringify({ keys: [key, { ...key, kid: 'b', d: 'AAAA' }] })],
    ['a kid twice', (key) => JSON.stringify({ keys: [key, key] })],
  ])('%s', async (_, setting) => {
    const written = vi.spyOn(console, 'error');
    const { SIGNING_KEYS: __, ...rest } = env;
    const value = setting(before);
    const bindings = value === undefined ? rest : { ...rest, SIGNING_KEYS: value };
    const calls: [string, RequestInit][] = [
      ['/.well-known/jwks.json', {}],
      ['/.well-known/oauth-authorization-server', {}],
      ['/v1/developments', { headers: { Authorization: 'Bearer a.b.c' } }],
      [
        '/oauth/token',
        {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
        },
      ],
    ];
    for (const [path, init] of calls) {
      const { status, headers, bytes } = await ask(path, init, bindings);
      expect([path, status, headers.get('Retry-After')]).toEqual([path, 503, '5']);
      expect(new TextDecoder().decode(bytes)).not.toContain('SIGNING_KEYS');
    }
    const lines = written.mock.calls.flat().map(String);
    written.mockRestore();
    expect(lines.filter((line) => line.includes('SIGNING_KEYS'))).toHaveLength(calls.length);
    expect(lines.join()).not.toContain(before.d);
    expect(lines.join()).not.toContain('secret-material');
  });
});

describe('issuer and audience', () => {
  test('are the origin of the request: a token is good at the origin that issued it', async () => {
    const token = await tokenFrom(env, 'https://one.example');
    expect(await status(token, env, 'https://one.example')).toBe(200);
    expect(await status(token, env, 'https://two.example')).toBe(401);
  });

  test('are PUBLIC_ORIGIN where it is set: a token is good at every origin', async () => {
    const bindings = { ...env, PUBLIC_ORIGIN: 'https://public.example' };
    const token = await tokenFrom(bindings, 'https://one.example');
    expect(await status(token, bindings, 'https://two.example')).toBe(200);
    expect(await status(token, env, 'https://one.example')).toBe(401);
    expect(await status(token, env, 'https://public.example')).toBe(200);
  });

  test.each(['public.example', 'https://public.example/', 'https://public.example/path', 'http://public.example', 'x'])(
    'a PUBLIC_ORIGIN of %s is 503',
    async (PUBLIC_ORIGIN) => {
      expect((await ask('/.well-known/jwks.json', {}, { ...env, PUBLIC_ORIGIN })).status).toBe(503);
    },
  );
});

describe('the metadata', () => {
  test.each([
    ['the origin of the request', undefined, 'https://feeds.example'],
    ['PUBLIC_ORIGIN', 'https://public.example', 'https://public.example'],
  ])('names %s as issuer', async (_, setting, issuer) => {
    const bindings = setting === undefined ? env : { ...env, PUBLIC_ORIGIN: setting };
    const { status, headers, bytes } = await ask('/.well-known/oauth-authorization-server', {}, bindings);
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      200,
      'application/json',
      'public, max-age=3600',
    ]);
    expect(await json(bytes)).toEqual({
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: ['units:write', 'units:read'],
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    });
  });

  test.each(['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
    'POST to %s is 405, HEAD is 200',
    async (path) => {
      const { status, headers } = await ask(path, { method: 'POST' });
      expect([status, headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
      expect((await ask(path, { method: 'HEAD' })).status).toBe(200);
    },
  );
});
