import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKeySet } from '../../src/cli/setup/secrets.ts';
import { type Line, runChecks } from '../../src/cli/smoke/command.ts';
import type { Target } from '../../src/cli/smoke/service.ts';
import { type Agency, createAgency } from '../support/accounts/agency.ts';
import { PASSWORD } from '../support/accounts/open-account.ts';
import {
  type Defect,
  type PassingRequest,
  type PassingResponse,
  startFaultyProxy,
} from '../support/network/faulty-proxy.ts';
import { type Server, startServer } from '../support/processes/server.ts';

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

/** Checks the service for an agency, through a proxy with these defects. */
async function check(
  agency: Agency,
  defects: readonly Defect[] = [],
  target: Partial<Target> = {},
): Promise<Line[]> {
  const proxy = await startFaultyProxy(server.url, async (request, response) => {
    for (const defect of defects) await defect(request, response);
  });
  const client = { id: agency.clientId, secret: agency.secret };
  const limits = { firstByteMs: 120_000, cachedWithinMs: 120_000 };
  const given = {
    origin: proxy.url,
    account: agency.code,
    password: PASSWORD,
    client,
    ...limits,
    ...target,
  };
  const lines: Line[] = [];
  for await (const line of runChecks(given, new AbortController().signal)) lines.push(line);
  await proxy.stop();
  return lines;
}

const failing = (lines: readonly Line[]): string[] =>
  lines.filter(({ outcome }) => outcome === 'FAIL').map(({ name }) => name);

test.concurrent('a sound service: a line for each check, exit code 0, and the unit is as it was', async () => {
  const agency = await openAgency();
  const units = () =>
    server.db
      .prepare(
        'SELECT name, status, price, directions FROM units WHERE account_id = ? ORDER BY name',
      )
      .bind(agency.accountId)
      .all();
  const before = (await units()).results;
  const { code, output } = await smoke(agency, PASSWORD);
  expect(output).toMatch(/^pass {2}service /m);
  expect(output).toMatch(/, 0 failed, 0 skipped\n$/);
  expect(output).not.toContain(agency.secret);
  expect(code).toBe(0);
  expect((await units()).results).toEqual(before);
});

test.concurrent('a wrong password, with --json: exit code 1', async () => {
  const { code, output } = await smoke(await openAgency(), 'another', '--json');
  expect(failing(JSON.parse(output))).toEqual(['password']);
  expect(code).toBe(1);
});

/** Runs the program in a process of its own. */
function smoke(
  agency: Agency,
  password: string,
  ...more: string[]
): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const args = [
      'src/cli/lindero.js',
      'smoke',
      server.url.href,
      '--account',
      agency.code.toLowerCase(),
    ];
    const child = execFile(process.execPath, [...args, ...more], (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), output: out + err }),
    );
    child.stdin?.end(`${password}\n${agency.clientId}\n${agency.secret}\n`);
  });
}

/** Changes the responses of a path. */
function at(path: string, change: (response: PassingResponse) => void): Defect {
  return ({ url }, response) => {
    if (url.pathname.endsWith(path)) change(response);
  };
}

/** Changes the responses with feeds. */
function toFeeds(change: (response: PassingResponse, request: PassingRequest) => void): Defect {
  return (request, response) => {
    if (request.url.pathname.endsWith('.asp') && response.status === 200) change(response, request);
  };
}

function header(name: string, value: string): (response: PassingResponse) => void {
  return ({ headers }) => {
    headers[name] = value;
  };
}

function status(from: number, to: number): (response: PassingResponse) => void {
  return (response) => {
    if (response.status === from) response.status = to;
  };
}

/** Serves the first response of the feeds that show an update again. */
function staleFeeds(): Defect {
  const first = new Map<string, PassingResponse>();
  return toFeeds((response, { url }) => {
    const before = first.get(url.href);
    if (before === undefined) first.set(url.href, { ...response });
    else if (url.search.includes('IC=1&')) Object.assign(response, before);
  });
}

const gzipAlways = toFeeds((response, { headers }) => {
  if (headers['accept-encoding'] === undefined) response.headers['content-encoding'] = 'gzip';
});

const truncatedGzip = toFeeds((response) => {
  const { headers, body } = response;
  if (headers['content-encoding'] !== 'gzip' || !headers['cache-status']?.includes('; hit')) return;
  Object.assign(response, { body: body.subarray(0, -200), closes: true });
});

const longerThanStated = toFeeds((response, { method }) => {
  response.closes = true;
  const { headers, body } = response;
  if (headers['content-length'] === undefined) return;
  headers['content-length'] = String(
    method === 'HEAD' ? Number(headers['content-length']) + 10 : body.length + 10,
  );
});

const passwordInErrors = at('.asp', (response) => {
  if (response.status !== 401) return;
  response.body = Buffer.from(
    response.body.toString().replace('</root>', '<!-- P=demo --></root>'),
  );
  response.headers['content-length'] = String(response.body.length);
});

const headWithoutLength: Defect = (request, { headers }) => {
  if (request.method === 'HEAD') delete headers['content-length'];
};

test.concurrent.each<[defects: string, lines: string[], Defect[], Partial<Target>?]>([
  ['a database that is not responding', ['service'], [at('/health', status(200, 503))]],
  ['a wrong password that gets a 403', ['password'], [at('', status(401, 403))]],
  ['compressed feeds that are truncated', ['feeds'], [truncatedGzip]],
  ['gzip for a reader that has not asked for it', ['feeds'], [gzipAlways]],
  [
    'feeds that are never cached, with a Content-Length that is too large, and that do not show an update; no rate limit',
    ['headers', 'cached', 'update', 'rate limit'],
    [
      toFeeds(header('cache-status', 'Lindero; fwd=miss')),
      longerThanStated,
      staleFeeds(),
      at('', status(429, 401)),
    ],
    { cachedWithinMs: 1_000 },
  ],
  [
    'conditions that are ignored, HEAD without Content-Length, a missing schema, tokens that may be stored, a password in errors',
    ['304', 'HEAD', 'schema', 'token', 'secrets'],
    [
      at('', status(304, 200)),
      headWithoutLength,
      at('/feed-v2.xsd', status(200, 404)),
      at('/oauth/token', header('cache-control', 'private')),
      passwordInErrors,
    ],
  ],
])('%s: %j fails, and nothing else', async (_, expected, defects, target) => {
  const lines = await check(await openAgency(), defects, target);
  expect(failing(lines), JSON.stringify(lines, null, 1)).toEqual(expected);
});

test.concurrent('without a client: tokens and updates are skipped, and nothing fails', async () => {
  const lines = await check(await openAgency(), [], { client: undefined });
  expect(lines.filter(({ outcome }) => outcome === 'skip').map(({ name }) => name)).toEqual([
    'token',
    'update',
  ]);
  expect(failing(lines)).toEqual([]);
});

test.concurrent('a client secret in a header: secrets fails, and nothing else', async () => {
  const agency = await openAgency();
  const leak: Defect = ({ url }, { headers }) => {
    if (url.pathname.startsWith('/v1')) headers['x-debug'] = `Basic ${agency.secret}`;
  };
  expect(failing(await check(agency, [leak]))).toEqual(['secrets']);
});
