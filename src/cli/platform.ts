import type { Platform, Target } from './context.ts';

/** The configuration of the project in the current directory. */
export const CONFIG = 'wrangler.toml';

/** Opens the local database and KV namespace of `wrangler dev`, or the deployed ones. */
export async function openPlatform({ remote, persistTo }: Target): Promise<Platform> {
  if (remote) return (await import('./remote-platform.ts')).openRemotePlatform(CONFIG);
  return (await import('./local-platform.ts')).openLocalPlatform(CONFIG, persistTo);
}
