import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { Miniflare, type MiniflareOptions } from 'miniflare';
import { inject } from 'vitest';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { databaseOver, type RunBatch } from '../../src/cli/database.ts';

/** The Worker, bundled as it is deployed, in its own workerd, with access to its bindings. */
export interface Server {
  readonly url: URL;
  readonly db: D1Database;
  readonly snapshots: KVNamespace;
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
  const { compatibilityDate, d1Databases } = workerOptions;
  const miniflare = new Miniflare({
    workers: [
      {
        ...others,
        name: 'lindero',
        ...(withAssets ? { assets } : {}),
        modules: [{ type: 'ESModule', path: 'worker.js', contents: inject('worker') }],
        bindings: settings,
      },
      {
        name: 'database',
        modules: [{ type: 'ESModule', path: 'database.js', contents: DATABASE_WORKER }],
        compatibilityDate,
        d1Databases,
        unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      },
    ],
    host: '127.0.0.1',
    port: 0,
    ...(persist === undefined ? {} : { defaultPersistRoot: persist }),
  } as MiniflareOptions);
  const url = await miniflare.ready;
  const db = databaseOver(batchesAt(await miniflare.unsafeGetDirectURL('database')));
  await applyMigrations(db);
  return {
    url,
    db,
    snapshots: (await miniflare.getKVNamespace('SNAPSHOTS')) as unknown as KVNamespace,
    stop: () => miniflare.dispose(),
  };
}

/** Runs batches for the tests: through Miniflare's own proxy each takes nearly three times as long. */
const DATABASE_WORKER = `
export default {
  async fetch(request, { DB }) {
    const statements = await request.json();
    try {
      return Response.json(await DB.batch(statements.map(({ statement, params }) => DB.prepare(statement).bind(...params))));
    } catch (error) {
      return Response.json(error.message, { status: 500 });
    }
  },
};
`;

/**
 * Batches that the Worker at an address runs. Node's `fetch` would take three times the processor time. Idle connections are
 * closed before workerd closes them, which it does after five seconds.
 */
function batchesAt(url: URL): RunBatch {
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  return async (statements) => {
    const sent = request(url, { agent, method: 'POST' });
    const received = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(JSON.stringify(statements));
    const [response] = await received;
    const result = await json(response);
    if (response.statusCode !== 200) throw new Error(String(result));
    return result as never;
  };
}

async function applyMigrations(db: D1Database): Promise<void> {
  const there = await db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first();
  if (there !== null) return;
  for (const { queries } of await readD1Migrations(join(ROOT, 'migrations'))) {
    await db.batch(queries.map((query) => db.prepare(query)));
  }
}
