import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openLocalPlatform } from '../../src/cli/platform/platform.ts';
import { nowInSeconds } from '../../src/lib/time/time.ts';
import { runIn } from '../support/processes/command-line.ts';
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

/** What a command prints on the state `one`. It runs in this process, which takes less time than starting another. */
async function lindero(...args: string[]): Promise<unknown> {
  const unused = () => Promise.reject(new Error('This command needs neither an address nor wrangler'));
  const context = { directory: project.directory, now: nowInSeconds, origin: unused, wrangler: unused };
  const { out, err } = await runIn({ ...context, open: () => open('one') }, [...args, '--json'], '');
  return JSON.parse(out || err);
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
async function offerOf(running: Running): Promise<{ origin: string; feeds: string[]; update: string }> {
  await running.prints(/update-by-name\n/);
  const feeds = [...running.output.matchAll(/^ {2}curl '(\S+)'$/gm)].map(([, url]) => url!);
  const update = [...running.output.matchAll(/^ {2}((?:TOKEN=|curl -H).*)$/gm)].map(([, line]) => line).join('\n');
  return { origin: new URL(feeds[0]!).origin, feeds, update };
}

/** All pictures in a feed are at the origin that serves it, and the first is a JPEG file. */
async function expectPictures(xml: string, origin: string): Promise<void> {
  const urls = [...xml.matchAll(/<url>([^<]*\/demo\/pictures\/[^<]*)<\/url>/g)].map(([, url]) => url!);
  expect(new Set(urls.map((url) => new URL(url).origin))).toEqual(new Set([origin]));
  const picture = await fetch(urls[0]!);
  const start = new Uint8Array(await picture.arrayBuffer()).slice(0, 3);
  expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
  expect([...start]).toEqual([0xff, 0xd8, 0xff]);
}

/** The contents of a state directory. */
async function contents(state: string): Promise<{ accounts: unknown[]; properties: unknown; price: unknown }> {
  await using platform = await open(state);
  const { DB } = platform.env;
  const accounts = await DB.prepare('SELECT code FROM accounts ORDER BY code').all();
  const properties = await DB.prepare('SELECT count(*) AS n FROM properties').first('n');
  const price = await DB.prepare("SELECT price FROM units WHERE name = 'A-101' ORDER BY id").first('price');
  return { accounts: accounts.results.map(({ code }) => code), properties, price };
}

let settings: string;

test('npm start with an empty state directory: the printed feeds and their pictures are 200, and the next feed shows the update', async () => {
  const running = start('one', await freePort());
  const { origin, feeds, update } = await offerOf(running);
  expect(feeds).toHaveLength(7);
  const [idealista] = feeds.splice(5, 1);
  expect(await (await fetch(idealista!)).json()).toMatchObject({
    customerProperties: expect.arrayContaining([expect.objectContaining({ propertyReference: 'CS-1001' })]),
  });
  const documents = await Promise.all(feeds.map(async (url) => (await fetch(url)).text()));
  expect(documents.map((xml) => /<feed_version>(\d)</.exec(xml)?.[1])).toEqual(['1', '2', '3', '3', '3', '3']);
  expect(documents.map((xml) => xml.includes('<kyero>'))).toEqual([false, false, false, false, true, false]);
  expect(documents[3]).toContain('<de>');
  await expectPictures(documents[2]!, origin);

  expect(documents[2]).not.toContain('<price>315000</price>');
  const { stdout } = await promisify(execFile)('bash', ['-c', update]);
  expect(JSON.parse(stdout)).toMatchObject({ UntName: 'A-101', UntPrice: 315000 });
  expect(await (await fetch(feeds[2]!)).text()).toContain('<price>315000</price>');

  settings = readFileSync(settingsFile, 'utf8');
  expect(settings).toMatch(
    /^# mine\nMINE=1\nSIGNING_KEYS='\{"keys":\[\{.*\}\]\}'\nSESSION_KEY=[\w-]{43}\nSEALING_KEY=[\w-]{43}\n$/,
  );
  expect(statSync(settingsFile).mode & 0o777).toBe(0o600);

  const pids = running.processes().map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(3);
  running.terminate();
  await running.exit;
  expect(runningProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);
});

test('commands afterwards: they find the data and the snapshots that wrangler finds, and nothing is wrong', async () => {
  expect(await lindero('doctor')).toMatchObject({ ok: true });
  const { snapshots } = (await lindero('snapshot', 'list', '--account', 'DEMO')) as { snapshots: { key: string }[] };
  const wrangler = ['node', 'node_modules/wrangler/bin/wrangler.js', 'kv', 'key', 'list', '--binding', 'SNAPSHOTS'];
  const running = project.run('env', ...wrangler, '--preview', '--local', '--persist-to', 'one');
  expect(await running.exit).toBe(0);
  const keys = [...running.output.matchAll(/"name": "([^"]+)"/g)].map(([, key]) => key!);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys).toEqual(expect.arrayContaining(snapshots.map(({ key }) => key)));
});

const isIPv6Ready = Object.values(networkInterfaces()).some((all) => all!.some(({ address }) => address === '::1'));

test('npm start again, with a port and an IPv6 address: the data stays the same, pictures load from it, and a second start there says why it ends; 413 for a body that is too large, and the next request succeeds', async () => {
  const before = await contents('one');
  expect(before).toMatchObject({ accounts: ['DEMO', 'OTHER'], price: 315000 });
  const port = await freePort();
  const address = isIPv6Ready ? ['--ip', '::1'] : [];
  const running = start('one', port, ...address);
  const { origin, feeds } = await offerOf(running);
  expect(origin).toBe(`http://${isIPv6Ready ? '[::1]' : 'localhost'}:${port}`);
  const second = start('one', port, ...address);
  expect([await second.exit, second.output]).toEqual([1, expect.stringContaining('Address already in use')]);
  const body = new Blob(['x'.repeat(20_000)]).stream();
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const request = { method: 'POST', headers: form, body, duplex: 'half' } as RequestInit;
  const tooLarge = await fetch(`${origin}/oauth/token`, request);
  expect([tooLarge.status, (await fetch(`${origin}/oauth/token`, { method: 'POST' })).status]).toEqual([413, 400]);
  const document = await (await fetch(feeds[2]!)).text();
  expect(document).toContain('<price>315000</price>');
  await expectPictures(document, origin);
  expect(readFileSync(settingsFile, 'utf8')).toBe(settings);
  expect(running.output).not.toMatch(/^(Added|Applied|Created)/m);
  running.interrupt();
  await running.exit;
  expect(await contents('one')).toEqual(before);
});

test('npm start on port 0: an error, since the URLs of the pictures are written before the port is known', async () => {
  const running = start('none', 0);
  expect([await running.exit, running.output]).toEqual([2, expect.stringContaining('--port must not be 0')]);
  expect(existsSync(join(project.directory, 'none'))).toBe(false);
});

test('npm run setup, killed during the migrations and again during the demo data: the next one completes the state', async () => {
  const setUp = (...more: string[]) => project.run('npm', 'run', '-s', 'setup', '--', '--persist-to', 'two', ...more);
  for (const moment of [/Applied migration 0001/, /Created demo account DEMO/]) {
    const running = setUp();
    await running.prints(moment);
    running.kill();
    await running.exit;
  }
  const last = setUp('--json');
  expect(await last.exit).toBe(0);
  expect(JSON.parse(last.output)).toMatchObject({ settings: [], migrations: [] });
  const [one, two] = [await contents('one'), await contents('two')];
  expect(two).toMatchObject({ accounts: one.accounts, properties: one.properties });
  expect(two.price).not.toBe(one.price);
});

test('lindero import of the demo agency: every property is created, and nothing is rejected or interpreted', async () => {
  expect(await lindero('account', 'create', 'COPY', '--name', 'Copy')).toMatchObject({ code: 'COPY' });
  expect(await lindero('import', resolve('src/demo/demo.ndjson'), '--account', 'COPY')).toMatchObject({
    properties: { created: 76, rejected: 0 },
    developments: { created: 3 },
    units: { created: 60 },
    interpreted: [],
    ignored: [],
    rejected_records: [],
  });
});
