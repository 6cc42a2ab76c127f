import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateSigningKey } from '../../src/oauth/own-keys.ts';
import { PASSWORD } from '../support/accounts/open-account.ts';
import { property, VOCABULARY } from '../support/accounts/portfolio.ts';
import { kyeroFeed, kyeroRecord } from '../support/documents/kyero.ts';
import { png } from '../support/documents/pictures.ts';
import { type Listening, listen } from '../support/network/listen.ts';
import { freePort, Inspector, inspectedRuntime } from '../support/processes/inspector.ts';
import { type Operator, startOperator } from '../support/processes/operator.ts';

let operator: Operator;
let server: Listening;
let origin: string;
/** How the server of the source answers, and what it has been asked. */
let answer: RequestListener;
let requests: IncomingMessage[];
let accounts = 0;
let account: string;

/** Properties of the files of which all ways of importing must make the same: `npm run test:import` has more. */
const COUNT = Number(process.env.IMPORT_PROPERTIES ?? 40);
const IS_LARGE = COUNT > 1_000;

/** Megabytes of live memory that the Worker's isolate may need meanwhile. */
const MAX_MEGABYTES = 100;

let inspectorPort: number;

beforeAll(async () => {
  if (IS_LARGE) {
    inspectorPort = await freePort();
    process.env.MINIFLARE_WORKERD_PATH = inspectedRuntime(
      await mkdtemp(join(tmpdir(), 'lindero-import-')),
      inspectorPort,
    );
  }
  const SIGNING_KEYS = JSON.stringify({ keys: [await generateSigningKey()] });
  operator = await startOperator({ SIGNING_KEYS, LOCAL_ADDRESSES: 'allowed' });
  server = await listen((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  origin = server.origin;
});

afterAll(async () => {
  await operator.stop();
  await server.stop();
});

beforeEach(async () => {
  requests = [];
  account = await newAccount();
});

async function newAccount(): Promise<string> {
  const code = `SOURCED${++accounts}`;
  await operator.json(['account', 'create', code, '--password-stdin'], PASSWORD);
  return code;
}

const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
const feedOf = (ids: readonly number[], beds = '3') =>
  kyeroFeed(ids.map((id) => kyeroRecord(`P${id}`, { beds })));

function serve(text: string | Uint8Array, headers: Record<string, string> = {}): void {
  answer = (_, response) => response.writeHead(200, headers).end(text);
}

// biome-ignore lint/suspicious/noExplicitAny: what commands print
type Printed = any;

/** A digest of what an account has: an export of a large one is as large as the file. */
async function digestOf(code: string): Promise<string> {
  return createHash('sha256')
    .update(await exported(code))
    .digest('hex');
}

function source(verb: string, args: readonly string[] = [], exit = 0): Promise<Printed> {
  return operator.json(['source', verb, ...args, '--account', account], '', exit);
}

function putSource(name = 'crm', path = '/feed.xml', ...more: string[]): Promise<Printed> {
  return source('put', [name, '--address', origin + path, '--every', 'day', ...more]);
}

async function exported(code: string): Promise<string> {
  const { out } = await operator.run(['export', '--account', code]);
  return out.replaceAll(/"updated_at":"[^"]*"/g, '');
}

/** The work, and what the isolate needs at most while a feed is read again and again, which must stay the same. */
async function watched<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!IS_LARGE) return work();
  const code = await newAccount();
  await operator.json([
    'import',
    await operator.file('small.xml', feedOf(numbers)),
    '--account',
    code,
  ]);
  const query = `U=OWNPROPERTIES@${code}&P=${PASSWORD}&FV=3`;
  const before = await operator.feed(query);
  const inspector = await Inspector.connect(inspectorPort);
  const taken: number[] = [];
  let isDone = false;
  const measuring = (async () => {
    while (!isDone) {
      const live = inspector.liveMegabytes(() => fetch(new URL('/nothing', operator.server.url)));
      // On a busy machine the inspector may miss its time limit: other samples count then.
      taken.push(...(await live.then((megabytes) => [megabytes]).catch(() => [])));
      expect(await operator.feed(query)).toBe(before);
    }
  })();
  const began = performance.now();
  const result = await work().finally(() => {
    isDone = true;
  });
  const seconds = (performance.now() - began) / 1_000;
  await measuring.finally(() => inspector.close());
  console.info(
    `${seconds.toFixed(0)} s; live memory at most ${Math.max(...taken).toFixed(0)} MB, ${taken.length} times`,
  );
  expect(taken).not.toEqual([]);
  expect(Math.max(...taken)).toBeLessThan(MAX_MEGABYTES);
  return result;
}

