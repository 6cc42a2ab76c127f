import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { findService } from '../../src/cli/service/find.ts';
import { nowInSeconds } from '../../src/lib/time/time.ts';
import { runIn } from '../support/processes/command-line.ts';
import { openLocalPlatform } from '../support/processes/platform.ts';
import { Project, type Running, runningProcesses } from '../support/processes/project.ts';

const project = new Project();
const config = join(project.directory, 'wrangler.toml');
const settingsFile = join(project.directory, '.dev.vars');

// Identifiers of their own for the local database and store, in addition to those of the deployed ones.
writeFileSync(
  config,
  readFileSync(config, 'utf8')
    .replace('binding = "DB"', 'binding = "DB"\npreview_database_id = "local-database"')
    .replace('binding = "SNAPSHOTS"', 'binding = "SNAPSHOTS"\npreview_id = "local-store"'),
);

afterAll(() => project.remove());

/** `npm start` on a directory of state and a port. */
function start(state: string, port: number, ...more: string[]): Running {
  const ports = ['--port', String(port), '--inspector-port', '0'];
  return project.run('npm', 'start', '--', ...ports, '--persist-to', state, ...more);
}

const open = (state: string) => openLocalPlatform(config, join(project.directory, state));

/**
 * What a command prints about a service, whose key it finds. It runs in this process, which takes
 * less time than starting another.
 */
async function lindero(url: string, ...args: string[]): Promise<unknown> {
  const context = {
    directory: project.directory,
    now: nowInSeconds,
    service: () => findService(project.directory, { url }, {}),
    wrangler: () => Promise.reject(new Error('This command does not need wrangler')),
  };
  const { out, err } = await runIn(context, [...args, '--json'], '');
  return JSON.parse(out || err);
}

/** Asks a service as its operator. */
async function ask(origin: string, path: string, init: RequestInit = {}): Promise<Response> {
  const { key } = await findService(project.directory, { url: origin }, {});
  const headers = { ...init.headers, Authorization: `Bearer ${key}` };
  return fetch(`${origin}${path}`, { ...init, headers });
}

/** The portfolio of an account, with when each property has changed. */
async function portfolio(origin: string, account: string): Promise<string> {
  return (await ask(origin, `/v1/export?account=${account}`)).text();
}

/** Without the times of changes, and without the address of the service. */
function undated(exported: string, origin: string): string {
  return exported
    .replaceAll(/"updated_at":"[^"]*"/g, '"updated_at":""')
    .replaceAll(origin, 'ORIGIN');
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((done) =>
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    }),
  );
}

/** The commands that `npm start` prints once it is ready: the feeds, and a script that gets a token and updates a unit. */
async function offerOf(
  running: Running,
): Promise<{ origin: string; feeds: string[]; update: string }> {
  await running.prints(/update-by-name\n/);
  const feeds = [...running.output.matchAll(/^ {2}curl '(\S+)'$/gm)].map(([, url]) => url!);
  const update = [...running.output.matchAll(/^ {2}((?:TOKEN=|curl -H).*)$/gm)]
    .map(([, line]) => line)
    .join('\n');
  return { origin: new URL(feeds[0]!).origin, feeds, update };
}

/** All pictures in a feed are at the origin that serves it, and the first is a JPEG file. */
async function expectPictures(xml: string, origin: string): Promise<void> {
  const urls = [...xml.matchAll(/<url>([^<]*\/demo\/pictures\/[^<]*)<\/url>/g)].map(
    ([, url]) => url!,
  );
  expect(new Set(urls.map((url) => new URL(url).origin))).toEqual(new Set([origin]));
  const picture = await fetch(urls[0]!);
  const start = new Uint8Array(await picture.arrayBuffer()).slice(0, 3);
  expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
  expect([...start]).toEqual([0xff, 0xd8, 0xff]);
}

/** Parameters whose values only responses give, and those of what the documented PUT creates. */
const GIVEN_LATER = /\{(digest|import_id|operation|source|webhook)\}/;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
  readonly schema?: { readonly example?: string };
}

