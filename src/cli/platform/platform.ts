import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { WorkerOptions } from 'miniflare';
import { parse } from 'smol-toml';
import type { Env } from '../../env.ts';
import { describeError } from '../../lib/log.ts';
import { connect } from '../cloudflare/api.ts';
import { readConfig, titleOf, withIds, writeDerived } from '../cloudflare/config.ts';
import type { Platform } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { retryWhileLocked, withDatabases } from './database.ts';
import { readSettings } from './secrets.ts';

/** Loads libraries: for an `import`, Node would first search their megabytes for the names that they export. */
const require = createRequire(import.meta.url);

/**
 * Opens the local databases, KV namespaces and buckets of `wrangler dev` by Miniflare, which takes a third of the time and
 * half the memory of wrangler's `getPlatformProxy`, and reads the settings that it would pass to the Worker.
 *
 * @param config the path of `wrangler.toml`
 * @param persistTo the directory of the local state, as `wrangler dev --persist-to` takes it
 */
export async function openLocalPlatform(config: string, persistTo: string): Promise<Platform> {
  try {
    const settings = await readSettings(dirname(config));
    const project = parse(await readFile(config, 'utf8'));
    const { Miniflare, NoOpLog }: typeof import('miniflare') = require('miniflare');
    // Its bindings are awaited at once, because it would end the process if it failed to start before.
    const miniflare = new Miniflare({
      workers: [workerWith(project)],
      resourcePersistencePath: join(resolve(persistTo), 'v3'),
      port: 0,
      cf: false,
      log: new NoOpLog(),
      // Errors of the runtime reach the caller as those of its calls.
      handleStructuredLogs: () => {},
    });
    const env = { ...settings, ...withDatabases(await miniflare.getBindings<Env>(), retryWhileLocked) };
    return { env, [Symbol.asyncDispose]: () => miniflare.dispose() };
  } catch (error) {
    throw new Failure('no_platform', `The local database cannot be opened: ${describeError(error)}`);
  }
}

/** The bindings that commands use: by the table of `wrangler.toml`, their type for Miniflare and what names their data. */
const BINDINGS = {
  d1_databases: { type: 'd1', key: 'id', names: ['preview_database_id', 'database_id'] },
  kv_namespaces: { type: 'kv', key: 'id', names: ['preview_id', 'id'] },
  r2_buckets: { type: 'r2', key: 'name', names: ['preview_bucket_name', 'bucket_name'] },
} as const;

/** A Worker that only has bindings. Wrangler's rule for the local data: the preview id, else the id, else the binding. */
function workerWith(config: object): WorkerOptions {
  const env: Record<string, object> = {};
  for (const [table, { type, key, names }] of Object.entries(BINDINGS)) {
    const entries = (config as Record<string, Record<string, string>[] | undefined>)[table] ?? [];
    for (const entry of entries) {
      const name = names.map((name) => entry[name]).find((value) => value !== undefined) ?? entry.binding!;
      env[entry.binding!] = { type, [key]: name };
    }
  }
  const contents = 'export default { fetch: () => new Response(null, { status: 404 }) };';
  const modules = { 'none.js': { type: 'esm' as const, contents } };
  const manifest = { mainModule: 'none.js', modulesRoot: '/', modules };
  return { config: { name: 'bindings', compatibilityDate: '2026-10-01', manifest, env: env as never } };
}

/**
 * Opens the deployed databases, KV namespaces and buckets through wrangler's platform proxy.
 *
 * @param config the path of `wrangler.toml`
 */
export async function openRemotePlatform(config: string): Promise<Platform> {
  process.env.WRANGLER_SEND_METRICS = 'false';
  process.env.WRANGLER_LOG ??= 'error';
  // Wrangler's source map alone would take 60 MB.
  process.setSourceMapsEnabled(false);
  const configPath = await writeRemoteConfig(config);
  try {
    const { getPlatformProxy }: typeof import('wrangler') = require('wrangler');
    const { env, dispose } = await getPlatformProxy<Env>({ configPath, persist: false, remoteBindings: true });
    return { env: withDatabases(env), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    throw new Failure('no_platform', `The deployed database cannot be reached: ${describeError(error)}`);
  }
}

async function writeRemoteConfig(path: string): Promise<string> {
  const read = await readConfig(path);
  const cloudflare = await connect(read.account_id);
  const config = await withIds(read, cloudflare);
  const missing = [
    ...config.d1_databases.filter((one) => !one.database_id).map((one) => `database ${one.database_name}`),
    ...config.kv_namespaces.filter((one) => !one.id).map((one) => `KV namespace ${titleOf(config.name, one)}`),
  ];
  if (missing[0] !== undefined) {
    throw new Failure('not_deployed', `The Cloudflare account has no ${missing[0]}. Deploy first: npm run deploy`);
  }
  return writeDerived(path, 'remote.json', {
    name: config.name,
    account_id: cloudflare.accountId,
    compatibility_date: config.compatibility_date,
    d1_databases: config.d1_databases.map((one) => ({ ...one, migrations_dir: undefined, remote: true })),
    kv_namespaces: config.kv_namespaces.map((one) => ({ ...one, remote: true })),
    r2_buckets: config.r2_buckets?.map((one) => ({ ...one, remote: true })),
  });
}
