import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { GetPlatformProxyOptions } from 'wrangler';
import type { Env } from '../../env.ts';
import { describeError } from '../../lib/log.ts';
import { connect } from '../cloudflare/api.ts';
import { readConfig, titleOf, withIds, writeDerived } from '../cloudflare/config.ts';
import type { Platform } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { retryWhileLocked, withDatabases } from './database.ts';

/** Loads wrangler: for an `import`, Node would first search its megabytes for the names that they export. */
const require = createRequire(import.meta.url);

/**
 * Opens the local databases, KV namespaces and buckets of `wrangler dev`, with the settings that it would pass to the Worker.
 *
 * @param configPath the path of `wrangler.toml`
 * @param persistTo the directory of the local state, as `wrangler dev --persist-to` takes it
 */
export function openLocalPlatform(configPath: string, persistTo: string): Promise<Platform> {
  const options = { configPath, persist: { path: join(resolve(persistTo), 'v3') }, remoteBindings: false };
  return open(options, 'The local database cannot be opened', retryWhileLocked);
}

/** Opens the deployed databases, KV namespaces and buckets of the project with this `wrangler.toml`. */
export async function openRemotePlatform(config: string): Promise<Platform> {
  const options = { configPath: await writeRemoteConfig(config), persist: false, remoteBindings: true };
  return open(options, 'The deployed database cannot be reached');
}

async function open(
  options: GetPlatformProxyOptions,
  problem: string,
  retry?: typeof retryWhileLocked,
): Promise<Platform> {
  Object.assign(process.env, { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' });
  process.env.WRANGLER_LOG ??= 'error';
  // Wrangler's source map alone would take 60 MB.
  process.setSourceMapsEnabled(false);
  try {
    const { getPlatformProxy }: typeof import('wrangler') = require('wrangler');
    const { env, dispose } = await getPlatformProxy<Env>(options);
    return { env: withDatabases(env, retry), [Symbol.asyncDispose]: dispose };
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
