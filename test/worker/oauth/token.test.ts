import { env } from 'cloudflare:workers';
import { decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { createClient } from '../../../src/oauth/clients.ts';
import { type Agency, ask, ORIGIN, openAgency } from '../../support/accounts/units.ts';
import { ask as askWith, failingWhen } from '../../support/worker/ask.ts';

let agency: Agency;
let good: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('TOKENS', []);
  good = {
    grant_type: 'client_credentials',
    client_id: agency.clientId,
    client_secret: agency.secret,
  };
});

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

function post(
  body: string,
  contentType: string | null,
  headers: Record<string, string> = {},
  path = '/oauth/token',
) {
  const type = contentType === null ? {} : { 'Content-Type': contentType };
  return ask(path, { method: 'POST', body, headers: { ...type, ...headers } });
}

function form(parameters: Record<string, string>, headers: Record<string, string> = {}) {
  return post(new URLSearchParams(parameters).toString(), FORM, headers);
}

function basic(id: string, secret: string, space = '%20'): Record<string, string> {
  const [user, password] = [id, secret].map((text) =>
    encodeURIComponent(text).replaceAll('%20', space),
  );
  return { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
}

interface TokenResponse {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

async function granted(response: Response): Promise<TokenResponse> {
  const body = await response.json<TokenResponse>();
  expect([response.status, body]).toMatchObject([200, { token_type: 'Bearer', expires_in: 3600 }]);
  expect(response.headers.get('Content-Type')).toBe('application/json');
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('Pragma')).toBe('no-cache');
  return body;
}

async function denied(response: Response, status: number, error: string): Promise<string> {
  const body = await response.json<{ error: string; error_description: string }>();
  expect([response.status, body.error, body.error_description]).toEqual([
    status,
    error,
    expect.any(String),
  ]);
  expect(body.error_description).toMatch(/^[ !#-[\]-~]+$/);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('WWW-Authenticate')).toBe(
    status === 401 ? 'Basic realm="Lindero clients", charset="UTF-8"' : null,
  );
  return body.error_description;
}

describe('POST with valid credentials: 200 with a token', () => {
  const grant = { grant_type: 'client_credentials' };
  const encoded = () => new URLSearchParams(good).toString();
  test.each<[string, () => Promise<Response>]>([
    ['as a form', () => form(good)],
    ['as a form with a charset', () => post(encoded(), `${FORM.toUpperCase()}; charset=UTF-8`)],
    ['as JSON', () => post(JSON.stringify(good), JSON_TYPE)],
    [
      'as JSON with a scope that is null',
      () => post(JSON.stringify({ ...good, scope: null }), JSON_TYPE),
    ],
    ['by HTTP Basic with a form', () => form(grant, basic(agency.clientId, agency.secret))],
    [
      'by HTTP Basic with JSON that repeats the client_id',
      () =>
        post(
          JSON.stringify({ ...grant, client_id: agency.clientId }),
          JSON_TYPE,
          basic(agency.clientId, agency.secret),
        ),
    ],
    [
      'with parameters that are empty or unknown',
      () => form({ ...good, scope: '', audience: 'anything', resource: '' }),
    ],
    [
      'with an unknown parameter in the URL',
      () => post(encoded(), FORM, {}, '/oauth/token?tenant=1'),
    ],
    [
      'with the content coding identity',
      () => post(encoded(), FORM, { 'Content-Encoding': 'identity' }),
    ],
  ])('%s', async (_, request) => {
    expect((await granted(await request())).scope).toBe('units:write units:read');
  });

  test('with a client_id of digits given as a number', async () => {
    await createClient(env.DB, {
      id: '4711',
      accountId: agency.accountId,
      secret: 'digits',
      scopes: ['units:read'],
    });
    const body = { ...grant, client_id: 4711, client_secret: 'digits' };
    expect((await granted(await post(JSON.stringify(body), JSON_TYPE))).scope).toBe('units:read');
  });

  test('with special characters by HTTP Basic', async () => {
    const odd = {
      id: 'a:b c+%é',
      accountId: agency.accountId,
      secret: 'x:y z+%ñ',
      scopes: ['units:read'],
    };
    await createClient(env.DB, odd);
    for (const space of ['%20', '+'])
      await granted(await form(grant, basic(odd.id, odd.secret, space)));
  });
});

describe('the token', () => {
  test('is a JWT access token of RFC 9068, signed by the first published key', async () => {
    const { access_token } = await granted(await form(good));
    const { keys } = await (await ask('/.well-known/jwks.json')).json<JSONWebKeySet>();
    expect(decodeProtectedHeader(access_token)).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: keys[0]!.kid,
    });
    const claims = decodeJwt(access_token);
    expect(claims).toEqual({
      iss: ORIGIN,
      aud: ORIGIN,
      sub: agency.clientId,
      client_id: agency.clientId,
      client_created_at: expect.any(Number),
      scope: 'units:write units:read',
      iat: expect.any(Number),
      exp: claims.iat! + 3600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(Math.abs(claims.iat! - Date.now() / 1000)).toBeLessThan(60);
  });

  test('is different each time', async () => {
    const [one, other] = [await granted(await form(good)), await granted(await form(good))];
    expect(decodeJwt(one.access_token).jti).not.toBe(decodeJwt(other.access_token).jti);
  });

  test.each([['units:read'], ['units:write'], ['units:read units:write']])(
    'has the requested scope: %s',
    async (scope) => {
      const body = await granted(await form({ ...good, scope }));
      expect([body.scope, decodeJwt(body.access_token).scope]).toEqual([scope, scope]);
    },
  );
});

describe('an invalid POST: 400 invalid_request', () => {
  const encoded = () => new URLSearchParams(good).toString();
  test.each<[string, () => Promise<Response>]>([
    ['no content type', () => post('', null)],
    ['text/plain', () => post(encoded(), 'text/plain')],
    ['a content type with a matching prefix', () => post(encoded(), `${FORM}2`)],
    ['multipart/form-data', () => post(encoded(), 'multipart/form-data; boundary=x')],
    ['JSON sent as a form', () => post(JSON.stringify(good), FORM)],
    ['a form sent as JSON', () => post(encoded(), JSON_TYPE)],
    ['a JSON array', () => post('[]', JSON_TYPE)],
    ['JSON null', () => post('null', JSON_TYPE)],
    ['no grant_type', () => form({ client_id: 'x', client_secret: 'y' })],
    ['a repeated parameter', () => post(`${encoded()}&client_id=other`, FORM)],
    ['a repeated unknown parameter', () => post(`${encoded()}&a=1&a=2`, FORM)],
    [
      'a repeated JSON member',
      () => post('{"grant_type":"client_credentials","grant_type":"x"}', JSON_TYPE),
    ],
    ['a repeated JSON member ñ', () => post('{"ñ\\"":1,"ñ\\"":1}', JSON_TYPE)],
    [
      'a secret that is a number',
      () => post(JSON.stringify({ ...good, client_secret: 12 }), JSON_TYPE),
    ],
    [
      'a scope that is an array',
      () => post(JSON.stringify({ ...good, scope: ['units:read'] }), JSON_TYPE),
    ],
    [
      'a client_id that no double represents',
      () => post('{"grant_type":"client_credentials","client_id":9007199254740993}', JSON_TYPE),
    ],
    ['a fractional client_id', () => post(JSON.stringify({ ...good, client_id: 1.5 }), JSON_TYPE)],
    ['a negative client_id', () => post(JSON.stringify({ ...good, client_id: -1 }), JSON_TYPE)],
    [
      'HTTP Basic and a secret in the body',
      () => form(good, basic(agency.clientId, agency.secret)),
    ],
    [
      'HTTP Basic and another client_id',
      () => form({ grant_type: 'client_credentials', client_id: 'x' }, basic('y', 'z')),
    ],
    ['parameters in the URL', () => post(encoded(), FORM, {}, '/oauth/token?scope=units:read')],
  ])('%s', async (_, request) => {
    await denied(await request(), 400, 'invalid_request');
  });

  test('a body with a content coding', async () => {
    const response = await post(encoded(), FORM, { 'Content-Encoding': 'gzip' });
    expect(await denied(response, 400, 'invalid_request')).toContain('Content-Encoding');
  });

  test('a body of more than 16 KiB: 413', async () => {
    await denied(await form({ ...good, more: 'x'.repeat(16 * 1024) }), 413, 'invalid_request');
  });
});

test.each(['authorization_code', 'password', 'CLIENT_CREDENTIALS'])(
  'the grant_type %s: 400 unsupported_grant_type',
  async (grant_type) => {
    await denied(await form({ ...good, grant_type }), 400, 'unsupported_grant_type');
  },
);

describe('POST with invalid credentials: 401 invalid_client', () => {
  const grant = { grant_type: 'client_credentials' };
  test.each<[string, () => Promise<Response>]>([
    ['none', () => form(grant)],
    ['no secret', () => form({ ...grant, client_id: agency.clientId })],
    ['an empty secret', () => form({ ...good, client_secret: '' })],
    ['a wrong secret', () => form({ ...good, client_secret: 'wrong' })],
    ['a wrong secret by HTTP Basic', () => form(grant, basic(agency.clientId, 'wrong'))],
    ['the digest of the secret', () => form({ ...good, client_secret: '-'.repeat(64) })],
    ['an unknown client', () => form({ ...good, client_id: 'nobody' })],
    [
      'the client_id in another case',
      () => form({ ...good, client_id: agency.clientId.toUpperCase() }),
    ],
    ['another scheme', () => form(grant, { Authorization: 'Bearer abc' })],
    ['HTTP Basic that is not base64', () => form(grant, { Authorization: 'Basic ***' })],
    ['HTTP Basic without a colon', () => form(grant, { Authorization: `Basic ${btoa('abc')}` })],
    [
      'HTTP Basic of three parts',
      () =>
        form(grant, {
          Authorization: `Basic ${btoa(`${agency.clientId}:${encodeURIComponent(agency.secret)}:more`)}`,
        }),
    ],
    [
      'HTTP Basic that is not form-encoded',
      () => form(grant, { Authorization: `Basic ${btoa('%:%')}` }),
    ],
  ])('%s', async (_, request) => {
    await denied(await request(), 401, 'invalid_client');
  });

  test('an unknown client and a wrong secret: the same response', async () => {
    const unknown = await denied(
      await form({ ...good, client_id: 'nobody' }),
      401,
      'invalid_client',
    );
    expect(
      await denied(await form({ ...good, client_secret: 'wrong' }), 401, 'invalid_client'),
    ).toBe(unknown);
  });

  test.each(['clients', 'accounts'])('disabled in %s', async (table) => {
    const other = await openAgency(`OFF-${table.toUpperCase()}`, []);
    const request = { ...good, client_id: other.clientId, client_secret: other.secret };
    await granted(await form(request));
    const id = table === 'clients' ? other.clientId : other.accountId;
    await env.DB.prepare(`UPDATE ${table} SET disabled = 1 WHERE id = ?`).bind(id).run();
    await denied(await form(request), 401, 'invalid_client');
  });
});

describe('a scope that the client lacks: 400 invalid_scope', () => {
  test.each([
    'units:delete',
    'units:read units:delete',
    'units:read  units:write',
    ' units:read',
    '*',
  ])('%j', async (scope) => {
    await denied(await form({ ...good, scope }), 400, 'invalid_scope');
  });

  test('units:write for a client with only units:read', async () => {
    const reader = await openAgency('READER', [], ['units:read']);
    const request = { ...good, client_id: reader.clientId, client_secret: reader.secret };
    await denied(await form({ ...request, scope: 'units:write' }), 400, 'invalid_scope');
    expect((await granted(await form(request))).scope).toBe('units:read');
  });

  test('any scope for a client without scopes', async () => {
    const other = await openAgency('SCOPELESS', [], []);
    await denied(
      await form({ ...good, client_id: other.clientId, client_secret: other.secret }),
      400,
      'invalid_scope',
    );
  });
});

describe('rate limit of secrets', () => {
  /** Bindings with a limiter that allows this number of attempts, and the keys it was called with. */
  function limited(allowed: number): { bindings: Env; keys: string[] } {
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: keys.push(key) <= allowed });
    const unlimited = { limit: async () => ({ success: true }) };
    return {
      bindings: {
        ...env,
        CREDENTIAL_CHECKS: { limit },
        ADDRESS_CHECKS: unlimited,
        TOKENS: unlimited,
      },
      keys,
    };
  }

  function attempt(client: Agency, secret: string, bindings: Env, address = '203.0.113.9') {
    const body = JSON.stringify({ ...good, client_id: client.clientId, client_secret: secret });
    const headers = { 'Content-Type': JSON_TYPE, 'CF-Connecting-IP': address };
    return askWith('/oauth/token', { method: 'POST', body, headers }, bindings);
  }

  test('attempts count by client and address; beyond the limit: 429, even with the right secret', async () => {
    const client = await openAgency('LIMITED', []);
    const { bindings, keys } = limited(2);
    expect((await attempt(client, 'wrong', bindings)).status).toBe(401);
    expect((await attempt(client, 'wrong', bindings, '2001:db8::1')).status).toBe(401);
    expect(keys).toEqual([
      `client:${client.clientId}:203.0.113.9`,
      `client:${client.clientId}:2001:db8:0:0::/64`,
    ]);
    const { status, headers, text } = await attempt(client, client.secret, bindings);
    expect([status, headers.get('Retry-After')]).toEqual([429, '60']);
    expect(JSON.parse(text)).toMatchObject({ error: 'temporarily_unavailable' });
  });

  test('a verified secret does not count, a wrong one does', async () => {
    const client = await openAgency('COUNTED', []);
    const { bindings, keys } = limited(2);
    for (let i = 0; i < 5; i++)
      expect((await attempt(client, client.secret, bindings)).status).toBe(200);
    expect(keys).toHaveLength(1);
    for (const status of [401, 429]) {
      expect((await attempt(client, 'wrong', bindings)).status).toBe(status);
      expect((await attempt(client, client.secret, bindings)).status).toBe(200);
    }
  });

  test('a verified secret that was rotated: 401 at once, and limited like any other', async () => {
    const client = await openAgency('ROTATED', []);
    const { bindings } = limited(1);
    expect((await attempt(client, client.secret, bindings)).status).toBe(200);
    await env.DB.prepare('UPDATE clients SET secret = ? WHERE id = ?')
      .bind('0'.repeat(64), client.clientId)
      .run();
    expect((await attempt(client, client.secret, bindings)).status).toBe(401);
    expect((await attempt(client, client.secret, bindings)).status).toBe(429);
  });
});

test('POST while D1 fails: 503 with Retry-After', async () => {
  const failing = failingWhen(() => true, 'D1_ERROR: out of reach');
  const init = {
    method: 'POST',
    body: JSON.stringify(good),
    headers: { 'Content-Type': JSON_TYPE },
  };
  const { status, headers, text: body } = await askWith('/oauth/token', init, failing);
  expect([status, headers.get('Retry-After'), headers.get('Cache-Control')]).toEqual([
    503,
    '5',
    'no-store',
  ]);
  expect(JSON.parse(body)).toMatchObject({ error: 'temporarily_unavailable' });
  expect(body).not.toContain('D1');
});