const many = Array.from({ length: COUNT }, (_, index) => index + 1);
const description = 'A villa close to the sea, with terraces, a pool and a garden. '.repeat(60);
const kyero = kyeroFeed(
  many.map((id) =>
    kyeroRecord(`P${id}`, { beds: `${id % 9}`, desc: `<en>${description} ${id}</en>` }),
  ),
);

describe.each([
  ['Kyero', kyero],
  [
    'ReSales-Online',
    kyero
      .replaceAll(/<(\/?)date>/g, '<$1last_updated>')
      .replaceAll(/<(\/?)desc>/g, '<$1description>')
      .replaceAll(/<(\/?)en>/g, '<$1uk>')
      .replace(/<kyero>.*<\/kyero>/, ''),
  ],
  [
    'NDJSON',
    [
      ...VOCABULARY,
      ...many.map((id) =>
        property(`P${id}`, { texts: { uk: { description: `${description} ${id}` } } }),
      ),
    ]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  ],
])('%s', (format, file) => {
  test('the same rows and the same report by import, gzipped, by URL, and as a source', async () => {
    const path = await operator.file(`feed-${format}`, file);
    const expected = await operator.json<Printed>([
      'import',
      path,
      '--replace',
      '--account',
      account,
    ]);
    expect(expected.properties).toMatchObject({ read: COUNT, created: COUNT });
    if (IS_LARGE)
      console.info(`${format}: ${COUNT} properties, ${(file.length / 1e6).toFixed(1)} MB`);
    serve(file);
    const zipped = await operator.file(`feed-${format}.gz`, gzipSync(file));
    const rows = await digestOf(account);
    for (const input of format === 'Kyero' ? [zipped, `${origin}/feed.xml`] : [zipped]) {
      const code = await newAccount();
      const args = ['import', input, '--replace', '--account', code];
      expect(await watched(() => operator.json(args))).toEqual(expected);
      expect(await digestOf(code)).toEqual(rows);
    }
    account = await newAccount();
    await putSource();
    expect(await watched(() => source('run', ['crm']))).toEqual(expected);
    expect(await digestOf(account)).toEqual(rows);
  }, 3_600_000);
});

test('a file that stays the same: 304, nothing is imported; that changes: imported', async () => {
  answer = (request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { ETag: '"1"' }).end(feedOf(numbers));
  };
  await putSource();
  expect(await source('run', ['crm'])).toMatchObject({ properties: { created: 40 } });
  expect(await source('run', ['crm'])).toEqual({ not_modified: true });
  serve(feedOf(numbers, '4'), { ETag: '"2"' });
  expect(await source('run', ['crm'])).toMatchObject({ properties: { updated: 40 } });
  const { imports } = await source('runs', ['crm']);
  expect(imports.map(({ state }: Printed) => state)).toEqual(['finished', 'unchanged', 'finished']);
});

test('--copy-pictures: the pictures of what it imports are copied, served from here, and stay when it runs again', async () => {
  const file = png(90, 60);
  const named = (id: string, path: string) =>
    kyeroRecord(id, { images: `<image id="1"><url>${origin}${path}</url></image>` });
  answer = ({ url }, response) => {
    if (url === '/feed.xml')
      response.end(kyeroFeed([named('P1', '/1.png'), named('P2', '/2.png')]));
    else if (url === '/1.png') response.end(file);
    else response.writeHead(404).end();
  };
  const copied = await putSource('crm', '/feed.xml', '--copy-pictures');
  expect(copied.copy_pictures).toBe(true);
  await source('run', ['crm']);
  const pictures = async () => {
    const { out } = await operator.run(['export', '--account', account]);
    const documents = out.split('\n').filter((line) => line !== '');
    const all = documents.map((line): Printed => JSON.parse(line));
    return Object.fromEntries(
      all.flatMap((one) => (one.kind === 'property' ? [[one.id, one.pictures]] : [])),
    );
  };
  const ours = new RegExp(`^${operator.server.url.origin}/pictures/${account}/`);
  const expected = {
    P1: [
      expect.objectContaining({ url: expect.stringMatching(ours), copied_from: `${origin}/1.png` }),
    ],
    P2: [`${origin}/2.png`],
  };
  await expect.poll(pictures, { timeout: 30_000 }).toEqual(expected);
  const { P1 } = await pictures();
  expect((await fetch(P1[0].url)).headers.get('Content-Type')).toBe('image/jpeg');
  await source('run', ['crm']);
  expect(await pictures()).toEqual(expected);
  expect(requests.filter(({ url }) => url === '/1.png').length).toBe(1);
});

