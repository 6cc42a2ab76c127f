import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import { inject } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { overProxy } from './platform.ts';
import { readProjectOptions } from './worker-options.ts';

/** The Worker, bundled as it is deployed, in its own workerd, with access to its bindings. */
export interface Server {
  readonly url: URL;
  readonly db: D1Database;
  readonly snapshots: KVNamespace;
  readonly files: R2Bucket;
  stop(): Promise<void>;
}

/** Signs the console's sessions, unless a test's settings have another. */
const SESSION_KEY = 'session-key-'.repeat(4);

/** Encrypts what is secret in the database. */
const SEALING_KEY = 'sealing-key-'.repeat(4);

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Starts the Worker on a free port of the loopback interface, with an empty, migrated database.
 *
 * @param settings the Worker's settings, as `.dev.vars` would give them
 * @param persist the directory of D1 and KV; in memory by default
 * @param credentialChecks the limit of checks per minute; that of `wrangler.toml` by default
 * @param withAssets whether the files of pages are served, for which requests pass through another Worker first
 * @param more further empty databases, by their bindings, and the port of workerd's inspector
 */
export async function startServer(
  settings: Record<string, string> = {},
  persist?: string,
  credentialChecks?: number,
  withAssets = false,
  more: { readonly databases?: readonly string[]; readonly inspectorPort?: number } = {},
): Promise<Server> {
  const limits = credentialChecks === undefined ? {} : { CREDENTIAL_CHECKS: credentialChecks };
  const {
    databases: _databases,
    stores: _stores,
    env,
    assets,
    ...dates
  } = readProjectOptions(ROOT, limits);
  const miniflare = new Miniflare({
    workers: [
      {
        config: {
          name: 'lindero',
          ...dates,
          manifest: {
            mainModule: 'worker.js',
            modulesRoot: '/',
            modules: { 'worker.js': { type: 'esm', contents: inject('worker') } },
          },
          env: {
            ...env,
            ...Object.fromEntries(
              (more.databases ?? []).map((name) => [name, { type: 'd1' as const, id: name }]),
            ),
            ...textBindings({ SESSION_KEY, SEALING_KEY, ...settings }),
            ...(withAssets ? { [assets.binding]: { type: 'assets' } } : {}),
          },
          ...(withAssets
            ? {
                assets: {
                  directory: assets.directory,
                  hasUserWorker: true,
                  htmlHandling: 'none',
                  runWorkerFirst: true,
                },
              }
            : {}),
        },
      },
    ],
    port: 0,
    ...(more.inspectorPort === undefined ? {} : { inspectorPort: more.inspectorPort }),
    ...(persist === undefined ? {} : { resourcePersistencePath: persist }),
  });
  const url = await miniflare.ready;
  const { DB, SNAPSHOTS, FILES } = await miniflare.getBindings<Env>('lindero');
  const db = overProxy(DB);
  await applyMigrations(db);
  return {
    url,
    db,
    snapshots: SNAPSHOTS,
    files: FILES,
    stop: () => miniflare.dispose(),
  };
}

async function applyMigrations(db: D1Database): Promise<void> {
  const there = await db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first();
  if (there === null) await db.batch(inject('migrations').map((query) => db.prepare(query)));
}

function textBindings(settings: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, { type: 'text' as const, value }]),
  );
}
