import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { Miniflare, type MiniflareOptions } from 'miniflare';
import { inject } from 'vitest';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { bindingsAt, directBindings, type Store } from './direct-bindings.ts';

/** The Worker, bundled as it is deployed, in its own workerd, with access to its bindings. */
export interface Server {
  readonly url: URL;
  readonly db: D1Database;
  readonly snapshots: Store;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts the Worker on a free port of the loopback interface, with an empty, migrated database.
 *
 * @param settings the Worker's settings, as `.dev.vars` would give them
 * @param persist the directory of D1 and KV; in memory by default
 * @param credentialChecks the limit of checks per minute; that of `wrangler.toml` by default
 * @param withAssets whether the files of pages are served, for which requests pass through another Worker first
 */
export async function startServer(
  settings: Record<string, string> = {},
  persist?: string,
  credentialChecks?: number,
  withAssets = false,
): Promise<Server> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'));
  const { assets, ...others } = workerOptions;
  const limit = workerOptions.ratelimits?.CREDENTIAL_CHECKS?.simple;
  if (limit !== undefined && credentialChecks !== undefined) limit.limit = credentialChecks;
  const { d1Databases, kvNamespaces } = workerOptions;
  const miniflare = new Miniflare({
    workers: [
      {
        ...others,
        name: 'lindero',
        ...(withAssets ? { assets } : {}),
        modules: [{ type: 'ESModule', path: 'worker.js', contents: inject('worker') }],
        bindings: settings,
      },
      directBindings({ d1Databases, kvNamespaces }),
    ],
    host: '127.0.0.1',
    port: 0,
    ...(persist === undefined ? {} : { defaultPersistRoot: persist }),
  } as MiniflareOptions);
  const url = await miniflare.ready;
  const direct = bindingsAt(await miniflare.unsafeGetDirectURL('bindings'));
  const db = direct.database('DB');
  await applyMigrations(db);
  return {
    url,
    db,
    snapshots: direct.store('SNAPSHOTS'),
    stop: () => miniflare.dispose(),
  };
}

async function applyMigrations(db: D1Database): Promise<void> {
  const there = await db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first();
  if (there !== null) return;
  for (const { queries } of await readD1Migrations(join(ROOT, 'migrations'))) {
    await db.batch(queries.map((query) => db.prepare(query)));
  }
}
