import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import type { Env } from '../../src/env.ts';

/** A project of its own, with settings and state of its own. */
const project = mkdtempSync(join(tmpdir(), 'lindero-start-'));
const started = new Set<Start>();

beforeAll(() => {
  for (const name of ['src', 'migrations', 'node_modules', 'package.json', 'tsconfig.json']) {
    symlinkSync(resolve(name), join(project, name));
  }
  copyFileSync('wrangler.toml', join(project, 'wrangler.toml'));
  writeFileSync(join(project, '.dev.vars'), '# mine\nMINE=1');
});

afterAll(async () => {
  for (const start of started) start.kill();
  await Promise.all([...started].map((start) => start.exit));
  rmSync(project, { recursive: true });
});

/** `npm start` on a directory of state, in a process group of its own, on whatever port is free. */
class Start {
  output = '';
  readonly exit: Promise<number | null>;
  readonly #process: ChildProcess;
  #heard = () => {};

  constructor(state: string) {
    mkdirSync(join(project, state), { recursive: true });
    this.#process = spawn('npm', ['start', '--', '--port', '0', '--persist-to', state], {
      cwd: project,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on('data', (data) => {
        this.output += data;
        this.#heard();
      });
    }
    this.exit = new Promise((done) => {
      this.#process.on('close', (code) => {
        started.delete(this);
        done(code);
        this.#heard();
      });
    });
    started.add(this);
  }

  /** Waits until the output holds what is sought. */
  async says(sought: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = sought.exec(this.output);
      if (found) return found;
      if (!started.has(this)) throw new Error(`It ended without saying ${sought}:\n${this.output}`);
      await new Promise<void>((heard) => {
        this.#heard = heard;
      });
    }
  }

  /** The addresses of feeds and the commands that it offers for pasting. */
  async offers(): Promise<{ origin: string; feeds: string[]; commands: string }> {
    await this.says(/update-by-name\n/);
    const feeds = [...this.output.matchAll(/^ {2}curl '(\S+)'$/gm)].map(([, url]) => url as string);
    const commands = [...this.output.matchAll(/^ {2}((?:TOKEN=|curl -H).*)$/gm)].map(([, line]) => line).join('\n');
    return { origin: new URL(feeds[0] ?? '').origin, feeds, commands };
  }

  /** The processes that it started and itself, as long as they run. */
  processes(): number[] {
    const running = runningProcesses();
    const found = [this.#process.pid as number];
    for (const parent of found) found.push(...running.filter(({ of }) => of === parent).map(({ pid }) => pid));
    return found;
  }

  /** As a supervisor does it, who knows of npm alone. */
  terminate(): void {
    this.#process.kill('SIGTERM');
  }

  /** As a terminal does it, to all that it started. */
  interrupt(): void {
    process.kill(-(this.#process.pid as number), 'SIGINT');
  }

  kill(): void {
    process.kill(-(this.#process.pid as number), 'SIGKILL');
  }
}

function runningProcesses(): { pid: number; of: number }[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith('Z'))
    .map(([pid, of]) => ({ pid: Number(pid), of: Number(of) }));
}

async function contents(state: string): Promise<{ accounts: string[]; properties: number; price: number | null }> {
  const platform = await getPlatformProxy<Env>({
    configPath: join(project, 'wrangler.toml'),
    persist: { path: join(project, state, 'v3') },
  });
  try {
    const accounts = await platform.env.DB.prepare('SELECT code FROM accounts ORDER BY code').all<{ code: string }>();
    const properties = await platform.env.DB.prepare('SELECT count(*) AS n FROM properties').first<number>('n');
    const price = await platform.env.DB.prepare(
      "SELECT price FROM units WHERE name = 'A-101' ORDER BY id",
    ).first<number>('price');
    return { accounts: accounts.results.map(({ code }) => code), properties: properties ?? 0, price };
  } finally {
    await platform.dispose();
  }
}

describe('npm start', { sequential: true }, () => {
  let settings: string;

  test('on an empty directory: the feeds that it offers answer, their pictures too, and the update is in the next one', async () => {
    const start = new Start('one');
    const { origin, feeds, commands } = await start.offers();
    expect(feeds).toHaveLength(4);
    const documents = await Promise.all(feeds.map(async (url) => (await fetch(url)).text()));
    expect(documents.map((xml) => /<feed_version>(\d)</.exec(xml)?.[1])).toEqual(['1', '2', '3', '3']);
    expect(documents[3]).toContain('<de>');
    const picture = new URL(/<url>([^<?]*\/demo\/pictures\/[^<?]*)<\/url>/.exec(documents[2] ?? '')?.[1] ?? '');
    const drawn = await fetch(`${origin}${picture.pathname}`);
    expect([drawn.status, drawn.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);

    expect(documents[2]).not.toContain('<price>315000</price>');
    const { stdout } = await promisify(execFile)('bash', ['-c', commands]);
    expect(JSON.parse(stdout)).toMatchObject({ UntName: 'A-101', UntPrice: 315000 });
    expect(await (await fetch(feeds[2] ?? '')).text()).toContain('<price>315000</price>');

    settings = readFileSync(join(project, '.dev.vars'), 'utf8');
    expect(settings).toMatch(/^# mine\nMINE=1\nSIGNING_KEYS='\{"keys":\[\{.*\}\]\}'\n$/);
    expect(statSync(join(project, '.dev.vars')).mode & 0o777).toBe(0o600);

    const processes = start.processes();
    expect(processes.length).toBeGreaterThan(3);
    start.terminate();
    await start.exit;
    expect(runningProcesses().filter(({ pid }) => processes.includes(pid))).toEqual([]);
  });

  test('again: nothing is changed, nothing is lost; what is sent too large is 413, and the next request is answered', async () => {
    const before = await contents('one');
    expect(before).toMatchObject({ accounts: ['DEMO', 'OTHER'], price: 315000 });
    const start = new Start('one');
    const { origin, feeds } = await start.offers();
    for (let round = 0; round < 3; round++) {
      const body = new Blob(['x'.repeat(20_000)]).stream();
      const tooLarge = await fetch(`${origin}/oauth/token`, { method: 'POST', body, duplex: 'half' } as RequestInit);
      expect([tooLarge.status, (await fetch(`${origin}/oauth/token`, { method: 'POST' })).status]).toEqual([413, 400]);
    }
    expect(await (await fetch(feeds[2] ?? '')).text()).toContain('<price>315000</price>');
    expect(readFileSync(join(project, '.dev.vars'), 'utf8')).toBe(settings);
    expect(start.output).not.toMatch(/Added|Applied|Created/);
    start.interrupt();
    await start.exit;
    expect(await contents('one')).toEqual(before);
  });

  test('on another directory, killed amid the migrations and then amid the demo data: it comes right, and the first keeps what it has', async () => {
    for (const moment of [/Applied migration 0001/, /Created demo account DEMO/]) {
      const start = new Start('two');
      await start.says(moment);
      start.kill();
      await start.exit;
    }
    const start = new Start('two');
    await start.offers();
    start.terminate();
    await start.exit;
    const [one, two] = [await contents('one'), await contents('two')];
    expect(one).toMatchObject({ accounts: ['DEMO', 'OTHER'], price: 315000 });
    expect(two).toMatchObject({ accounts: one.accounts, properties: one.properties });
    expect(two.price).not.toBe(one.price);
  });
});
