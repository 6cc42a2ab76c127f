import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKeySet } from '../../src/cli/settings/secrets.ts';
import { CHECKS } from '../../src/cli/smoke/checks.ts';
import { type Line, runChecks, Service, type Target } from '../../src/cli/smoke/run.ts';
import { type Agency, createAgency } from '../support/agency.ts';
import { type Defect, type PassingRequest, type PassingResponse, startFaultyProxy } from '../support/faulty-proxy.ts';
import { PASSWORD } from '../support/open-account.ts';
import { type Server, startServer } from '../support/server.ts';

let server: Server;

beforeAll(async () => {
  // Each run exhausts the limit, and passwords are expensive to check.
  server = await startServer({ SIGNING_KEYS: await newKeySet() }, undefined, 5, true);
});

afterAll(() => server.stop());

let agencies = 0;

/** An agency for one test: tests run at the same time, and update its units. */
function openAgency(): Promise<Agency> {
  agencies += 1;
  return createAgency(server.db, `COSTA${agencies}`, ['A-101', 'A-102']);
}

const NO_LIMITS = { firstByteMs: 120_000, cachedWithinMs: 120_000 };

/** Checks the service for an agency, through a proxy with this defect. */
async function check(
  { code: account, clientId: id, secret }: Agency,
  defect?: Defect,
  target: Partial<Target> = {},
): Promise<Line[]> {
  const { signal } = new AbortController();
  const proxy = await startFaultyProxy(server.url, defect);
  const credentials = { account, password: PASSWORD, client: { id, secret } };
  const given = { origin: proxy.url, ...credentials, ...NO_LIMITS, ...target };
  const lines: Line[] = [];
  try {
    await runChecks(CHECKS, new Service(given, signal), (line) => lines.push(line), signal);
  } finally {
    await proxy.stop();
  }
  return lines;
}

const failing = (lines: readonly Line[]): string[] =>
  lines.filter(({ outcome }) => outcome === 'FAIL').map(({ name }) => name);

const isFeed = ({ url }: PassingRequest): boolean => url.pathname.endsWith('.asp');
const isGzip = ({ headers }: PassingResponse): boolean => headers['content-encoding'] === 'gzip';
const isCached = ({ headers }: PassingResponse): boolean => headers['cache-status']?.includes('; hit') ?? false;
/** Whether a feed is requested with a wrong password. */
const isWrong = ({ status }: PassingResponse): boolean => status === 401 || status === 429;

/** Responses of feeds, by their URLs, from which a proxy serves stale ones. */
function staleFeeds(): Defect {
  const first = new Map<string, PassingResponse>();
  return (request, response) => {
    if (!isFeed(request) || isWrong(response)) return;
    const before = first.get(request.url.href);
    if (before === undefined) first.set(request.url.href, { ...response });
    else if (request.url.search.includes('IC=1&')) Object.assign(response, before);
  };
}

/** Changes the responses with feeds. */
function toFeeds(change: (response: PassingResponse, request: PassingRequest) => void): Defect {
  return (request, response) => {
    if (isFeed(request) && response.status === 200) change(response, request);
  };
}

function cut(response: PassingResponse): void {
  response.body = response.body.subarray(0, -200);
  response.closes = true;
}

