import { join, resolve } from 'node:path';
import type { Env } from '../env.ts';
import type { Platform, Where } from './context.ts';
import { sharedWithServer, withOwnStatements } from './database.ts';
import { Failure } from './failure.ts';
import { writeRemoteConfig } from './remote-config.ts';
import { runWrangler, wranglerLibrary } from './wrangler.ts';

/** The configuration of the project in the current directory. */
export const CONFIG = 'wrangler.toml';

/**
 * Brings D1 and KV into reach through wrangler's platform proxy: those of `wrangler dev` on this machine, or, by a
 * configuration whose bindings are marked as remote, the deployed ones.
 */
export async function openPlatform({ remote, persistTo }: Where): Promise<Platform> {
  process.env.WRANGLER_SEND_METRICS = 'false';
  const configPath = remote ? await writeRemoteConfig(CONFIG, runWrangler) : CONFIG;
  try {
    const { env, dispose } = await wranglerLibrary().getPlatformProxy<Env>({
      configPath,
      persist: { path: join(resolve(persistTo), 'v3') },
      remoteBindings: remote,
    });
    const db = remote ? env.DB : sharedWithServer(env.DB);
    return { env: { ...env, DB: withOwnStatements(db) }, dispose };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      'no_platform',
      remote ? `The deployed database cannot be reached: ${reason}` : `The local database cannot be opened: ${reason}`,
    );
  }
}
