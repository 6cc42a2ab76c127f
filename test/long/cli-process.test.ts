import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../../src/cli/platform/database.ts';
import { openLocalPlatform } from '../../src/cli/platform/platform.ts';
import { applyMigration } from '../../src/db/operator/migrations.ts';
import { nowInSeconds } from '../../src/lib/time/time.ts';
import { kyeroFeed, kyeroRecord } from '../support/documents/kyero.ts';
import { listen } from '../support/network/listen.ts';
import { type Ran, runIn } from '../support/processes/command-line.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A truncated feed, long enough for its format to be detected. */
const INCOMPLETE_FEED = kyeroFeed(Array.from({ length: 30 }, (_, index) => kyeroRecord(`p${index}`))).slice(0, -10);

let directory: string;
let state: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lindero-process-'));
  state = join(directory, 'state');
  await using platform = await openState(state);
  const { DB } = platform.env;
  for (const migration of await readMigrations(join(ROOT, 'migrations'))) await applyMigration(DB, migration);
});

afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));

function openState(persistTo: string) {
  return openLocalPlatform(join(ROOT, 'wrangler.toml'), persistTo);
}

/** Runs a command in this process, which takes less time than starting another. */
function here(args: readonly string[], input = '', of = state): Promise<Ran> {
  const context = {
    directory: ROOT,
    now: nowInSeconds,
    origin: () => Promise.reject(new Error('This command must not ask for the origin')),
    open: () => openState(of),
    wrangler: () => Promise.reject(new Error('This command must not run wrangler')),
  };
  return runIn(context, [...args, '--persist-to', of], input);
}

interface Ended {
  /** As in a shell: 128 plus the number of the signal that ended it. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Starts a process in a process group of its own, as a terminal does. */
function start(args: readonly string[], program = process.execPath, env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(program, [...args], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, TMPDIR: directory, CI: 'true', WRANGLER_SEND_METRICS: 'false', ...env },
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
  return ['src/cli/lindero.ts', ...args, '--persist-to', state];
}

/** Size of the write-ahead log of the database, in bytes. It grows only until SQLite begins to use it again. */
async function pendingBytes(): Promise<number> {
  const folder = join(state, 'v3/d1/miniflare-D1DatabaseObject');
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.sqlite-wal') && !name.startsWith('metadata'));
  const sizes = await Promise.all(logs.map((name) => stat(join(folder, name)).then(({ size }) => size)));
  return Math.max(0, ...sizes);
}

const RECORDS = 1_000;

/** A feed whose import takes some seconds, so that a signal meets it also on a busy machine. */
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

/** Temporary directories of imports. */
async function spools(): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith('lindero-'));
}

async function portfolio(account: string): Promise<object[]> {
  const { exit, out } = await here(['export', '--account', account]);
  expect(exit).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ ...JSON.parse(line), updated_at: null }));
}

test('import that is killed, then interrupted: complete properties, how many are written and what to do; repeated: the result of an undisturbed import', async () => {
  for (const account of ['KILLED', 'UNDISTURBED']) {
    expect((await here(['account', 'create', account])).exit).toBe(0);
  }
  const feed = longFeed();
  /** Starts an import, sends it a signal once it has written something more, and returns how it ends. */
  const disturbed = async (signal: NodeJS.Signals) => {
    const child = start(program('import', '--account', 'KILLED'));
    const end = ended(child, feed);
    const someBatches = (await pendingBytes()) + 250_000;
    await expect.poll(() => pendingBytes()).toBeGreaterThan(someBatches);
    process.kill(-child.pid!, signal);
    return end;
  };
  // Without a terminal, progress is shown only if it is requested.
  expect(await disturbed('SIGKILL')).toEqual({ code: 137, out: '', err: '' });
  // A killed process leaves its temporary files.
  for (const spool of await spools()) await rm(join(directory, spool), { recursive: true });
  const properties = (await portfolio('KILLED')).filter((document) => 'pictures' in document);
  expect(properties.length).toBeGreaterThan(0);
  expect(properties.length).toBeLessThan(RECORDS);
  for (const property of properties) {
    expect(property).toMatchObject({
      status: 'Available',
      pictures: [expect.any(String)],
      features: [expect.any(String)],
    });
  }

  const { code, err } = await disturbed('SIGINT');
  const stated = /^Interrupted by SIGINT\. At least (\d+) records had been written\. Repeat the import/.exec(err);
  expect([code, Number(stated?.[1])]).toEqual([130, expect.any(Number)]);
  expect(Number(stated?.[1])).toBeLessThanOrEqual(RECORDS);
  expect(await spools()).toEqual([]);

  const { out } = await here(['import', '--account', 'KILLED', '--json'], feed);
  expect(JSON.parse(out)).toMatchObject({ properties: { read: RECORDS, rejected: 0 } });
  const npm = ['run', '-s', 'lindero', '--', 'import', '--account', 'UNDISTURBED', '--json', '--progress'];
  const undisturbed = await ended(start([...npm, '--persist-to', state], 'npm'), feed);
  expect([undisturbed.code, JSON.parse(undisturbed.out)]).toMatchObject([0, { properties: { read: RECORDS } }]);
  expect(undisturbed.err).toMatch(new RegExp(`Writing 100% ${RECORDS}/${RECORDS}, \\S+ left`));
  expect(await portfolio('KILLED')).toEqual(await portfolio('UNDISTURBED'));
});