/** The reads that the document names objects for which the service does not have. */
async function missingExamples(origin: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    paths: Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>;
  };
  const reads = Object.entries(paths).flatMap(([path, { get }]) => {
    const inPath = get?.parameters?.filter((one) => one.in === 'path') ?? [];
    const named = inPath.reduce(
      (all, { name, example, schema }) =>
        all.replace(`{${name}}`, encodeURIComponent(example ?? schema?.example ?? '')),
      path,
    );
    return inPath.length === 0 || GIVEN_LATER.test(path) ? [] : [named];
  });
  expect(reads.length).toBeGreaterThan(8);
  const answers = reads.map(async (path) => {
    const account = /^\/v1\/(?!operator)/.test(path) ? '?account=DEMO' : '';
    const { status } = await ask(origin, `${path}${account}`);
    return status === 200 ? [] : [`${path} ${status}`];
  });
  return (await Promise.all(answers)).flat();
}

/** The contents of a state directory. */
async function contents(
  state: string,
): Promise<{ accounts: unknown[]; properties: unknown; price: unknown; walked: unknown }> {
  await using platform = await open(state);
  const { DB } = platform.env;
  const accounts = await DB.prepare('SELECT code FROM accounts ORDER BY code').all();
  const properties = await DB.prepare('SELECT count(*) AS n FROM properties').first('n');
  const own = "account_id = (SELECT id FROM accounts WHERE code = 'DEMO')";
  const price = await DB.prepare(`SELECT price FROM units WHERE name = 'A-101' AND ${own}`).first(
    'price',
  );
  const walked = await DB.prepare("SELECT after_id FROM walks WHERE task = 'demo'").first(
    'after_id',
  );
  return { walked, accounts: accounts.results.map(({ code }) => code), properties, price };
}

/** Leaves what a start that was killed would: DEMO has not been imported yet, and the import of OTHER has not ended. */
async function leaveIncomplete(state: string): Promise<void> {
  await using platform = await open(state);
  const { DB } = platform.env;
  const own = (code: string) => `account_id = (SELECT id FROM accounts WHERE code = '${code}')`;
  const statements = [
    `DELETE FROM properties WHERE ${own('DEMO')}`,
    `DELETE FROM imports WHERE ${own('DEMO')}`,
    "UPDATE walks SET after_id = 0 WHERE task = 'demo'",
    `DELETE FROM properties WHERE ${own('OTHER')} AND number > 5`,
    `UPDATE imports SET state = 'failed', code = 'interrupted' WHERE ${own('OTHER')}`,
  ];
  for (const statement of statements) await DB.prepare(statement).run();
}

let settings: string;
/** The portfolio of DEMO, and the address at which it was exported. */
let exported: string;
let first: string;

