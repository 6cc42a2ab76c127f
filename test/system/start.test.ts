import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { openLocalPlatform } from '../../src/cli/platform/local.ts';
import { Project, type Running, runningProcesses } from '../support/project.ts';

const project = new Project();

afterAll(() => project.remove());

/** `npm start` on a directory of state and a port, by default a free one. */
function start(state: string, port = 0): Running {
  const ports = ['--port', String(port), '--inspector-port', '0'];
  return project.run('npm', 'start', '--', ...ports, '--persist-to', state);
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

interface Offer {
  readonly origin: string;
  readonly feeds: readonly string[];
  /** A script that obtains a token and updates a unit. */
  readonly update: string;
}

/** The commands that `npm start` prints once it is ready. */
async function offerOf(running: Running): Promise<Offer> {
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
async function contents(state: string): Promise<{ accounts: string[]; properties: number; price: number | null }> {
  const { env, dispose } = await openLocalPlatform(
    join(project.directory, 'wrangler.toml'),
    join(project.directory, state),
  );
  try {
    const accounts = await env.DB.prepare('SELECT code FROM accounts ORDER BY code').all<{ code: string }>();
    const properties = await env.DB.prepare('SELECT count(*) AS n FROM properties').first<number>('n');
    const price = await env.DB.prepare("SELECT price FROM units WHERE name = 'A-101' ORDER BY id").first<number>(
      'price',
    );
    return { accounts: accounts.results.map(({ code }) => code), properties: properties ?? 0, price };
  } finally {
    await dispose();
  }
}

describe('npm start', () => {
  let settings: string;

  test('with an empty state directory: the printed feeds and their pictures are 200, and the next feed shows the update', async () => {
    const running = start('one');
    const { origin, feeds, update } = await offerOf(running);
    expect(feeds).toHaveLength(6);
    const documents = await Promise.all(feeds.map(async (url) => (await fetch(url)).text()));
    expect(documents.map((xml) => /<feed_version>(\d)</.exec(xml)?.[1])).toEqual(['1', '2', '3', '3', '3', '3']);
    expect(documents.map((xml) => xml.includes('<kyero>'))).toEqual([false, false, false, false, true, false]);
    expect(documents[3]).toContain('<de>');
    await expectPictures(documents[2]!, origin);

    expect(documents[2]).not.toContain('<price>315000</price>');
    const { stdout } = await promisify(execFile)('bash', ['-c', update]);
    expect(JSON.parse(stdout)).toMatchObject({ UntName: 'A-101', UntPrice: 315000 });
    expect(await (await fetch(feeds[2]!)).text()).toContain('<price>315000</price>');

    settings = readFileSync(join(project.directory, '.dev.vars'), 'utf8');
    expect(settings).toMatch(
      /^# mine\nMINE=1\nSIGNING_KEYS='\{"keys":\[\{.*\}\]\}'\nSESSION_KEY=[\w-]{43}\nSEALING_KEY=[\w-]{43}\n$/,
    );
    expect(statSync(join(project.directory, '.dev.vars')).mode & 0o777).toBe(0o600);

    const pids = running.processes().map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(3);
    running.terminate();
    await running.exit;
    expect(runningProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);
  });

  test('again, with a port: the data stays the same, pictures load from it, and a second start there says why it ends; 413 for a body that is too large, and the next request succeeds', async () => {
    const before = await contents('one');
    expect(before).toMatchObject({ accounts: ['DEMO', 'OTHER'], price: 315000 });
    const port = await freePort();
    const running = start('one', port);
    const { origin, feeds } = await offerOf(running);
    expect(origin).toBe(`http://localhost:${port}`);
    const second = start('one', port);
    expect([await second.exit, second.output]).toEqual([1, expect.stringContaining('Address already in use')]);
    const body = new Blob(['x'.repeat(20_000)]).stream();
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const request = { method: 'POST', headers: form, body, duplex: 'half' } as RequestInit;
    const tooLarge = await fetch(`${origin}/oauth/token`, request);
    expect([tooLarge.status, (await fetch(`${origin}/oauth/token`, { method: 'POST' })).status]).toEqual([413, 400]);
    const document = await (await fetch(feeds[2]!)).text();
    expect(document).toContain('<price>315000</price>');
    await expectPictures(document, origin);
    expect(readFileSync(join(project.directory, '.dev.vars'), 'utf8')).toBe(settings);
    expect(running.output).not.toMatch(/^(Added|Applied|Created)/m);
    running.interrupt();
    await running.exit;
    expect(await contents('one')).toEqual(before);
  });

  test('its setup, killed during the migrations and again during the demo data: the next one completes the state', async () => {
    const setUp = () => project.run('npm', 'run', 'setup', '--', '--persist-to', 'two');
    for (const moment of [/Applied migration 0001/, /Created demo account DEMO/]) {
      const running = setUp();
      await running.prints(moment);
      running.kill();
      await running.exit;
    }
    expect(await setUp().exit).toBe(0);
    const [one, two] = [await contents('one'), await contents('two')];
    expect(two).toMatchObject({ accounts: one.accounts, properties: one.properties });
    expect(two.price).not.toBe(one.price);
  });
});