test('credentials in the URL: sent as Basic, stored encrypted, and shown as ***', async () => {
  serve(feedOf(numbers));
  const url = `${origin.replace('//', '//user:mark-password@')}/feed.xml?P=mark-query`;
  const shown = `${origin.replace('//', '//***@')}/feed.xml?P=***`;
  expect(await source('put', ['crm', '--address', url, '--every', 'hour'])).toMatchObject({
    url: shown,
  });
  await source('run', ['crm']);
  const [{ headers, url: path }] = requests as [IncomingMessage];
  expect([headers.authorization, path]).toEqual([
    `Basic ${btoa('user:mark-password')}`,
    '/feed.xml?P=mark-query',
  ]);
  const tables = ['sources', 'imports'].map((table) =>
    operator.server.db.prepare(`SELECT * FROM ${table}`).all(),
  );
  expect(JSON.stringify(await Promise.all(tables))).not.toContain('mark-');
  // As it was shown, the URL stays the same.
  await source('put', ['crm', '--address', shown, '--every', 'week']);
  await source('run', ['crm']);
  expect(requests.at(-1)!.headers.authorization).toBe(headers.authorization);
});

test('source put with another URL in which *** hides a secret: invalid_fields, and the source keeps its own', async () => {
  serve(feedOf(numbers));
  const { url } = await putSource('crm', '/feed.xml?P=mark-query');
  expect(url).toBe(`${origin}/feed.xml?P=***`);
  for (const masked of [
    `${origin}/moved.xml?P=***`,
    `${origin.replace('//', '//user:***@')}/feed.xml`,
  ]) {
    expect(await source('put', ['crm', '--address', masked, '--every', 'day'], 2)).toMatchObject({
      error: { code: 'invalid_fields', message: expect.stringContaining('*** hides') },
    });
  }
  await source('run', ['crm']);
  expect(requests.at(-1)!.url).toBe('/feed.xml?P=mark-query');
});

test('a server that fails, or a file that is wrong: nothing is changed, the run says why, and it is repeated later', async () => {
  serve(feedOf(numbers));
  await putSource();
  await source('run', ['crm']);
  const before = await exported(account);
  const failures: [code: string, answer: typeof answer][] = [
    ['bad_status', (_, response) => response.writeHead(500).end('no')],
    ['not_reachable', (_, response) => response.destroy()],
    [
      'incomplete',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '100000' });
        response.write(feedOf(numbers), () => response.destroy());
      },
    ],
    ['bad_file', (_, response) => response.end(feedOf(numbers).slice(0, -500))],
    ['bad_file', (_, response) => response.end()],
    [
      'unsupported_format',
      (_, response) => response.end('<!DOCTYPE html><html><body>Log in</body></html>'),
    ],
    // Redirects without an end.
    ['bad_status', (_, response) => response.writeHead(302, { Location: '/again' }).end()],
  ];
  for (const [index, [code, fails]] of failures.entries()) {
    answer = fails;
    expect(await source('run', ['crm'], 1)).toMatchObject({ error: { code } });
    const { sources } = await source('list');
    expect(sources).toMatchObject([{ failures: index + 1, last_run: { state: 'failed' } }]);
    const delay = Date.parse(sources[0].next_run_at) - Date.now();
    expect(delay).toBeGreaterThan(0);
    if (index === 0) expect(delay).toBeLessThanOrEqual(300_000);
  }
  expect(await exported(account)).toBe(before);
});

