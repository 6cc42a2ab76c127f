import type { Env } from '../../env.ts';
import { connect } from '../cloudflare/api.ts';
import { readProject, writeRemoteConfig } from '../cloudflare/config.ts';
import { wranglerLibrary } from '../cloudflare/wrangler.ts';
import type { Platform } from '../command/context.ts';
import { Failure } from '../command/failure.ts';
import { databaseOverProxy } from './database.ts';

/**
 * Opens the deployed database and KV namespace through wrangler's platform proxy.
 *
 * @param config the path of `wrangler.toml`
 * @throws Failure if they do not exist, or cannot be reached
 */
export async function openRemotePlatform(config: string): Promise<Platform> {
  process.env.WRANGLER_SEND_METRICS = 'false';
  const project = await readProject(config);
  const configPath = await writeRemoteConfig(config, project, await connect(project.accountId));
  try {
    const { env, dispose } = await wranglerLibrary().getPlatformProxy<Env>({
      configPath,
      persist: false,
      remoteBindings: true,
    });
    return { env: { ...env, DB: databaseOverProxy(env.DB) }, dispose };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('no_platform', `The deployed database cannot be reached: ${reason}`);
  }
}
