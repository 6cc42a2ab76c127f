import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/env.ts';
import { SCOPES } from '../../src/oauth/scopes.ts';
import { openReader } from '../support/accounts/readers.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../support/accounts/units.ts';
import { ask, failingWhen, watched } from '../support/worker/ask.ts';
import { OPERATIONS } from './api/operations.ts';

let agency: Agency;
let token: string;

beforeAll(async () => {
  agency = await openAgency('OBSERVED', ['A-1'], SCOPES);
  token = await obtainToken(agency);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const update = () => ({
  method: 'POST',
  headers: withToken(token),
  body: JSON.stringify({
    UntName: 'A-1',
    UntStatus: 1,
    UntPrice: Math.random(),
    UntDirections: [],
  }),
});
const UPDATE_PATH = `/v1/developments/${DEVELOPMENT}/units/update-by-name`;

/** The response to a request, and its log lines. */
async function logged(path: string, init: RequestInit = {}, bindings: Env = env) {
  const lines: Record<string, unknown>[] = [];
  const logs = (['info', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((line) => {
      lines.push(JSON.parse(line));
    }),
  );
  const response = await ask(path, init, bindings);
  for (const log of logs) log.mockRestore();
  return { ...response, lines };
}

function feedPath(parameters = ''): string {
  return `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${agency.code}&P=demo${parameters}`;
}

describe('log lines', () => {
  test('a feed that is built: one line with account, cache status, revision and steps', async () => {
    const { headers, lines, bytes } = await logged(feedPath());
    expect(lines).toEqual([
      {
        event: 'request',
        requestId: headers.get('X-Request-Id'),
        interface: 'feed',
        method: 'GET',
        path: '/CreateXMLFeedV3.asp',
        status: 200,
        account: agency.code,
        cache: 'miss',
        parts: 1,
        cachedParts: 0,
        missed: { new: 1 },
        bytes: bytes.length,
        records: 1,
        revision: expect.any(Number),
        milliseconds: expect.any(Number),
        steps: { access: expect.any(Number), parts: expect.any(Number) },
      },
    ]);
    expect(headers.get('Server-Timing')).toMatch(/^access;dur=\d+, parts;dur=\d+, total;dur=\d+$/);
  });

  test('a hit and a 304: none', async () => {
    await logged(feedPath('&FV=2'));
    const hit = await logged(feedPath('&FV=2'));
    const headers = { 'If-None-Match': hit.headers.get('ETag')! };
    const unmodified = await logged(feedPath('&FV=2'), { headers });
    expect([hit.status, hit.lines, unmodified.status, unmodified.lines]).toEqual([
      200,
      [],
      304,
      [],
    ]);
  });

  test.each([
    (code: string) => `/feeds/${code}/sesame/kyero.xml`,
    (code: string) => `/feeds/${code}/lindero_${'k'.repeat(32)}/kyero.xml`,
    () => `/feed/lindero_${'k'.repeat(32)}`,
    (code: string) => `/CreateXMLFeedV3.asp&U=OWNPROPERTIES@${code}&P=sesame`,
    (code: string) => `/CreateXMLFeedV3.asp%3FU%3DOWNPROPERTIES@${code}%26P%3Dsesame`,
  ])('a path with a secret: none, since the platform adds the URL to it', async (path) => {
    const { status, lines } = await logged(path(agency.code));
    expect(lines).toEqual([]);
    expect(status).toBeGreaterThanOrEqual(400);
  });

  test('a feed with the key in its path that D1 fails to build: 503, and no line', async () => {
    const key = await openReader(agency.accountId, 'silent');
    const calls = [vi.spyOn(console, 'error'), vi.spyOn(console, 'info')];
    for (const spy of calls) spy.mockImplementation(() => {});
    const failing = failingWhen(({ what }) => what.includes('LEFT JOIN properties'), 'down');
    const { status } = await ask(`/feeds/${agency.code}/${key}/kyero.xml`, {}, failing);
    expect(status).toBe(503);
    expect(calls.flatMap(({ mock }) => mock.calls)).toEqual([]);
    vi.restoreAllMocks();
  });

  test('an update: one line with account and client', async () => {
    const { headers, lines } = await logged(UPDATE_PATH, update());
    expect(lines).toMatchObject([
      {
        event: 'request',
        interface: 'units',
        status: 200,
        account: agency.accountId,
        client: agency.clientId,
        steps: { token: expect.any(Number), database: expect.any(Number) },
      },
    ]);
    expect(headers.get('Server-Timing')).toMatch(
      /^token;dur=\d+, database;dur=\d+, total;dur=\d+$/,
    );
  });

  describe('name the interface, the account and the client', () => {
    const bearer = () => ({ headers: withToken(token) });
    const basic = (password: string) => ({
      headers: { Authorization: `Basic ${btoa(`OWNPROPERTIES@${agency.code}:${password}`)}` },
    });
    const grant = () => ({
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: agency.clientId,
        client_secret: agency.secret,
      }),
    });
    const signIn = () => ({
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ account: agency.code, password: 'demo' }),
    });
    const code = () => ({ account: agency.code, client: undefined });
    const client = () => ({ account: agency.accountId, client: agency.clientId });
    const nobody = () => ({ account: undefined, client: undefined });

    test.each<[string, string, () => object, () => RequestInit]>([
      ['/CreateXMLFeedV3.asp?FV=1', 'feed', code, () => basic('demo')],
      ['/CreateXMLFeedV3.asp', 'feed', code, () => basic('wrong')],
      ['/kyero.xml', 'feed', code, () => basic('demo')],
      ['/oauth/token', 'oauth', client, grant],
      ['/.well-known/jwks.json', 'oauth', nobody, () => ({})],
      ['/v1/developments', 'units', client, bearer],
      [`/v1/developments/${DEVELOPMENT}/units/A-1`, 'units', client, bearer],
      ['/v1/developments', 'units', nobody, () => ({})],
      ['/v1/readers', 'readers', client, bearer],
      ['/v1/channels', 'readers', client, bearer],
      ['/v1/properties/R1/deliveries', 'deliveries', client, bearer],
      ['/v1/report', 'report', client, bearer],
      ['/v1/report', 'report', code, () => basic('demo')],
      ['/v1/report', 'report', code, () => basic('wrong')],
      ['/sign-in', 'console', () => ({ account: agency.accountId, client: 'console' }), signIn],
      ['/feed', 'console', nobody, () => ({})],
      ['/docs', 'docs', nobody, () => ({})],
      ['/health', 'health', nobody, () => ({})],
      ['/health', 'health', client, bearer],
      ['/nothing', 'other', nobody, () => ({})],
    ])('%s: %s', async (path, name, caller, init) => {
      const { status, headers, lines } = await logged(path, { redirect: 'manual', ...init() });
      const [{ account, client, ...line }] = lines.filter(({ event }) => event === 'request') as [
        Record<string, unknown>,
      ];
      expect(line).toMatchObject({
        interface: name,
        requestId: headers.get('X-Request-Id'),
        status,
      });
      expect({ account, client }).toEqual(caller());
    });
  });
});

