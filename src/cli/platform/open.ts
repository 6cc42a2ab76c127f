import type { Platform, Target } from '../command/context.ts';

/** The configuration of the project in the current directory. */
export const CONFIG = 'wrangler.toml';

/** Opens the local database and KV namespace of `wrangler dev`, or the deployed ones. */
export async function openPlatform({ remote, persistTo }: Target): Promise<Platform> {
  if (remote) return (await import('./remote.ts')).openRemotePlatform(CONFIG);
  return (await import('./local.ts')).openLocalPlatform(CONFIG, persistTo);
}
