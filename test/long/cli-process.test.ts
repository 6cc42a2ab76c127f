import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findService } from '../../src/cli/service/find.ts';
import { newKeySet } from '../../src/cli/setup/secrets.ts';
import { nowInSeconds } from '../../src/lib/time/time.ts';
import { kyeroFeed, kyeroRecord } from '../support/documents/kyero.ts';
import { startFaultyProxy } from '../support/network/faulty-proxy.ts';
import { listen } from '../support/network/listen.ts';
import { type Ran, runIn } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';

const ROOT = join(import.meta.dirname, '../..');

const KEY = 'operator-key-'.repeat(4);

/** The first part of a feed, long enough for its format to be detected. */
const INCOMPLETE_FEED = kyeroFeed(
  Array.from({ length: 30 }, (_, index) => kyeroRecord(`p${index}`)),
).slice(0, -10);

let directory: string;
let server: Server;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lindero-process-'));
  server = await startServer({ OPERATOR_KEY: KEY, SIGNING_KEYS: await newKeySet() });
});

afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

/** Runs a command in this process, which takes less time than starting another. */
function here(args: readonly string[], input = '', url = server.url.origin): Promise<Ran> {
  const context = {
    directory: ROOT,
    now: nowInSeconds,
    service: () => findService(directory, { url }, { LINDERO_OPERATOR_KEY: KEY }),
    wrangler: () => Promise.reject(new Error('This command must not run wrangler')),
  };
  return runIn(context, args, input);
}

