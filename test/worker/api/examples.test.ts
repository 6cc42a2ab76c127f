import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HEADERS, type HeaderName } from '../../../src/api/headers.ts';
import type { CompleteResponse } from '../../support/worker/ask.ts';
import { openExampleAgency } from './agency.ts';
import { obtainTokens, send } from './exchange.ts';
import { type DocumentedResponse, OPERATIONS } from './operations.ts';

/** What differs each time. */
const VOLATILE = `
  access_token as_of next number confirmed_number next_run_at ended_at old_secret_expires_at secret attempted_at
  milliseconds changed_at created_at old_keys_expire_at key keys
`
  .trim()
  .split(/\s+/);

/** Stated by the platform for every body. */
const UNDOCUMENTED = ['content-type', 'content-length', 'x-content-type-options'];

let now = Date.now();

beforeAll(async () => {
  await openExampleAgency();
  // The receiver of every webhook.
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  await obtainTokens();
});

afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe.each(OPERATIONS)('$operationId', (operation) => {
  const cases = operation.responses.flatMap((response) =>
    response.examples.map((example) => ({ ...example, status: response.status, response })),
  );

  test.each(cases)(
    'the example $name: $status, with the documented headers and body',
    async ({ response, request, body }) => {
      // Nothing that the isolate caches for a second decides the result.
      now += 2_000;
      vi.setSystemTime(now);
      const received = await send(operation, request);
      expect(received.status).toBe(response.status);
      // An error at the very end, which this precondition is, leaves headers of the response that it replaces.
      if (request.when !== 'an unexpected error') expectHeaders(received.headers, response);
      expectBody(received, response, body);
    },
  );

  test('the names of its examples: unique', () => {
    const names = cases.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

function expectHeaders(headers: Headers, { headers: documented }: DocumentedResponse): void {
  const required = documented.filter((name) => HEADERS[name].required);
  expect(required.filter((name) => !headers.has(name))).toEqual([]);
  const known = new Set([
    ...documented.map((name: HeaderName) => name.toLowerCase()),
    ...UNDOCUMENTED,
  ]);
  expect([...headers.keys()].filter((name) => !known.has(name))).toEqual([]);
}

function expectBody(
  { headers, text }: CompleteResponse,
  { content }: DocumentedResponse,
  body: unknown,
): void {
  if (content === undefined) {
    expect(text).toBe('');
    return;
  }
  expect(headers.get('Content-Type')).toBe(content.mediaType);
  const isJson = /[/+]json$/.test(content.mediaType);
  const received: unknown = isJson ? JSON.parse(text) : text;
  // A member that the schema does not have would be missing from what it returns.
  expect(content.schema.parse(received)).toEqual(received);
  if (body === undefined) return;
  expect(content.schema.parse(body)).toEqual(body);
  expect(masked(received)).toEqual(masked(body));
}

/** The ids of imports are numbers, all others are texts that stay the same; some times have names that stand for other things, too. */
function isVolatile(name: string, value: unknown): boolean {
  if (name === 'at' || name === 'until') return /^\d{4}-/.test(String(value));
  return VOLATILE.includes(name) || (name === 'id' && typeof value === 'number');
}

/** Without volatile values, and with the id of a request and the digest of a picture replaced. */
function masked(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value) => (isVolatile(name, value) ? '…' : value));
  return JSON.parse(
    text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}/g, '…'),
  );
}
