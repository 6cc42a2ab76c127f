import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { createAccount } from '../../../src/operator/accounts.ts';
import { checkFeedResponse } from '../../support/documents/feed.ts';
import { ask, type Use, watched } from '../../support/worker/ask.ts';

beforeAll(async () => {
  await createAccount(env.DB, { code: 'AGENCY', name: 'Agency', password: 'paß wörd&+:' });
  await createAccount(env.DB, { code: 'CLOSED', name: 'Closed', password: 'closed' });
  await env.DB.prepare("UPDATE accounts SET disabled = 1 WHERE code = 'CLOSED'").run();
});

const LOGIN = `U=OWNPROPERTIES@AGENCY&P=${encodeURIComponent('paß wörd&+:')}`;

function basic(user: string, password: string): { Authorization: string } {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

async function feed(query: string, init: RequestInit = {}, bindings: Env = env) {
  return checkFeedResponse(await ask(`/CreateXMLFeedV3.asp?${query}`, init, bindings));
}

async function errorOf(query: string, init: RequestInit = {}, bindings: Env = env) {
  const { status, headers, document } = await feed(query, init, bindings);
  expect(headers.get('Cache-Control')).toBe('no-store');
  return {
    status,
    headers,
    code: document.textOf('error/code'),
    message: document.textOf('error/message'),
  };
}

describe('a value that is not allowed: 400 that names the parameter, the value and what is allowed', () => {
  test.each([
    ['FV=4', ["FV is '4'", '1, 2, 3']],
    ['T=LET', ["T is 'LET'", 'SALE, RENT, All']],
    ['T=ſale', ["T is 'ſale'", 'SALE, RENT, All']],
    ['NW=yes', ["NW is 'yes'", 'TRUE, FALSE']],
    ['IC=1000', ["IC is '1000'", '0 to 999']],
    ['VT=3', ["VT is '3'", '0, 1, 2, TRUE, FALSE']],
    ['Language=1,11', ["Language is '1,11'", '1 to 10']],
    ['AR=TRUE&ar=FALSE', ['AR ']],
    ['FV=9&IC=<&', ["FV is '9'", "IC is '<'"]],
    [`IC=${'9'.repeat(200)}`, [`IC is '${'9'.repeat(60)}…'`]],
  ])('?%s', async (query, mentioned) => {
    const { status, code, message } = await errorOf(`${LOGIN}&${query}`);
    expect([status, code]).toEqual([400, 'bad_parameter']);
    for (const text of mentioned) expect(message).toContain(text);
  });

  test('U of another form: 400 that names U and contains no password', async () => {
    const { status, message } = await errorOf('U=SOMETHING@AGENCY&P=secret');
    expect(status).toBe(400);
    expect(message).toContain("U is 'SOMETHING@AGENCY'");
    expect(message).not.toContain('secret');
  });

  test('P given twice: 400 that names P and contains neither', async () => {
    const { status, message } = await errorOf('U=OWNPROPERTIES@AGENCY&P=sesame&P=mellon');
    expect(status).toBe(400);
    expect(message).toMatch(/^P (?!.*(sesame|mellon))/);
  });
});

describe('credentials', () => {
  test.each([
    ['none', '', {}],
    ['U alone', 'U=OWNPROPERTIES@AGENCY', {}],
    ['P alone', 'P=x', {}],
    ['an empty P', 'U=OWNPROPERTIES@AGENCY&P=', {}],
    ['a wrong password', 'U=OWNPROPERTIES@AGENCY&P=wrong', {}],
    ['the password in other letter case', 'U=OWNPROPERTIES@AGENCY&P=PASS', {}],
    ['the password followed by NUL', `${LOGIN}%00`, {}],
    ['an unknown account', 'U=OWNPROPERTIES@NOBODY&P=wrong', {}],
    ['a disabled account', 'U=OWNPROPERTIES@CLOSED&P=closed', {}],
    ['an unknown account by Basic', '', basic('OWNPROPERTIES@NOBODY', 'x')],
    ['a wrong password by Basic', '', basic('OWNPROPERTIES@AGENCY', 'x')],
    [
      'U of another account and Basic',
      'U=OWNPROPERTIES@OTHER',
      basic('OWNPROPERTIES@AGENCY', 'paß wörd&+:'),
    ],
    ['another P and Basic', 'P=x', basic('OWNPROPERTIES@AGENCY', 'paß wörd&+:')],
    ['Basic without the feed type', '', basic('AGENCY', 'paß wörd&+:')],
    ['Basic that is not base64', '', { Authorization: 'Basic ???' }],
    ['Basic without a colon', '', { Authorization: `Basic ${btoa('OWNPROPERTIES@AGENCY')}` }],
    ['a bearer token', '', { Authorization: 'Bearer x' }],
  ])('GET with %s: 401 bad_credentials with a Basic challenge', async (_, query, headers) => {
    const { status, code, headers: received } = await errorOf(query, { headers });
    expect([status, code]).toEqual([401, 'bad_credentials']);
    expect(received.get('X-Content-Type-Options')).toBe('nosniff');
    expect(received.get('WWW-Authenticate')).toBe('Basic realm="Lindero", charset="UTF-8"');
  });

  test('GET with an unknown account, a disabled one or a wrong password: the same response after the same work', async () => {
    const derivations = vi.spyOn(crypto.subtle, 'deriveBits');
    const responses = [];
    for (const account of ['AGENCY', 'NOBODY', 'CLOSED']) {
      derivations.mockClear();
      const { status, code, message } = await errorOf(`U=OWNPROPERTIES@${account}&P=guess`);
      responses.push([status, code, message, derivations.mock.calls.length]);
    }
    derivations.mockRestore();
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
    expect(responses[0]?.[3]).toBe(1);
  });

  test.each([
    ['U and P', LOGIN, {}],
    [
      'U and P in other letter case',
      LOGIN.replace('U=OWNPROPERTIES@AGENCY', 'u=ownProperties@agency'),
      {},
    ],
    ['Basic', '', basic('OWNPROPERTIES@AGENCY', 'paß wörd&+:')],
    ['Basic in other letter case', '', basic('ownproperties@Agency', 'paß wörd&+:')],
    ['U and Basic', 'U=OWNPROPERTIES@AGENCY', basic('OWNPROPERTIES@AGENCY', 'paß wörd&+:')],
  ])('GET with %s: 200', async (_, query, headers) => {
    const { status, document } = await feed(query, { headers });
    expect([status, document.textOf('resalesonline/feed_version')]).toEqual([200, '1']);
  });

  test('GET in a burst with one password: 200 for all, one full check, and at most eight counts', async () => {
    await createAccount(env.DB, { code: 'BURST', name: 'Burst', password: 'burst' });
    const counted: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: counted.push(key) > 0 });
    const headers = { 'CF-Connecting-IP': '192.0.2.77' };
    const derivations = vi.spyOn(crypto.subtle, 'deriveBits');
    const burst = Array.from({ length: 20 }, (_, index) =>
      feed(
        `U=OWNPROPERTIES@BURST&P=burst&IC=${index}`,
        { headers },
        { ...env, CREDENTIAL_CHECKS: { limit } },
      ),
    );
    expect((await Promise.all(burst)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([derivations.mock.calls.length, counted.length <= 8]).toEqual([1, true]);
    derivations.mockRestore();
  });

  test.each(['A B', 'Ä', 'A/B', 'A'.repeat(41), 'X'.repeat(60_000)])(
    'GET with a code that no account can have (%#): 401 as for others, without a lookup',
    async (code) => {
      const uses: Use[] = [];
      const bindings = watched((use) => uses.push(use));
      const wrong = await errorOf('U=OWNPROPERTIES@NOBODY&P=wrong');
      const user = encodeURIComponent(`OWNPROPERTIES@${code}`);
      for (const [query, headers] of [
        [`U=${user}&P=wrong`, {}],
        ['', code.length > 100 ? {} : basic(`OWNPROPERTIES@${code}`, 'wrong')],
      ] as const) {
        const denied = await errorOf(query, { headers }, bindings);
        expect([denied.status, denied.code]).toEqual([wrong.status, wrong.code]);
      }
      expect(uses).toEqual([]);
    },
  );

  test('GET beyond the rate limit: 429 with Retry-After; with the verified password: 200', async () => {
    await feed(LOGIN);
    const exhausted = { ...env, CREDENTIAL_CHECKS: { limit: async () => ({ success: false }) } };
    const { status, code, headers } = await errorOf(
      'U=OWNPROPERTIES@AGENCY&P=guess',
      {},
      exhausted,
    );
    expect([status, code, headers.get('Retry-After')]).toEqual([429, 'too_many_attempts', '60']);
    expect((await feed(LOGIN, {}, exhausted)).status).toBe(200);
  });
});

describe('preconditions', () => {
  test('If-Match with another ETag, and If-Unmodified-Since with an earlier date: 412 with an error document', async () => {
    for (const headers of [
      { 'If-Match': '"x"' },
      { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ]) {
      await env.DB.prepare("UPDATE accounts SET changed_at = 1000 WHERE code = 'AGENCY'").run();
      const { status, code } = await errorOf(`${LOGIN}&FV=3&NW=TRUE`, { headers });
      expect([status, code]).toEqual([412, 'precondition_failed']);
    }
  });

  test('If-Match with its own ETag, and If-Unmodified-Since with a later date: 200', async () => {
    const etag = (await feed(LOGIN)).headers.get('ETag')!;
    for (const headers of [
      { 'If-Match': etag },
      { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    ]) {
      expect((await feed(LOGIN, { headers })).status).toBe(200);
    }
  });
});

describe('paths and methods', () => {
  test.each(['/CreateXMLFeedV3.asp', '/live/createxmlfeedv3.asp', '/A/b.c/CREATEXMLFEEDV3.ASP'])(
    'GET %s: 200',
    async (path) => {
      expect((await ask(`${path}?${LOGIN}`)).status).toBe(200);
    },
  );

  test.each(['/CreateXMLFeedV3', '/CreateXMLFeedV3.asp/', '/CreateXMLFeedV3.asp/x'])(
    'GET %s: 404',
    async (path) => {
      const response = await ask(`${path}?${LOGIN}`);
      expect(response.headers.get('Content-Type')).toBe('application/problem+json');
      expect(JSON.parse(response.text)).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  test('HEAD with an invalid parameter: 400 without a body', async () => {
    const { status, headers, bytes } = await ask('/CreateXMLFeedV3.asp?FV=7', { method: 'HEAD' });
    expect([status, bytes.length, headers.get('Content-Type')]).toEqual([
      400,
      0,
      'application/xml; charset=utf-8',
    ]);
  });
});

describe('log', () => {
  const lines: string[] = [];

  beforeEach(() => {
    lines.length = 0;
    for (const level of ['info', 'warn', 'error', 'log'] as const) {
      vi.spyOn(console, level).mockImplementation((...values) => void lines.push(...values));
    }
    return () => vi.restoreAllMocks();
  });

  test('GET of an unknown path with a mistyped query: no line, since the platform adds the URL to it', async () => {
    const encoded = '%3F %3f %26 %3B %253F %25253f %2526 %3D %3A %u003d %uFF1D %EF%BC%9D %40'.split(
      ' ',
    );
    const separators = [...encoded, ...'&;=:@,|$(*+!\uff1d'];
    for (const separator of separators) {
      await ask(`/x/CreateXMLFeedV3.asp${separator}U=OWNPROPERTIES@AGENCY${separator}P=topsecret`);
    }
    expect(lines).toEqual([]);
    await ask('/x/CreateXMLFeedV3.asp');
    expect(lines).toHaveLength(1);
  });
});
