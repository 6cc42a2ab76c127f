import { env } from 'cloudflare:workers';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { generateSigningKey } from '../../../src/oauth/own-keys.ts';
import { SCOPES } from '../../../src/oauth/scopes.ts';
import { type Agency, openAgency } from '../../support/accounts/units.ts';
import { ask } from '../../support/worker/ask.ts';

let agency: Agency;
let oldKey: JWK;
let newKey: JWK;

beforeAll(async () => {
  agency = await openAgency('KEYS', []);
  [oldKey, newKey] = [await generateSigningKey(), await generateSigningKey()];
});

function withKeys(...keys: JWK[]): Env {
  return { ...env, SIGNING_KEYS: JSON.stringify({ keys }) };
}

async function tokenFrom(bindings: Env, origin = 'https://feeds.example'): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: agency.clientId,
    client_secret: agency.secret,
  });
  const { text } = await ask(`${origin}/oauth/token`, { method: 'POST', body }, bindings);
  return JSON.parse(text).access_token;
}

async function status(
  token: string,
  bindings: Env,
  origin = 'https://feeds.example',
): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await ask(`${origin}/v1/developments`, { headers }, bindings)).status;
}

test('generateSigningKey: a private ES256 key with its thumbprint as kid', async () => {
  expect(oldKey).toMatchObject({
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    use: 'sig',
    d: expect.any(String),
  });
  expect(oldKey.kid).toBe(await calculateJwkThumbprint(oldKey));
  expect(oldKey.kid).not.toBe(newKey.kid);
});

test('GET jwks.json: the public keys in order, nothing private, cacheable for ten minutes', async () => {
  const publicKeys = [oldKey, newKey].map(({ d: _, ...publicKey }) => publicKey);
  const { headers, text } = await ask('/.well-known/jwks.json', {}, withKeys(oldKey, newKey));
  expect(JSON.parse(text).keys).toEqual(publicKeys);
  expect(headers.get('Cache-Control')).toBe('public, max-age=600');
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
});

describe('rotation', () => {
  const publicOf = ({ d: _, ...key }: JWK) => key;
  test.each<[string, () => JWK[], () => JWK[], number]>([
    ['the old key, where a new one only verifies yet', () => [oldKey], () => [oldKey, newKey], 200],
    [
      'the old key, where that only verifies',
      () => [oldKey],
      () => [newKey, publicOf(oldKey)],
      200,
    ],
    ['the old key, where that has gone', () => [oldKey], () => [newKey], 401],
    [
      'the new key, which signs because it is the first',
      () => [newKey, oldKey],
      () => [newKey],
      200,
    ],
    ['the new key, where only the old one is', () => [newKey, oldKey], () => [oldKey], 401],
    [
      'the new key, where that only verifies yet',
      () => [newKey, oldKey],
      () => [oldKey, newKey],
      200,
    ],
  ])('a token of %s', async (_, issuing, verifying, expected) => {
    expect(await status(await tokenFrom(withKeys(...issuing())), withKeys(...verifying()))).toBe(
      expected,
    );
  });
});

describe('invalid SIGNING_KEYS: 503, named in the log but not in the response', () => {
  test.each<[string, (key: JWK) => string | undefined]>([
    ['not set', () => undefined],
    ['empty', () => ''],
    ['not JSON', () => 'secret-material'],
    ['a key without a set', (key) => JSON.stringify(key)],
    ['an empty set', () => JSON.stringify({ keys: [] })],
    ['a public key', ({ d: _, ...publicKey }) => JSON.stringify({ keys: [publicKey] })],
    ['a key without a kid', ({ kid: _, ...key }) => JSON.stringify({ keys: [key] })],
    ['a key of another type', (key) => JSON.stringify({ keys: [{ ...key, crv: 'P-384' }] })],
    ['a key that is not on the curve', (key) => JSON.stringify({ keys: [{ ...key, x: key.y }] })],
    ['an invalid private part', (key) => JSON.stringify({ keys: [{ ...key, d: 'AAAA' }] })],
    [
      'an invalid second key',
      (key) => JSON.stringify({ keys: [key, { ...key, kid: 'b', x: key.y }] }),
    ],
    ['a repeated kid', (key) => JSON.stringify({ keys: [key, key] })],
  ])('%s', async (_, setting) => {
    const written = vi.spyOn(console, 'error');
    const { SIGNING_KEYS: __, ...rest } = env;
    const value = setting(oldKey);
    const bindings = value === undefined ? rest : { ...rest, SIGNING_KEYS: value };
    const calls: [string, RequestInit][] = [
      ['/.well-known/jwks.json', {}],
      ['/.well-known/oauth-authorization-server', {}],
      ['/v1/developments', { headers: { Authorization: 'Bearer a.b.c' } }],
      [
        '/oauth/token',
        {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: 'a',
            client_secret: 'b',
          }),
        },
      ],
    ];
    for (const [path, init] of calls) {
      const { status, headers, text } = await ask(path, init, bindings);
      expect([path, status, headers.get('Retry-After')]).toEqual([path, 503, '5']);
      expect(text).not.toContain('SIGNING_KEYS');
    }
    const lines = written.mock.calls.flat().map(String);
    written.mockRestore();
    expect(lines.filter((line) => line.includes('SIGNING_KEYS'))).toHaveLength(calls.length);
    expect(lines.join()).not.toContain(oldKey.d);
    expect(lines.join()).not.toContain('secret-material');
  });
});

describe('issuer and audience', () => {
  test('are the origin of the request: a token is valid at the origin that issued it', async () => {
    const token = await tokenFrom(env, 'https://one.example');
    expect(await status(token, env, 'https://one.example')).toBe(200);
    expect(await status(token, env, 'https://two.example')).toBe(401);
  });

  test('are PUBLIC_ORIGIN if set: a token is valid at every origin', async () => {
    const bindings = { ...env, PUBLIC_ORIGIN: 'https://public.example' };
    const token = await tokenFrom(bindings, 'https://one.example');
    expect(await status(token, bindings, 'https://two.example')).toBe(200);
    expect(await status(token, env, 'https://one.example')).toBe(401);
    expect(await status(token, env, 'https://public.example')).toBe(200);
  });

  test.each(['localhost', '127.0.0.1', '[::1]'])(
    'PUBLIC_ORIGIN http://%s:8787, on this machine: 200',
    async (host) => {
      const bindings = { ...env, PUBLIC_ORIGIN: `http://${host}:8787` };
      expect((await ask('/.well-known/jwks.json', {}, bindings)).status).toBe(200);
    },
  );

  test.each([
    'public.example',
    'https://public.example/',
    'https://public.example/path',
    'http://public.example',
    'x',
  ])('PUBLIC_ORIGIN %s: 503', async (PUBLIC_ORIGIN) => {
    expect((await ask('/.well-known/jwks.json', {}, { ...env, PUBLIC_ORIGIN })).status).toBe(503);
  });
});

describe('the metadata', () => {
  test.each([
    ['the origin of the request', undefined, 'https://feeds.example'],
    ['PUBLIC_ORIGIN', 'https://public.example', 'https://public.example'],
  ])('contains %s as issuer', async (_, setting, issuer) => {
    const bindings = setting === undefined ? env : { ...env, PUBLIC_ORIGIN: setting };
    const { status, headers, text } = await ask(
      '/.well-known/oauth-authorization-server',
      {},
      bindings,
    );
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      200,
      'application/json',
      'public, max-age=3600',
    ]);
    expect(JSON.parse(text)).toEqual({
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: SCOPES,
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    });
  });
});
