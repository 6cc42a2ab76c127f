import type { Env } from '../../env.ts';
import { connect } from '../cloudflare/api.ts';
import { readConfig, titleOf, withIds, writeDerived } from '../cloudflare/config.ts';
import { wranglerLibrary } from '../cloudflare/wrangler.ts';
import type { Platform } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { withDatabases } from './database.ts';

/**
 * Opens the deployed databases, KV namespaces and buckets through wrangler's platform proxy.
 *
 * @param config the path of `wrangler.toml`
 */
export async function openRemotePlatform(config: string): Promise<Platform> {
  process.env.WRANGLER_SEND_METRICS = 'false';
  const configPath = await writeRemoteConfig(config);
  try {
    const { env, dispose } = await wranglerLibrary().getPlatformProxy<Env>({
      configPath,
      persist: false,
      remoteBindings: true,
    });
    return { env: withDatabases(env), dispose };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('no_platform', `The deployed database cannot be reached: ${reason}`);
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