test('doctor with a database that cannot be opened: exit code 1', async () => {
  const file = join(directory, 'no-directory');
  await writeFile(file, '');
  const { exit, err } = await here(['doctor', '--json'], '', file);
  expect([exit, JSON.parse(err).error]).toEqual([
    1,
    { code: 'no_platform', message: expect.stringContaining('ENOTDIR') },
  ]);
});

test('SIGTERM to npm only: the import that it started ends too, although its pipe stalls', async () => {
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = await open(pipe, 'r+');
  await writer.write(INCOMPLETE_FEED);
  const args = ['import', pipe, '--account', 'UNDISTURBED', '--persist-to', state];
  const child = start(['run', '-s', 'lindero', '--', ...args], 'npm');
  const end = ended(child);
  await expect.poll(spools).toHaveLength(1);
  child.kill('SIGTERM');
  expect((await end).err).toBe('Interrupted by SIGTERM. Nothing was changed.\n');
  expect(await spools()).toEqual([]);
  await writer.close();
});

test('a command that ran before: its modules are not compiled again', async () => {
  const run = () => ended(start(program('account', 'list'), process.execPath, { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }));
  await run();
  expect((await run()).err).toMatch(/V8 code cache for ESM \S+\/src\/cli\/program\.ts was accepted/);
});

test('doctor with a closed standard output: its own exit code', async () => {
  const child = start(['src/cli/lindero.ts', 'doctor', '--persist-to', join(directory, 'nothing')]);
  child.stdout?.destroy();
  expect((await ended(child)).code).toBe(3);
});

test('an import that SIGHUP ends: exit code 129, and nothing is left behind', async () => {
  const child = start(program('import', '--account', 'UNDISTURBED', '--json'));
  const end = ended(child);
  child.stdin?.write(INCOMPLETE_FEED);
  await expect.poll(spools).toHaveLength(1);
  child.kill('SIGHUP');
  const { code, out, err } = await end;
  expect([code, out, JSON.parse(err)]).toEqual([
    129,
    '',
    { error: { code: 'interrupted', message: 'Interrupted by SIGHUP. Nothing was changed.' } },
  ]);
  expect(await spools()).toEqual([]);
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
    await expect.poll(() => isAsked, { timeout: 10_000 }).toBe(true);
    child.kill(signal);
    const { code, out } = await end;
    expect([code, out]).toEqual([1, expect.stringMatching(/^FAIL {2}service +interrupted$/m)]);
    await stop();
  },
);

test('export to a file, ended by a signal: no file and no partial file', async () => {
  const child = start(program('export', join(directory, 'undisturbed.ndjson'), '--account', 'UNDISTURBED'));
  const end = ended(child);
  const written = async () => (await readdir(directory)).filter((name) => name.startsWith('undisturbed'));
  await expect.poll(written, { interval: 1 }).toEqual([expect.stringMatching(/^undisturbed\.ndjson\..+\.part$/)]);
  child.kill('SIGTERM');
  expect(await end).toEqual({ code: 143, out: '', err: 'Interrupted by SIGTERM. Nothing was changed.\n' });
  expect(await written()).toEqual([]);
});

test('export whose reader closes the pipe: exit code 0, no message', async () => {
  const child = start(program('export', '--account', 'UNDISTURBED'));
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  child.stdout?.once('data', () => child.stdout?.destroy());
  const code = await new Promise((done) => child.on('close', done));
  expect([code, err]).toEqual([0, '']);
});

test('npm run deploy where neither npm nor wrangler is found: nothing is deployed', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [program, ...script] = String(scripts.deploy).split(' ');
  expect(program).toBe('node');
  const env = { ...process.env, PATH: '' };
  const child = spawn(process.execPath, [...script, '--location', 'weur'], { cwd: ROOT, env });
  expect((await ended(child)).err).toContain('Nothing was deployed: npm run types failed.');
});
