import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Env } from '../../env.ts';
import { describeError } from '../../lib/log.ts';
import { connect } from '../cloudflare/api.ts';
import { readConfig, titleOf, type WranglerConfig, withIds, writeDerived } from '../cloudflare/config.ts';
import { deployLine, type Platform } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { retryWhileLocked, withDatabases } from './database.ts';
import { readSettings } from './secrets.ts';

/** Loads wrangler and Miniflare: for an `import`, Node would first search their megabytes for the names that they export. */
const require = createRequire(import.meta.url);

/** A Worker that does nothing: the program uses its bindings. */
const NO_WORKER = {
  mainModule: 'none.js',
  modulesRoot: '/',
  modules: { 'none.js': { type: 'esm', contents: 'export default {}' } },
} as const;

/**
 * Opens the local databases, KV namespaces and buckets of `wrangler dev`, with the settings that it would pass to the Worker.
 * They are opened with Miniflare alone: loading all of wrangler would take twice as long, and 100 MB more.
 *
 * @param configPath the path of `wrangler.toml`
 * @param persistTo the directory of the local state, as `wrangler dev --persist-to` takes it
 */
export async function openLocalPlatform(configPath: string, persistTo: string): Promise<Platform> {
  const config = await readConfig(configPath);
  const settings = { ...config.vars, ...(await readSettings(dirname(configPath))) };
  return open('The local database cannot be opened', async () => {
    const { Miniflare }: typeof import('miniflare') = require('miniflare');
    const { name, compatibility_date: compatibilityDate } = config;
    const miniflare = new Miniflare({
      workers: [{ config: { name, compatibilityDate, manifest: NO_WORKER, env: localBindings(config) } }],
      resourcePersistencePath: join(resolve(persistTo), 'v3'),
    });
    const env = withDatabases({ ...settings, ...(await miniflare.getBindings<Env>()) }, retryWhileLocked);
    return { env, [Symbol.asyncDispose]: () => miniflare.dispose() };
  });
}

/** The databases, KV namespaces and buckets that `wrangler dev` uses, for Miniflare. */
export function localBindings({
  d1_databases,
  kv_namespaces,
  r2_buckets = [],
}: Pick<WranglerConfig, 'd1_databases' | 'kv_namespaces' | 'r2_buckets'>) {
  return Object.fromEntries([
    ...d1_databases.map((one) => [
      one.binding,
      { type: 'd1' as const, id: one.preview_database_id ?? one.database_id ?? one.binding },
    ]),
    ...kv_namespaces.map((one) => [one.binding, { type: 'kv' as const, id: one.preview_id ?? one.id ?? one.binding }]),
    ...r2_buckets.map((one) => [
      one.binding,
      { type: 'r2' as const, name: one.preview_bucket_name ?? one.bucket_name },
    ]),
  ]);
}

/** Opens the deployed databases, KV namespaces and buckets of the project with this `wrangler.toml`. */
export async function openRemotePlatform(config: string): Promise<Platform> {
  const configPath = await writeRemoteConfig(config);
  return open('The deployed database cannot be reached', async () => {
    const { getPlatformProxy }: typeof import('wrangler') = require('wrangler');
    const { env, dispose } = await getPlatformProxy<Env>({ configPath, persist: false, remoteBindings: true });
    return { env: withDatabases(env), [Symbol.asyncDispose]: dispose };
  });
}

async function open(problem: string, opened: () => Promise<Platform>): Promise<Platform> {
  Object.assign(process.env, { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' });
  process.env.WRANGLER_LOG ??= 'error';
  // Wrangler's source map alone would take 60 MB.
  process.setSourceMapsEnabled(false);
  try {
    return await opened();
  } catch (error) {
    throw new Failure('no_platform', `${problem}: ${describeError(error)}`);
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
    throw new Failure('not_deployed', `The Cloudflare account has no ${missing[0]}. Deploy first: ${deployLine()}`);
  }
  return writeDerived(path, 'remote', {
    name: config.name,
    account_id: cloudflare.accountId,
    compatibility_date: config.compatibility_date,
    d1_databases: config.d1_databases.map((one) => ({ ...one, migrations_dir: undefined, remote: true })),
    kv_namespaces: config.kv_namespaces.map((one) => ({ ...one, remote: true })),
    r2_buckets: config.r2_buckets?.map((one) => ({ ...one, remote: true })),
  });
}