test('a file without half of the properties: held until it is approved', async () => {
  serve(feedOf(numbers));
  await putSource();
  await source('run', ['crm']);
  serve(feedOf(numbers.slice(0, 20)));
  const before = await exported(account);
  expect(await source('run', ['crm'], 1)).toMatchObject({ error: { code: 'too_many_withdrawn' } });
  expect(await exported(account)).toBe(before);
  const { id } = await source('approve', ['crm']);
  await expect
    .poll(async () => (await source('runs', ['crm'])).imports[0])
    .toMatchObject({ id, state: 'finished' });
  expect((await exported(account)).match(/"status":"Withdrawn"/g)).toHaveLength(20);
});

test('a file without properties: held even if all may be withdrawn, until it is cancelled or approved', async () => {
  serve(feedOf([1, 2]));
  await putSource('crm', '/feed.xml', '--max-withdrawn', '100');
  await source('run', ['crm']);
  serve(feedOf([]));
  const error = {
    code: 'too_many_withdrawn',
    message: expect.stringContaining('2 of 2 listed properties are not'),
  };
  expect(await source('run', ['crm'], 1)).toMatchObject({ error });
  expect(await source('cancel', ['crm'])).toMatchObject({ state: 'cancelled' });
  expect((await operator.run(['source', 'approve', 'crm', '--account', account])).err).toContain(
    'is not held',
  );
  expect(await source('run', ['crm'], 1)).toMatchObject({ error });
  const { id } = await source('approve', ['crm']);
  await expect
    .poll(async () => (await source('runs', ['crm'])).imports[0])
    .toMatchObject({ id, state: 'finished' });
  expect((await exported(account)).match(/"status":"Withdrawn"/g)).toHaveLength(2);
});

test('several sources: each withdraws only what it had and no other has, and puts back only its own; delete keeps the properties', async () => {
  await putSource('a', '/a', '--max-withdrawn', '100', '--channel', 'coast');
  await putSource('b', '/b', '--max-withdrawn', '100');
  const own: Record<string, number[]> = { '/a': [1, 2, 3], '/b': [3, 4] };
  answer = (request, response) => response.end(feedOf(own[request.url!]!));
  const path = await operator.file('own.xml', feedOf([9]));
  await operator.json(['import', path, '--account', account]);
  await source('run', ['a']);
  await source('run', ['b']);
  const listed = async () => {
    const lines = (await exported(account))
      .split('\n')
      .filter((line) => line.includes('"kind":"property"'));
    return lines
      .map((line) => JSON.parse(line.replaceAll(/,,+/g, ',').replaceAll('{,', '{')))
      .filter(({ status }) => status !== 'Withdrawn')
      .map(({ id, channels }) => `${id} ${channels}`)
      .sort();
  };
  expect(await listed()).toEqual(['P1 coast', 'P2 coast', 'P3 coast', 'P4 ', 'P9 ']);
  own['/a'] = [2];
  expect(await source('run', ['a'])).toMatchObject({ properties: { withdrawn: 1 } });
  expect(await listed()).toEqual(['P2 coast', 'P3 ', 'P4 ', 'P9 ']);
  own['/b'] = [1];
  expect(await source('run', ['b'])).toMatchObject({ properties: { withdrawn: 2 } });
  // What another source has withdrawn stays off: whether it is sold or was moved, the files do not say.
  expect(await listed()).toEqual(['P2 coast', 'P9 ']);
  await source('delete', ['a']);
  expect(await listed()).toHaveLength(2);
  expect((await source('list')).sources).toMatchObject([{ name: 'b' }]);
});

test.each([
  [['--every', 'day', '--at', '25:00'], /^at: /],
  [['--every', 'week', '--at', '03:00'], /^at: /],
  [['--every', 'day', '--max-withdrawn', '101'], /^max_withdrawn: must be at most 100$/],
])('source put with %j: invalid_fields, %s', async (options, message) => {
  const args = ['crm', '--address', `${origin}/feed.xml`, ...options];
  const error = { code: 'invalid_fields', message: expect.stringMatching(message) };
  expect(await source('put', args, 2)).toEqual({ error });
  expect((await source('list')).sources).toEqual([]);
});
