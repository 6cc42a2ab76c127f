import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Json } from 'miniflare';
import { generateSigningKey } from '../../src/oauth/own-keys.ts';
import { LARGE, loadAccounts, loadLongTexts, SIZES, SMALL } from './data/accounts.ts';
import { LoadGenerator } from './load/client.ts';
import { type Bundle, bundleBeside, bundleProject, migrate } from './servers/bundle.ts';
import { type Lindero, startLindero } from './servers/lindero.ts';
import { type RunningWorker, startWorker } from './servers/workerd.ts';

interface BenchOptions {
  readonly rounds: number;
  /** The first of twenty ports. */
  readonly port: number;
  /** Whether to take short cuts: rough figures, soon. */
  readonly quick: boolean;
}

/** Encrypts the secrets of webhooks. */
export const SEALING_KEY = 'sealing-key-'.repeat(4);

/** Signs sessions of the console. */
const SESSION_KEY = 'session-key-'.repeat(4);

/** Lets the operator's program in. */
export const OPERATOR_KEY = 'operator-key-'.repeat(4);

/** The data, and everything that runs: each is started when it is first asked for, and stopped at the end. */
export class Bench {
  readonly load = new LoadGenerator();
  /** Printed after the table of figures. */
  readonly texts: string[] = [];
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'lindero-bench-'));
  readonly #stops: (() => unknown)[] = [];
  readonly #started = new Map<string, Promise<unknown>>();
  #nextPort: number;

  readonly options: BenchOptions;
  readonly #tell: (text: string) => void;

  constructor(options: BenchOptions, tell: (text: string) => void) {
    this.options = options;
    this.#tell = tell;
    this.#nextPort = options.port;
  }

  /** The Worker under test. */
  lindero(): Promise<Lindero> {
    return this.#once('lindero', async () =>
      this.#stopLater(await this.fresh('lindero', this.ports(2))),
    );
  }

  /** The path of the bundled script. */
  async script(): Promise<string> {
    return (await this.#bundle()).script;
  }

  /** The Worker under test, which counts what its requests use. */
  counting(): Promise<Lindero> {
    return this.#once('counting', async () => {
      const entry = path.resolve('test/bench/servers/counting-worker.ts');
      const bundle = await bundleBeside(
        await this.#bundle(),
        entry,
        path.join(this.#folder, 'counting'),
      );
      const state = await this.#copyOfSeed('counting-state');
      return this.#stopLater(await startLindero({ ...bundle, state, port: this.ports(2) }));
    });
  }

  /**
   * A Worker of `peers/`, with the bindings of the Worker under test.
   *
   * @param ofData whether its state is a copy of the data; empty by default
   */
  bare(
    name: string,
    { bindings = {}, ofData = false }: { bindings?: Record<string, Json>; ofData?: boolean } = {},
  ): Promise<RunningWorker> {
    return this.#once(`bare ${name}`, async () => {
      const entry = path.resolve('test/bench/peers', `${name}.ts`);
      const bundle = await bundleBeside(await this.#bundle(), entry, path.join(this.#folder, name));
      const state = ofData
        ? await this.#copyOfSeed(`${name}-state`)
        : path.join(this.#folder, `${name}-state`);
      if (!ofData) await migrate(state);
      const options = { ...bundle.options, bindings };
      return this.#stopLater(await startWorker({ ...bundle, options, state, port: this.ports(2) }));
    });
  }

  /** The key that signs access tokens, as the Worker's setting and for those who verify them. */
  keys(): Promise<{ readonly setting: string; readonly public: Json }> {
    return this.#once('keys', async () => {
      const key = await generateSigningKey();
      const { d: _, ...publicKey } = key;
      return { setting: JSON.stringify({ keys: [key] }), public: publicKey as Json };
    });
  }

  /** The Worker under test in a process that has done nothing yet, on a copy of the data; the caller stops it. */
  async fresh(name: string, port: number, inspectorPort?: number): Promise<Lindero> {
    const state = await this.#copyOfSeed(`${name}-state`);
    const inspector = inspectorPort === undefined ? {} : { inspectorPort };
    return startLindero({ ...(await this.#bundle()), state, port, ...inspector });
  }

  /** The Worker under test without any data, in a process that has done nothing yet; the caller stops it. */
  async empty(name: string, port: number): Promise<RunningWorker> {
    const migrated = await this.#once('empty', async () => {
      const state = mkdtempSync(path.join(this.#folder, 'empty-'));
      await migrate(state);
      return state;
    });
    const state = path.join(this.#folder, `${name}-state`);
    cpSync(migrated, state, { recursive: true });
    return startWorker({ ...(await this.#bundle()), state, port });
  }

  /** The first of `count` ports that nothing else of this run uses. */
  ports(count: number): number {
    const port = this.#nextPort;
    this.#nextPort += count;
    return port;
  }

  async stop(): Promise<void> {
    this.load.stop();
    await Promise.allSettled(this.#stops.map((stop) => stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #bundle(): Promise<Bundle> {
    return this.#once('bundle', async () => {
      const bundle = await bundleProject(path.join(this.#folder, 'bundle'));
      const bindings = {
        SIGNING_KEYS: (await this.keys()).setting,
        SEALING_KEY,
        SESSION_KEY,
        OPERATOR_KEY,
        LOCAL_ADDRESSES: 'allowed',
      };
      return { ...bundle, options: { ...bundle.options, bindings } };
    });
  }

  /** A state folder with all accounts, and the cached feeds that are measured as hits. */
  #seed(): Promise<string> {
    return this.#once('seed', async () => {
      const state = mkdtempSync(path.join(this.#folder, 'seed-'));
      await migrate(state);
      const sizes = [SMALL, ...SIZES, LARGE];
      this.#tell(
        `loading accounts of ${sizes.map((size) => size.toLocaleString('en')).join(', ')} properties`,
      );
      const lindero = await startLindero({ ...(await this.#bundle()), state, port: this.ports(2) });
      try {
        await loadAccounts(lindero.db, sizes);
        await loadLongTexts(lindero.db);
        for (const size of sizes) await lindero.cache(lindero.cachedFeed(size));
      } finally {
        await lindero.stop();
      }
      return state;
    });
  }

  async #copyOfSeed(name: string): Promise<string> {
    const state = path.join(this.#folder, name);
    cpSync(await this.#seed(), state, { recursive: true });
    return state;
  }

  #once<Value>(key: string, start: () => Promise<Value>): Promise<Value> {
    const known = this.#started.get(key) as Promise<Value> | undefined;
    if (known !== undefined) return known;
    const started = start();
    this.#started.set(key, started);
    return started;
  }

  #stopLater<Running extends { stop(): unknown }>(running: Running): Running {
    this.#stops.push(() => running.stop());
    return running;
  }
}