test.concurrent('a sound service: nothing fails, nothing is skipped, and the unit is as it was', async () => {
  const agency = await openAgency();
  const units = () =>
    server.db
      .prepare('SELECT name, status, price, directions FROM units WHERE account_id = ? ORDER BY name')
      .bind(agency.accountId)
      .all();
  const before = (await units()).results;
  const lines = await check(agency);
  expect(lines.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  expect((await units()).results).toEqual(before);
});

test.concurrent('without a client: tokens and updates are skipped, and nothing fails', async () => {
  const lines = await check(await openAgency(), undefined, { client: undefined });
  expect(lines.filter(({ outcome }) => outcome === 'skip').map(({ name }) => name)).toEqual(['token', 'update']);
  expect(failing(lines)).toEqual([]);
});

test.concurrent('a wrong password: it alone fails, and what depends on it is skipped', async () => {
  const lines = await check(await openAgency(), undefined, { password: 'another' });
  expect(failing(lines)).toEqual(['password']);
  expect(lines.filter(({ outcome }) => outcome === 'pass').map(({ name }) => name)).toEqual(['service', 'secrets']);
});

describe.concurrent('the process', () => {
  function smoke(agency: Agency, password: string, ...more: string[]): Promise<{ code: number; output: string }> {
    return new Promise((done) => {
      const args = ['src/cli/lindero.ts', 'smoke', server.url.href, '--account', agency.code.toLowerCase()];
      const child = execFile(process.execPath, [...args, ...more], (error, out, err) =>
        done({ code: error === null ? 0 : Number(error.code), output: out + err }),
      );
      child.stdin?.end(`${password}\n${agency.clientId}\n${agency.secret}\n`);
    });
  }

  test('a sound service: a line for each check, and exit code 0', async () => {
    const agency = await openAgency();
    const { code, output } = await smoke(agency, PASSWORD);
    expect(output).toMatch(/^pass {2}service /m);
    expect(output).toMatch(/, 0 failed, 0 skipped\n$/);
    expect(output).not.toContain(agency.secret);
    expect(code).toBe(0);
  });

  test('a wrong password, with --json: exit code 1', async () => {
    const { code, output } = await smoke(await openAgency(), 'another', '--json');
    expect(failing(JSON.parse(output))).toEqual(['password']);
    expect(code).toBe(1);
  });
});

/** Changes the responses of a path. */
function at(path: string, change: (response: PassingResponse) => void): Defect {
  return ({ url }, response) => {
    if (url.pathname.endsWith(path)) change(response);
  };
}

function header(name: string, value: string): (response: PassingResponse) => void {
  return ({ headers }) => {
    headers[name] = value;
  };
}

/** Changes the status of responses. */
function status(from: number, to: number): Defect {
  return (_, response) => {
    if (response.status === from) response.status = to;
  };
}

function replaceBody(response: PassingResponse, pattern: string | RegExp, text: string): void {
  response.body = Buffer.from(response.body.toString().replaceAll(pattern, text));
  response.headers['content-length'] = String(response.body.length);
}

const gzipAlways = toFeeds((response, { headers }) => {
  if (headers['accept-encoding'] === undefined) response.headers['content-encoding'] = 'gzip';
});

const cutCompressed = toFeeds((response) => {
  if (isGzip(response) && isCached(response)) cut(response);
});

const longerThanStated = toFeeds((response, { method }) => {
  response.closes = true;
  const { headers, body } = response;
  if (headers['content-length'] === undefined) return;
  headers['content-length'] = String(method === 'HEAD' ? Number(headers['content-length']) + 10 : body.length + 10);
});

test.concurrent.each<[defect: string, line: string, Defect]>([
  [
    'a database that is not responding',
    'service',
    at('/health', (response) => Object.assign(response, { status: 503 })),
  ],
  ['a wrong password that gets a 403', 'password', status(401, 403)],
  [
    'a schema that is not published',
    'schema',
    at('/feed-v2.xsd', (response) => Object.assign(response, { status: 404 })),
  ],
  ['compressed feeds that are truncated', 'feeds', cutCompressed],
  ['gzip for a reader that has not asked for it', 'feeds', gzipAlways],
  ['feeds that are never cached', 'cached', toFeeds(header('cache-status', 'Lindero; fwd=miss'))],
  ['a Content-Length that is too large', 'headers', longerThanStated],
  ['conditions that are ignored', '304', status(304, 200)],
  [
    'HEAD without Content-Length',
    'HEAD',
    (request, { headers }) => {
      if (request.method === 'HEAD') delete headers['content-length'];
    },
  ],
  ['tokens that may be stored', 'token', at('/oauth/token', header('cache-control', 'private'))],
  ['feeds that do not show an update', 'update', staleFeeds()],
  ['no rate limit', 'rate limit', status(429, 401)],
  [
    'a password in an error document',
    'secrets',
    at('.asp', (response) => {
      if (response.status === 401) replaceBody(response, '</root>', '<!-- P=demo --></root>');
    }),
  ],
])('%s: %s fails, and nothing else', async (_, line, defect) => {
  const lines = await check(await openAgency(), defect, line === 'cached' ? { cachedWithinMs: 1_000 } : {});
  expect(failing(lines), JSON.stringify(lines, null, 1)).toEqual([line]);
});

test.concurrent('a client secret in a header: secrets fails, and nothing else', async () => {
  const agency = await openAgency();
  const lines = await check(agency, ({ url }, { headers }) => {
    if (url.pathname.startsWith('/v1')) headers['x-debug'] = `Basic ${agency.secret}`;
  });
  expect(failing(lines)).toEqual(['secrets']);
});