describe('an unexpected error: 500 with a document in the format of the interface, and a line that leads to the error', () => {
  test.each<[string, string, string, string, string?]>([
    [
      '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@X&P=y',
      'feed',
      'application/xml; charset=utf-8',
      '<code>internal</code>',
    ],
    [
      '/kyero.xml?U=OWNPROPERTIES@X&P=y',
      'feed',
      'application/xml; charset=utf-8',
      '<code>internal</code>',
    ],
    ['/oauth/token', 'oauth', 'application/json', '"error":"server_error"', 'POST'],
    [UPDATE_PATH, 'units', 'application/problem+json', '"code":"internal"', 'POST'],
    ['/v1/report', 'report', 'application/problem+json', '"code":"internal"'],
    ['/language', 'console', 'text/html; charset=utf-8', 'Please quote this request', 'POST'],
  ])('%s', async (path, name, type, code, method = 'GET') => {
    vi.spyOn(Headers.prototype, 'get').mockImplementationOnce(() => {
      throw new TypeError('cannot be');
    });
    const { status, headers, text: body, lines } = await logged(path, { method });
    const requestId = headers.get('X-Request-Id')!;
    expect([status, headers.get('Content-Type')]).toEqual([500, type]);
    expect(body).toContain(code);
    expect(body).toContain(requestId);
    expect(lines).toMatchObject([
      { event: 'error.unexpected', requestId, error: 'TypeError: cannot be' },
      { event: 'request', requestId, interface: name, status: 500 },
    ]);
  });
});

test('every operation of the API and every page is logged under the name of its interface', async () => {
  const names: (string | undefined)[] = [];
  const writeDataPoint = ({ blobs }: AnalyticsEngineDataPoint = {}) =>
    names.push(blobs![0] as string);
  const bindings = { ...env, METRICS: { writeDataPoint } as AnalyticsEngineDataset };
  const requests = [
    ...OPERATIONS.map(({ method, path }) => ({ method, path })),
    { method: 'GET', path: '/import' },
    { method: 'GET', path: '/settings/webhook' },
  ];
  for (const { method, path } of requests) {
    await ask(path.replaceAll(/[{}]/g, ''), { method: method.toUpperCase() }, bindings);
  }
  const unnamed = requests.filter((_, index) => names[index] === 'other').map(({ path }) => path);
  expect(unnamed, 'add router.use(path, serves(…)) for these').toEqual([]);
});

test('with an Analytics Engine dataset: a data point for every request, hits and 304s included', async () => {
  const points: AnalyticsEngineDataPoint[] = [];
  const bindings = {
    ...env,
    METRICS: { writeDataPoint: (point = {}) => points.push(point) } as AnalyticsEngineDataset,
  };
  const { headers } = await logged(feedPath('&FV=3'), {}, bindings);
  await logged(feedPath('&FV=3'), {}, bindings);
  await logged(feedPath('&FV=3'), { headers: { 'If-None-Match': headers.get('ETag')! } }, bindings);
  await logged(feedPath().replace('P=demo', 'P=x'), {}, bindings);
  await logged(UPDATE_PATH, update(), bindings);
  await logged('/nothing', {}, bindings);
  const { code, accountId, clientId } = agency;
  expect(points.map(({ indexes, blobs }) => [...indexes!, ...blobs!])).toEqual([
    [code, 'feed', '200', 'miss', '', 'new'],
    [code, 'feed', '200', 'hit', '', ''],
    [code, 'feed', '304', 'not modified', '', ''],
    [code, 'feed', '401', '', '', ''],
    [String(accountId), 'units', '200', '', clientId, ''],
    ['', 'other', '404', '', '', ''],
  ]);
});

test('GET /health: 200; while D1 fails: 503; checked at most once a second', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const healthy = await logged('/health');
  expect([healthy.status, JSON.parse(healthy.text)]).toEqual([200, { status: 'ok' }]);
  let statements = 0;
  const failing = watched(() => {
    statements++;
    throw new Error('D1_ERROR: out of reach');
  });
  expect((await logged('/health', {}, failing)).status).toBe(200);
  vi.setSystemTime(Date.now() + 1_000);
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await logged('/health', {}, failing);
    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
  }
  expect(statements).toBe(1);
  vi.setSystemTime(Date.now() + 1_000);
  expect((await logged('/health')).status).toBe(200);
  expect((await logged('/health', { method: 'POST' })).status).toBe(405);
});
