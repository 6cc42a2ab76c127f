import { join, resolve } from 'node:path';
import type { Env } from '../env.ts';
import type { Platform, Where } from './context.ts';
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
    return { env: { ...env, DB: preparingOnce(env.DB) }, dispose };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      'no_platform',
      remote ? `The deployed database cannot be reached: ${reason}` : `The local database cannot be opened: ${reason}`,
    );
  }
}

/**
 * A database that prepares each statement once: through the proxy, preparing one and finding its `bind` are calls of
 * another process, each of which holds this one up.
 */
function preparingOnce(db: D1Database): D1Database {
  const prepared = new Map<string, D1PreparedStatement>();
  const once: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare(sql) {
      const statement = prepared.get(sql) ?? db.prepare(sql);
      prepared.set(sql, statement);
      return statement;
    },
    batch: (statements) => db.batch(statements),
  };
  return once as D1Database;
}