test('npm start with an empty state directory: the printed feeds and their pictures are 200, and the next feed shows the update', async () => {
  const running = start('one', await freePort());
  const { origin, feeds, update } = await offerOf(running);
  expect(running.output.match(/^Created .*$/gm)?.toSorted()).toEqual([
    'Created demo account DEMO.',
    'Created demo account OTHER.',
  ]);
  expect(feeds).toHaveLength(7);
  const [idealista] = feeds.splice(5, 1);
  expect(await (await fetch(idealista!)).json()).toMatchObject({
    customerProperties: expect.arrayContaining([
      expect.objectContaining({ propertyReference: 'CS-1001' }),
    ]),
  });
  const documents = await Promise.all(feeds.map(async (url) => (await fetch(url)).text()));
  expect(documents.map((xml) => /<feed_version>(\d)</.exec(xml)?.[1])).toEqual([
    '1',
    '2',
    '3',
    '3',
    '3',
    '3',
  ]);
  expect(documents.map((xml) => xml.includes('<kyero>'))).toEqual([
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
  expect(documents[3]).toContain('<de>');
  await expectPictures(documents[2]!, origin);

  expect(documents[2]).not.toContain('<price>315000</price>');
  const { stdout } = await promisify(execFile)('bash', ['-c', update]);
  expect(JSON.parse(stdout)).toMatchObject({ UntName: 'A-101', UntPrice: 315000 });
  expect(await (await fetch(feeds[2]!)).text()).toContain('<price>315000</price>');

  settings = readFileSync(settingsFile, 'utf8');
  const secret = String.raw`[\w-]{43}`;
  expect(settings).toMatch(
    new RegExp(
      String.raw`^# mine\nMINE=1\nSIGNING_KEYS='\{"keys":\[\{.*\}\]\}'\n` +
        `SESSION_KEY=${secret}\\nSEALING_KEY=${secret}\\nOPERATOR_KEY=${secret}\\n$`,
    ),
  );
  expect(statSync(settingsFile).mode & 0o777).toBe(0o600);

  expect(await lindero(origin, 'doctor')).toMatchObject({ ok: true });
  expect(await missingExamples(origin)).toEqual([]);
  const listed = await lindero(origin, 'snapshot', 'list', '--account', 'DEMO');
  const { snapshots } = listed as { snapshots: { key: string }[] };
  [first, exported] = [origin, await portfolio(origin, 'DEMO')];

  const pids = running.processes().map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(3);
  running.terminate();
  await running.exit;
  expect(runningProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);

  const wrangler = [
    'node',
    'node_modules/wrangler/bin/wrangler.js',
    'kv',
    'key',
    'list',
    '--binding',
    'SNAPSHOTS',
  ];
  const listing = project.run('env', ...wrangler, '--preview', '--local', '--persist-to', 'one');
  expect(await listing.exit).toBe(0);
  const keys = [...listing.output.matchAll(/"name": "([^"]+)"/g)].map(([, key]) => key!);
  expect(snapshots.length).toBeGreaterThan(0);
  expect(keys).toEqual(expect.arrayContaining(snapshots.map(({ key }) => key)));
});

test('a command while nothing is started: exit code 1, the address, and what to do', async () => {
  const origin = `http://localhost:${await freePort()}`;
  expect(await lindero(origin, 'account', 'list')).toEqual({
    error: {
      code: 'no_service',
      message: `Nothing answers at ${origin}. Start it with npm start.`,
    },
  });
});

const isIPv6Ready = Object.values(networkInterfaces()).some((all) =>
  all!.some(({ address }) => address === '::1'),
);

test('npm start again, at another port and an IPv6 address: only the pictures move there, and a second start there says why it ends; 413 for a body that is too large, and the next request succeeds', async () => {
  const before = await contents('one');
  expect(before).toMatchObject({ accounts: ['DEMO', 'OTHER'], price: 315000 });
  const port = await freePort();
  const address = isIPv6Ready ? ['--ip', '::1'] : [];
  const running = start('one', port, ...address);
  const { origin, feeds } = await offerOf(running);
  expect(origin).toBe(`http://${isIPv6Ready ? '[::1]' : 'localhost'}:${port}`);
  const second = start('one', port, ...address);
  expect([await second.exit, second.output]).toEqual([
    1,
    expect.stringContaining('Address already in use'),
  ]);
  const body = new Blob(['x'.repeat(20_000)]).stream();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const request = { method: 'POST', headers: form, body, duplex: 'half' } as RequestInit;
  const tooLarge = await fetch(`${origin}/oauth/token`, request);
  expect([
    tooLarge.status,
    (await fetch(`${origin}/oauth/token`, { method: 'POST' })).status,
  ]).toEqual([413, 400]);
  const document = await (await fetch(feeds[2]!)).text();
  expect(document).toContain('<price>315000</price>');
  await expectPictures(document, origin);
  expect(readFileSync(settingsFile, 'utf8')).toBe(settings);
  expect(running.output).not.toMatch(/^(Added|Applied|Created)/m);
  const moved = await portfolio(origin, 'DEMO');
  expect(undated(moved, origin)).toBe(undated(exported, first));
  [first, exported] = [origin, moved];
  running.interrupt();
  await running.exit;
  expect(await contents('one')).toEqual(before);
});

test('npm start twice at the same address: the second changes nothing', async () => {
  const port = Number(new URL(first).port);
  const running = start('one', port, ...(isIPv6Ready ? ['--ip', '::1'] : []));
  const { origin } = await offerOf(running);
  expect(origin).toBe(first);
  expect(running.output).not.toMatch(/^(Added|Applied|Created)/m);
  expect(await portfolio(origin, 'DEMO')).toBe(exported);
  const { imports } = (await (await ask(origin, '/v1/imports?account=DEMO')).json()) as {
    imports: object[];
  };
  // The first start's, two of the demo's events, and the one that has moved the pictures.
  expect(imports).toHaveLength(4);
  expect(readFileSync(settingsFile, 'utf8')).toBe(settings);
  running.interrupt();
  await running.exit;
});

test('npm start on port 0: an error, since the URLs of the pictures are written before the port is known', async () => {
  const running = start('none', 0);
  expect([await running.exit, running.output]).toEqual([
    2,
    expect.stringContaining('--port must not be 0'),
  ]);
  expect(existsSync(join(project.directory, 'none'))).toBe(false);
});

test('npm run setup, killed during the migrations: the next one completes the state', async () => {
  const setUp = (...more: string[]) =>
    project.run('npm', 'run', '-s', 'setup', '--', '--persist-to', 'two', ...more);
  const killed = setUp();
  await killed.prints(/Applied migration 0001/);
  killed.kill();
  await killed.exit;
  const next = setUp('--json');
  expect(await next.exit).toBe(0);
  expect(JSON.parse(next.output)).toMatchObject({ settings: [], migrations: expect.any(Array) });
  const last = setUp('--json');
  expect(await last.exit).toBe(0);
  expect(JSON.parse(last.output)).toEqual({ settings: [], migrations: [] });
});

interface Import {
  readonly state: string;
}

/** The imports of DEMO; none while nothing answers. */
async function importsOf(origin: string): Promise<readonly Import[]> {
  const response = await ask(origin, '/v1/imports?account=DEMO').catch(() => null);
  if (response?.status !== 200) return [];
  return ((await response.json()) as { imports: readonly Import[] }).imports;
}

test('npm start, killed as soon as an import has begun, and again once the portfolio is there: the next one completes both agencies and their past', async () => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const beginning = start('three', port);
  await vi.waitUntil(async () => (await importsOf(origin)).length > 0, {
    timeout: 120_000,
    interval: 20,
  });
  beginning.kill();
  await beginning.exit;

  const further = start('three', port);
  // Where the first was killed late, it has nothing left to create.
  await further.prints(/Created demo account DEMO|update-by-name\n/);
  further.kill();
  await further.exit;

  const last = start('three', port);
  await offerOf(last);
  const states = (await importsOf(origin)).map(({ state }) => state);
  expect(states.filter((state) => state !== 'cancelled' && state !== 'finished')).toEqual([]);
  const [one, three] = [await contents('one'), await contents('three')];
  expect(three).toMatchObject({ accounts: one.accounts, properties: one.properties });
  expect(three.price).not.toBe(one.price);
  expect([three.walked, one.walked]).toEqual([expect.any(Number), three.walked]);
  last.interrupt();
  await last.exit;
});

test('npm start, killed before it has imported one demo agency and while it imports the other: the next one completes both', async () => {
  const port = await freePort();
  const whole = start('two', port);
  const { origin } = await offerOf(whole);
  whole.interrupt();
  await whole.exit;
  await leaveIncomplete('two');

  const running = start('two', port);
  await offerOf(running);
  expect(running.output).toContain('Created demo account DEMO.');
  const counted = (await lindero(origin, 'account', 'list')) as {
    accounts: { code: string; properties: number }[];
  };
  const [one, two] = [await contents('one'), await contents('two')];
  expect(two).toMatchObject({ accounts: one.accounts, properties: one.properties });
  expect(two.price).not.toBe(one.price);
  expect(counted.accounts).toMatchObject([{ code: 'DEMO', properties: 76 }, { code: 'OTHER' }]);

  // Every property of the demo agency is created, and nothing is rejected or interpreted.
  expect(await lindero(origin, 'account', 'create', 'COPY', '--name', 'Copy')).toMatchObject({
    code: 'COPY',
  });
  expect(
    await lindero(origin, 'import', resolve('src/demo/demo.ndjson'), '--account', 'COPY'),
  ).toMatchObject({
    properties: { created: 76, rejected: 0 },
    developments: { created: 3 },
    units: { created: 60 },
    interpreted: [],
    ignored: [],
    rejected_records: [],
  });
  running.interrupt();
  await running.exit;
});
