import { env } from 'cloudflare:workers';
import { generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Env } from '../../src/env.ts';
import { sha256Hex } from '../../src/lib/secrets/secrets.ts';
import { createClient } from '../../src/oauth/clients.ts';
import { createAccount } from '../../src/operator/accounts.ts';
import { createReader } from '../../src/readers/readers.ts';
import { property, store, VOCABULARY } from '../support/accounts/portfolio.ts';
import { ask, watched } from '../support/worker/ask.ts';

const PASSWORD = 'mark-password-7Qz';
const WRONG_PASSWORD = 'mark-guess-8Qz';
const CLIENT_SECRET = 'mark-secret-9Qz';
const WRONG_SECRET = 'mark-attempt-0Qz';
const WRONG_TOKEN = 'mark-token.mark-token.mark-token';
/** The key of a reader. */
const KEY = `lindero_${'mark-key-1Qz'.padEnd(32, 'k')}`;
const WRONG_KEY = `lindero_${'mark-key-2Qz'.padEnd(32, 'k')}`;

const FEED = '/CreateXMLFeedV3.asp';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The secrets that must not appear anywhere, with the only exception: the response that issues a token. */
const secrets: string[] = [
  PASSWORD,
  WRONG_PASSWORD,
  CLIENT_SECRET,
  WRONG_SECRET,
  'mark-token',
  KEY,
  WRONG_KEY,
];
const output: string[] = [];
let token = '';

beforeAll(async () => {
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...values) => {
      output.push(
        values
          .map((value) => (value instanceof Error ? value.stack : JSON.stringify(value)))
          .join(' '),
      );
    });
  }
  const accountId = await createAccount(env.DB, { code: 'SECRETS', name: 'S', password: PASSWORD });
  await createClient(env.DB, {
    id: 'client',
    accountId,
    secret: CLIENT_SECRET,
    scopes: ['units:write', 'units:read'],
  });
  await store(env.DB, accountId, [...VOCABULARY, property('p')]);
  const feed = { preset: '', fixed: false, parameters: null, policy: '', channelId: null };
  await createReader(env.DB, { accountId, name: 'portal', ...feed, digest: sha256Hex(KEY) });
  const [key] = JSON.parse(env.SIGNING_KEYS!).keys as [JWK];
  secrets.push(key.d!);
});

function basic(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function form(values: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: FORM,
    body: new URLSearchParams({ grant_type: 'client_credentials', ...values }),
  };
}

/** Sends a request and records its response: status line, headers and body. */
async function send(path: string, init: RequestInit = {}, bindings: Env = env): Promise<string> {
  const { status, headers, text: body } = await ask(path, init, bindings);
  const recorded = [status, ...[...headers].map(([name, value]) => `${name}: ${value}`), body].join(
    '\n',
  );
  if (!(path.startsWith('/oauth/token') && status === 200)) output.push(recorded);
  return body;
}

const PASSWORDS = [PASSWORD, WRONG_PASSWORD, KEY, WRONG_KEY];

