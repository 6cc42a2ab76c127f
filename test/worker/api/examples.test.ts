import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OPERATIONS } from '../../../src/api/document.ts';
import type { DocumentedResponse, Example, Operation } from '../../../src/api/operation.ts';
import type { Env } from '../../../src/env.ts';
import { type HeaderName, OPTIONAL_HEADERS } from '../../../src/http/headers.ts';
import { SCOPES } from '../../../src/oauth/scopes.ts';
import { ask, type CompleteResponse, watched } from '../../support/ask.ts';
import { openExampleAgency } from './agency.ts';

/** What differs each time. */
const VOLATILE = [
  'access_token',
  'as_of',
  'next',
  'number',
  'confirmed_number',
  'old_secret_expires_at',
  'secret',
  'attempted_at',
  'milliseconds',
  'changed_at',
  'created_at',
  'old_keys_expire_at',
  'key',
  'keys',
];

/** Stated by the platform for every body. */
const UNDOCUMENTED = ['content-type', 'content-length'];

let now = Date.now();

const tokens = new Map<string, string>();

beforeAll(async () => {
  await openExampleAgency();
  // The receiver of every webhook.
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  for (const scope of SCOPES) {
    const body = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret', scope };
    const headers = { 'Content-Type': 'application/json' };
    const { bytes } = await ask('/oauth/token', { method: 'POST', headers, body: JSON.stringify(body) });
    tokens.set(scope, JSON.parse(new TextDecoder().decode(bytes)).access_token);
  }
});

afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe.each(OPERATIONS)('$id', (operation) => {
  const cases = operation.responses.flatMap((response) =>
    response.examples.map((example) => ({ name: example.name, status: response.status, response, example })),
  );

  test.each(cases)(
    'the example $name: $status, with the documented headers and body',
    async ({ response, example }) => {
      // Nothing that the isolate caches for a second decides the result.
      now += 2_000;
      vi.setSystemTime(now);
      const received = await send(operation, example);
      expect(received.status).toBe(response.status);
      // An error at the very end, which this circumstance is, leaves headers of the response that it replaces.
      if (example.when !== 'an unexpected error') expectHeaders(received.headers, response);
      expectBody(received, response, example);
    },
  );
});

test('every name of an example is unique within its operation', () => {
  for (const { responses } of OPERATIONS) {
    const names = responses.flatMap(({ examples }) => examples.map(({ name }) => name));
    expect(names).toEqual([...new Set(names)]);
  }
});

async function send(operation: Operation, { request = {}, when }: Example): Promise<CompleteResponse> {
  const { path = {}, query = {}, mediaType = operation.body?.mediaTypes[0] } = request;
  const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!));
  const target = `${url}?${new URLSearchParams(query)}`;
  const body = request.body === undefined || operation.body === undefined ? undefined : encode(request.body, mediaType);
  const init = {
    method: request.method ?? operation.method.toUpperCase(),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': mediaType! }),
      ...authorization(operation, when),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body }),
  };
  await prepare(when);
  if (when !== 'unchanged since the last request') {
    return ask(target, init, bindings(when)).finally(async () => {
      await env.DB.exec(`DELETE FROM webhooks WHERE url = ''`);
    });
  }
  const before = await ask(target, init);
  return ask(target, { ...init, headers: { ...init.headers, 'If-None-Match': before.headers.get('ETag')! } });
}

/** Brings about the circumstances that are a state of the account. */
async function prepare(when: Example['when']): Promise<void> {
  const send = (method: string, scope: string, path: string, body: unknown) => {
    const headers = { Authorization: `Bearer ${tokens.get(scope)}`, 'Content-Type': 'application/json' };
    return ask(path, { method, headers, body: JSON.stringify(body) });
  };
  const post = (path: string, body: unknown) => send('POST', 'readers:write', path, body);
  if (when === 'the webhook exists')
    await send('PUT', 'webhooks:write', '/v1/webhooks/crm', { url: 'https://x.example/' });
  if (when === 'the reader exists') await post('/v1/readers', { name: 'idealista' });
  if (when === 'a reader has the channel') await post('/v1/readers', { name: 'coastal', channel: 'coast' });
  if (when === 'the account has too many webhooks') {
    await env.DB.exec(
      `INSERT INTO webhooks (account_id, name, url, events, origin, secret, confirmed_number) ` +
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT a.id, 'x' || i, '', '[]', '', '', 0 FROM n, accounts a WHERE a.code = 'DEMO'`,
    );
  }
  if (when === 'the channel exists') await post('/v1/channels/inland/add', { properties: ['R4100001'] });
}

function encode(body: unknown, mediaType: string | undefined): string {
  if (typeof body === 'string') return body;
  if (mediaType !== 'application/x-www-form-urlencoded') return JSON.stringify(body);
  return new URLSearchParams(body as Record<string, string>).toString();
}

/** The scope of the access token that an operation takes. */
const SCOPE_OF: Readonly<Record<string, string>> = {
  unitsWrite: 'units:write',
  unitsRead: 'units:read',
  propertiesRead: 'properties:read',
  feedsRead: 'feeds:read',
  readersRead: 'readers:read',
  readersWrite: 'readers:write',
  webhooksRead: 'webhooks:read',
  webhooksWrite: 'webhooks:write',
};

function authorization({ security }: Operation, when: Example['when']): Record<string, string> {
  const required = security.map((name) => SCOPE_OF[name]).find((scope) => scope !== undefined);
  if (when === 'no credentials' || required === undefined) return {};
  const lacking = required === 'units:read' ? 'units:write' : 'units:read';
  return { Authorization: `Bearer ${tokens.get(when === 'the token lacks the scope' ? lacking : required)}` };
}

function bindings(when: Example['when']): Env {
  const refusing = { limit: async () => ({ success: false }) };
  switch (when) {
    case 'the database fails':
      return {
        ...watched(() => {
          throw new Error('D1_ERROR: internal error');
        }),
        SIGNING_KEYS: '',
      };
    case 'a rate limit is exceeded':
      return { ...env, CREDENTIAL_CHECKS: refusing, TOKENS: refusing, UPDATES: refusing };
    case 'an unexpected error':
      return {
        ...env,
        METRICS: {
          writeDataPoint: () => {
            throw new TypeError('unexpected');
          },
        },
      };
    default:
      return env;
  }
}

function expectHeaders(headers: Headers, { headers: documented = [] }: DocumentedResponse): void {
  const required = documented.filter((name) => !OPTIONAL_HEADERS.includes(name));
  expect(required.filter((name) => !headers.has(name))).toEqual([]);
  const known = new Set([...documented.map((name: HeaderName) => name.toLowerCase()), ...UNDOCUMENTED]);
  expect([...headers.keys()].filter((name) => !known.has(name))).toEqual([]);
}

function expectBody({ headers, bytes }: CompleteResponse, { content }: DocumentedResponse, { body }: Example): void {
  const text = new TextDecoder().decode(bytes);
  if (content === undefined) {
    expect(text).toBe('');
    return;
  }
  expect(headers.get('Content-Type')).toBe(content.mediaType);
  const isJson = content.mediaType.endsWith('json');
  const received: unknown = isJson ? JSON.parse(text) : text;
  // A member that the schema does not have would be missing from what it returns.
  expect(content.schema.parse(received)).toEqual(received);
  if (body === undefined) return;
  expect(content.schema.parse(body)).toEqual(body);
  expect(masked(received)).toEqual(masked(body));
}

/** Without volatile values, and with the id of a request replaced. */
function masked(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value) => (VOLATILE.includes(name) ? '…' : value));
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…'));
}