interface Ended {
  /** As in a shell: 128 plus the number of the signal that ended it. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Starts a process in a process group of its own, as a terminal does, for this service unless another is given. */
function start(
  args: readonly string[],
  program = process.execPath,
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const own = { TMPDIR: directory, CI: 'true', WRANGLER_SEND_METRICS: 'false' };
  const service = { LINDERO_URL: server.url.origin, LINDERO_OPERATOR_KEY: KEY };
  return spawn(program, [...args], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...own, ...service, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** @param input the complete standard input; without it, the standard input stays open */
async function ended(child: ChildProcess, input?: string): Promise<Ended> {
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin?.on('error', () => {});
  if (input !== undefined) child.stdin?.end(input);
  const code = await new Promise<number>((done) => {
    child.on('close', (status, signal) => done(status ?? 128 + constants.signals[signal!]));
  });
  return { code, out, err };
}

function program(...args: string[]): string[] {
  return ['src/cli/lindero.js', ...args];
}

async function createAccounts(...accounts: string[]): Promise<void> {
  for (const account of accounts) expect((await here(['account', 'create', account])).exit).toBe(0);
}

/** What the API has of an account. */
async function ask<Body>(path: string, account: string): Promise<Body> {
  const url = new URL(`${path}?account=${account}`, server.url);
  return (
    await fetch(url, { headers: { Authorization: `Bearer ${KEY}` } })
  ).json() as Promise<Body>;
}

/** The states of an account's imports, the last one first. */
async function states(account: string): Promise<string[]> {
  const { imports } = await ask<{ imports: { state: string }[] }>('/v1/imports', account);
  return imports.map(({ state }) => state);
}

async function portfolio(account: string): Promise<object[]> {
  const { exit, out } = await here(['export', '--account', account]);
  expect(exit).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => ({ ...JSON.parse(line), updated_at: null }));
}

const RECORDS = 300;

function longFeed(): string {
  const description = 'Cerca del mar. '.repeat(60);
  return kyeroFeed(
    Array.from({ length: RECORDS }, (_, index) =>
      kyeroRecord(`p${index}`, {
        desc: `<en>${description}${index}</en>`,
        images: `<image id="1"><url>https://p.example/${index}.jpg</url></image>`,
        features: `<feature>Feature ${index % 50}</feature>`,
      }),
    ),
  );
}

test('account list in a Node that does not read TypeScript: as in the one that npm scripts use', async () => {
  const args = ['src/cli/lindero.js', 'account', 'list', '--json'];
  const other = await ended(start(['--no-experimental-strip-types', ...args]), '');
  expect(other).toEqual(await ended(start(args), ''));
  expect(other.code).toBe(0);
  const refused = start(['--no-experimental-strip-types', 'src/cli/lindero.js', 'no-command']);
  expect((await ended(refused, '')).code).toBe(2);
});

test.each<[signal: NodeJS.Signals, code: number]>([
  ['SIGKILL', 137],
  ['SIGINT', 130],
])(
  'import that %s ends once its file is sent: exit code %i, and the service completes it as one that nothing disturbed',
  async (signal, code) => {
    const [disturbed, undisturbed] = [`${signal}-A`, `${signal}-B`];
    await createAccounts(disturbed, undisturbed);
    const feed = longFeed();
    let watched = () => {};
    const isWatched = new Promise<void>((resolve) => {
      watched = resolve;
    });
    // The service never says how far the import has come, so the program waits for that when the signal arrives.
    const proxy = await startFaultyProxy(server.url, ({ method, url }) => {
      if (method !== 'GET' || !/^\/v1\/imports\/\d+$/.test(url.pathname)) return;
      watched();
      return new Promise(() => {});
    });
    const child = start(program('import', '--account', disturbed), process.execPath, {
      LINDERO_URL: proxy.url.origin,
    });
    const end = ended(child, feed);
    await isWatched;
    process.kill(-child.pid!, signal);
    const { err, ...others } = await end;
    await proxy.stop();
    expect(others).toEqual({ code, out: '' });
    expect(err).toMatch(
      signal === 'SIGKILL'
        ? /^$/
        : /^Interrupted by SIGINT\. The service continues import \d+: see it in the console\.\n$/,
    );
    await expect.poll(() => states(disturbed)).toEqual(['finished']);

    const npm = [
      'run',
      '-s',
      'lindero',
      '--',
      'import',
      '--account',
      undisturbed,
      '--json',
      '--progress',
    ];
    const whole = await ended(start(npm, 'npm'), feed);
    expect([whole.code, JSON.parse(whole.out)]).toMatchObject([
      0,
      { properties: { read: RECORDS, rejected: 0 } },
    ]);
    expect(whole.err).toMatch(new RegExp(`Writing 100% ${RECORDS}/${RECORDS}, \\S+ left`));
    expect(whole.err).not.toMatch(/[A-Z]s left/);
    const documents = await portfolio(disturbed);
    expect(documents.filter((document) => 'pictures' in document)).toHaveLength(RECORDS);
    expect(documents).toEqual(await portfolio(undisturbed));

    const { out } = await here(['import', '--account', disturbed, '--json'], feed);
    expect(JSON.parse(out)).toMatchObject({
      properties: { read: RECORDS, written: 0, unchanged: RECORDS },
    });
  },
);

test('SIGTERM to npm only, while the pipe of an import stalls: the import that it started ends too, and nothing is imported', async () => {
  await createAccounts('STALLED');
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = await open(pipe, 'r+');
  await writer.write(INCOMPLETE_FEED);
  const child = start(
    ['run', '-s', 'lindero', '--', 'import', pipe, '--account', 'STALLED'],
    'npm',
  );
  const end = ended(child);
  await expect.poll(() => states('STALLED')).toEqual(['receiving']);
  child.kill('SIGTERM');
  expect((await end).err).toBe('Interrupted by SIGTERM. Nothing was changed.\n');
  await expect.poll(() => states('STALLED')).toEqual([]);
  await writer.close();
});

test('an import that SIGHUP ends while it is sent: exit code 129, and nothing is imported or left behind', async () => {
  await createAccounts('HUNG');
  const child = start(program('import', '--account', 'HUNG', '--json'));
  const end = ended(child);
  child.stdin?.write(INCOMPLETE_FEED);
  await expect.poll(() => states('HUNG')).toEqual(['receiving']);
  child.kill('SIGHUP');
  const { code, out, err } = await end;
  expect([code, out, JSON.parse(err)]).toEqual([
    129,
    '',
    { error: { code: 'interrupted', message: 'Interrupted by SIGHUP. Nothing was changed.' } },
  ]);
  await expect.poll(() => states('HUNG')).toEqual([]);
  expect((await readdir(directory)).filter((name) => name.startsWith('lindero-'))).toEqual([]);
});

test('a command that ran before: its modules are not compiled again', async () => {
  const run = () =>
    ended(
      start(program('account', 'list'), process.execPath, { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }),
    );
  await run();
  expect((await run()).err).toMatch(
    /V8 code cache for ESM \S+\/src\/cli\/program\.ts was accepted/,
  );
});

test('doctor with a closed standard output: its own exit code', async () => {
  // This database has no ledger of its migrations, which is a finding.
  expect((await here(['doctor'])).exit).toBe(3);
  const child = start(program('doctor'));
  child.stdout?.destroy();
  expect((await ended(child)).code).toBe(3);
});

test.each(['SIGINT', 'SIGHUP'] as const)(
  'smoke that %s ends: its checks end as at a failure, which restores a unit',
  async (signal) => {
    let isAsked = false;
    const { origin, stop } = await listen(() => {
      isAsked = true;
    });
    const child = start(program('smoke', origin, '--account', 'DEMO'));
    const end = ended(child, 'demo\n');
    await expect.poll(() => isAsked).toBe(true);
    child.kill(signal);
    const { code, out } = await end;
    expect([code, out]).toEqual([1, expect.stringMatching(/^FAIL {2}service +interrupted$/m)]);
    await stop();
  },
);

describe('export of a portfolio that does not end', () => {
  test('to a file, ended by a signal: no file and no partial file', async () => {
    const service = await listen((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.write('{"kind":"portfolio"}\n');
    });
    const to = { LINDERO_URL: service.origin };
    const child = start(
      program('export', join(directory, 'endless.ndjson'), '--account', 'A'),
      process.execPath,
      to,
    );
    const end = ended(child);
    const written = async () =>
      (await readdir(directory)).filter((name) => name.startsWith('endless'));
    await expect.poll(written).toEqual([expect.stringMatching(/^endless\.ndjson\..+\.part$/)]);
    child.kill('SIGTERM');
    expect(await end).toEqual({
      code: 143,
      out: '',
      err: 'Interrupted by SIGTERM. Nothing was changed.\n',
    });
    expect(await written()).toEqual([]);
    await service.stop();
  });

  test('to a pipe that its reader closes: exit code 0, no message', async () => {
    const service = await listen(async (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      while (!response.destroyed)
        await new Promise((done) => response.write('{"kind":"type"}\n'.repeat(1_000), done));
    });
    const child = start(program('export', '--account', 'A'), process.execPath, {
      LINDERO_URL: service.origin,
    });
    let err = '';
    child.stderr?.on('data', (text) => {
      err += text;
    });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const code = await new Promise((done) => child.on('close', done));
    expect([code, err]).toEqual([0, '']);
    await service.stop();
  });

  test('which the service aborts: exit code 1, and no file', async () => {
    const service = await listen((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.end('{"kind":"portfolio"}\n');
    });
    const file = join(directory, 'aborted.ndjson');
    const { exit, err } = await here(
      ['export', file, '--account', 'A', '--json'],
      '',
      service.origin,
    );
    expect([exit, JSON.parse(err).error.code]).toEqual([1, 'truncated']);
    expect((await readdir(directory)).filter((name) => name.startsWith('aborted'))).toEqual([]);
    await service.stop();
  });
});

describe('a service that does not run', () => {
  const { promise: nobody, resolve } = Promise.withResolvers<string>();

  beforeAll(async () => {
    const { origin, stop } = await listen(() => {});
    await stop();
    resolve(origin);
  });

  test('at the address of --url: exit code 1, the address, and what to do', async () => {
    const origin = await nobody;
    const expected = {
      code: 1,
      out: '',
      err: `Nothing answers at ${origin}. Start it with npm start.\n`,
    };
    const given = start(program('account', 'list', '--url', origin), process.execPath, {
      LINDERO_URL: '',
    });
    expect(await ended(given)).toEqual(expected);
    const named = start(program('account', 'list'), process.execPath, { LINDERO_URL: origin });
    expect(await ended(named)).toEqual(expected);
  });

  test('at the address of an environment that was deployed: the same, without npm start', async () => {
    const services = { staging: { url: 'http://127.0.0.2:1', key: KEY } };
    await writeFile(join(directory, '.lindero.json'), JSON.stringify(services));
    const args = [join(ROOT, 'src/cli/lindero.js'), 'account', 'list', '--env', 'staging'];
    const child = spawn(process.execPath, args, { cwd: directory });
    const err = 'http://127.0.0.2:1\nNothing answers at http://127.0.0.2:1.\n';
    expect(await ended(child)).toEqual({ code: 1, out: '', err });
    await rm(join(directory, '.lindero.json'));
  });

  // What a full queue of connections does differs between systems.
  test.skipIf(process.platform !== 'linux')(
    'which accepts no connection: the command gives up long before fetch would',
    async () => {
      const serve =
        'createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {';
      const script = `require("net").${serve} console.log(this.address().port); })`;
      const stopped = spawn(process.execPath, ['-e', script]);
      const port = await new Promise<number>((done) =>
        stopped.stdout.once('data', (text) => done(Number(text))),
      );
      stopped.kill('SIGSTOP');
      const waiting = Array.from({ length: 5 }, () =>
        connect(port, '127.0.0.1').on('error', () => {}),
      );
      const origin = `http://127.0.0.1:${port}`;
      const end = new AbortController();
      const fetching = fetch(origin, { signal: end.signal }).catch(() => 'fetch has given up');
      const { exit, err } = (await Promise.race([fetching, here(['doctor'], '', origin)])) as Ran;
      expect([exit, err]).toEqual([1, `Nothing answers at ${origin}. Start it with npm start.\n`]);
      end.abort();
      for (const socket of waiting) socket.destroy();
      stopped.kill('SIGKILL');
    },
  );

  test('every command: says so in less than two seconds', async () => {
    const origin = await nobody;
    for (const args of [
      ['doctor'],
      ['account', 'create', 'A'],
      ['import', '--account', 'A'],
      ['key', 'list'],
    ]) {
      const durations: number[] = [];
      // The shortest counts: this machine may be busy.
      for (let attempt = 0; attempt < 3; attempt++) {
        const startedAt = performance.now();
        const { exit, err } = await here(args, 'anything', origin);
        durations.push(performance.now() - startedAt);
        expect([exit, err]).toEqual([1, expect.stringContaining(`Nothing answers at ${origin}.`)]);
      }
      expect(Math.min(...durations)).toBeLessThan(2_000);
    }
  });
});

test.each<[what: string, env: NodeJS.ProcessEnv, code: string]>([
  ['another key', { LINDERO_OPERATOR_KEY: 'another' }, 'wrong_key'],
  ['an address that is none', { LINDERO_URL: 'localhost' }, 'usage'],
])('%s in the environment: the command fails and says so', async (_, env, code) => {
  const { code: exit, err } = await ended(
    start(program('account', 'list', '--json'), process.execPath, env),
  );
  expect([exit, JSON.parse(err).error.code]).toEqual([code === 'usage' ? 2 : 1, code]);
});

test('npm run deploy where neither npm nor wrangler is found: nothing is deployed', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [program, ...script] = String(scripts.deploy).split(' ');
  expect(program).toBe('node');
  const env = { ...process.env, PATH: '' };
  const child = spawn(process.execPath, [...script, '--location', 'weur'], { cwd: ROOT, env });
  expect((await ended(child)).err).toContain('Nothing was deployed: npm run types failed.');
});