/** Requests with secrets in every place in which a caller may put them. */
async function everyRequest(bindings: Env, passwords = PASSWORDS): Promise<void> {
  for (const password of passwords) {
    const query = `U=OWNPROPERTIES@SECRETS&P=${encodeURIComponent(password)}`;
    for (const path of [
      `${FEED}?${query}`,
      `${FEED}?${query}&FV=9`,
      `${FEED}?${query}&P=${encodeURIComponent(password)}`,
      `${FEED}?P=${encodeURIComponent(password)}`,
      `${FEED}%3F${query}`,
      `${FEED};${query}`,
      `/${query}${FEED}`,
      `/schemas/feed-v1.xsd?${query}`,
      `/nothing?${query}`,
      `/nothing&${query}`,
      `/?${query}`,
    ]) {
      await send(path, {}, bindings);
      await send(path, { method: 'POST', body: query }, bindings);
      await send(path, { method: 'HEAD' }, bindings);
    }
    const sameOrigin = {
      ...FORM,
      Origin: 'https://feeds.example',
      'Sec-Fetch-Site': 'same-origin',
    };
    const body = `account=SECRETS&password=${encodeURIComponent(password)}`;
    await send('/sign-in', { method: 'POST', headers: sameOrigin, body }, bindings);
    await send(`${FEED}`, { headers: basic('OWNPROPERTIES@SECRETS', password) }, bindings);
    await send(
      `${FEED}?U=OWNPROPERTIES@OTHER`,
      { headers: basic('OWNPROPERTIES@SECRETS', password) },
      bindings,
    );
  }
  for (const client_secret of [CLIENT_SECRET, WRONG_SECRET]) {
    const body = await send('/oauth/token', form({ client_id: 'client', client_secret }), bindings);
    token = body.includes('access_token') ? JSON.parse(body).access_token : token;
    await send(
      '/oauth/token',
      form({ client_id: 'client', client_secret, scope: client_secret }),
      bindings,
    );
    await send(
      '/oauth/token',
      { ...form({}), headers: { ...FORM, ...basic('client', client_secret) } },
      bindings,
    );
    await send(
      '/oauth/token',
      { method: 'POST', body: `{"client_secret":"${client_secret}"` },
      bindings,
    );
    await send(
      `/oauth/token?client_secret=${encodeURIComponent(client_secret)}`,
      form({}),
      bindings,
    );
    await send('/oauth/token', form({ client_id: client_secret, client_secret: 'x' }), bindings);
  }
  const { privateKey } = await generateKeyPair('ES256');
  const foreign = await new SignJWT({ note: 'mark-token' })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(privateKey);
  for (const credential of [token, WRONG_TOKEN, foreign, `${token}x`]) {
    const headers = { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' };
    for (const path of [
      '/v1/developments',
      '/v1/developments/d/units',
      '/v1/developments/d/units/u',
    ]) {
      await send(path, { headers }, bindings);
      await send(`${path}?access_token=${credential}`, {}, bindings);
      await send(`${path}?access_token=${credential}&limit=x`, { headers }, bindings);
    }
    const update = JSON.stringify({ UntName: 'u', UntStatus: 1, UntPrice: 1, UntDirections: [] });
    for (const operation of ['update-by-name', 'update-many']) {
      const path = `/v1/developments/d/units/${operation}`;
      await send(path, { method: 'POST', headers, body: update }, bindings);
      await send(path, { method: 'POST', headers, body: `[${update}]` }, bindings);
    }
    secrets.push(credential.split('.')[2]!);
  }
}

/** The texts, plain and in the encodings in which they are transmitted. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) =>
    // Within another text, base64 begins at one of three offsets; what the edges share with it is cut off.
    Buffer.concat([Buffer.alloc(offset, 'x'), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64];
}

async function expectNoSecrets(): Promise<void> {
  const all = output.join('\n');
  for (const secret of secrets) {
    for (const text of forms(secret)) {
      const found = all.indexOf(text);
      expect(found < 0 ? '' : all.slice(Math.max(0, found - 200), found + text.length)).toBe('');
    }
  }
}

test('every interface, with right and wrong secrets: none in logs, errors, headers and bodies', async () => {
  await everyRequest(env);
  expect(token).not.toBe('');
  await expectNoSecrets();
});

test('the same while D1, KV, limiters and settings fail', async () => {
  const fail = () => {
    throw new Error('D1_ERROR: out of reach');
  };
  const limiter = { limit: fail };
  for (const bindings of [
    watched(fail),
    watched(() => {}, fail),
    {
      ...env,
      CREDENTIAL_CHECKS: limiter,
      ADDRESS_CHECKS: limiter,
      TOKENS: limiter,
      UPDATES: limiter,
      TOKEN_ISSUER: 'x',
    },
    { ...env, SIGNING_KEYS: `${env.SIGNING_KEYS}x` },
  ]) {
    await everyRequest(bindings as Env, [WRONG_PASSWORD, KEY]);
  }
  await expectNoSecrets();
});

test('the database and KV: no secret in any table or key', async () => {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  ).all<{
    name: string;
  }>();
  for (const { name } of tables.filter(
    ({ name }) => !name.startsWith('_cf') && !name.startsWith('sqlite_'),
  )) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    output.push(JSON.stringify(results));
  }
  const { keys } = await env.SNAPSHOTS.list();
  expect(keys).not.toEqual([]);
  output.push(JSON.stringify(keys));
  expect(output.join()).toContain('"SECRETS"');
  await expectNoSecrets();
});
