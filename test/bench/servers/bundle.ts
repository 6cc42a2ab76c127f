import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Request, Response } from 'miniflare';
import { readProjectOptions } from '../../support/processes/worker-options.ts';

const run = promisify(execFile);

/** A Worker as `wrangler deploy` would send it. */
export interface Bundle {
  readonly script: string;
  readonly options: object;
}

/**
 * Bundles the Worker as it is deployed.
 *
 * @param outdir the directory of the bundle
 */
export async function bundleProject(outdir: string): Promise<Bundle> {
  // First, because it also writes the folder of assets that the configuration names.
  await wrangler(['deploy', '--dry-run', '--outdir', outdir]);
  return { script: bundleOf('worker.ts', outdir), options: withoutLimits() };
}

/** The bench sends more requests than any client may: the rate limits are still evaluated, but never reached. */
function withoutLimits(): object {
  // Without the local simulation of assets, through which every request would pass: deployed, the Worker comes first.
  const { assets, databases, stores, env, triggers, ...dates } = readProjectOptions('.');
  const limited = Object.entries(env).flatMap(([name, binding]) =>
    binding.type === 'rate-limit'
      ? [
          [
            name,
            { namespace_id: binding.namespace, simple: { limit: 1_000_000_000, period: 60 } },
          ] as const,
        ]
      : [],
  );
  const buckets = Object.entries(env).flatMap(([name, binding]) =>
    binding.type === 'r2' ? [[name, binding.name] as const] : [],
  );
  const queues = triggers.flatMap((trigger) => (trigger.type === 'queue' ? [trigger] : []));
  return {
    ...dates,
    queueProducers: { TASKS: queues[0]!.name, LONG_TASKS: queues[1]!.name },
    queueConsumers: Object.fromEntries(
      queues.map(({ name, maxBatchSize, maxBatchTimeout }) => [
        name,
        { maxBatchSize, maxBatchTimeout },
      ]),
    ),
    d1Databases: databases,
    kvNamespaces: stores,
    r2Buckets: Object.fromEntries(buckets),
    ratelimits: Object.fromEntries(limited),
    serviceBindings: { ASSETS: assetsIn(assets.directory) },
  };
}

/** The files that a build has written, as the Worker reads them. */
function assetsIn(directory: string): (request: Request) => Promise<Response> {
  return async ({ url }) => {
    const content = await readFile(path.join(directory, new URL(url).pathname)).catch(() => null);
    return content === null ? new Response(null, { status: 404 }) : new Response(content);
  };
}

/** Bundles another Worker for the bindings of this project's. */
export async function bundleBeside(
  project: Bundle,
  entry: string,
  outdir: string,
): Promise<Bundle> {
  await wrangler(['deploy', entry, '--dry-run', '--outdir', outdir]);
  return { script: bundleOf(entry, outdir), options: project.options };
}

/** Applies the migrations to the database of a state folder. */
export async function migrate(state: string): Promise<void> {
  await wrangler(['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state]);
}

function bundleOf(entry: string, outdir: string): string {
  return path.join(outdir, `${path.parse(entry).name}.js`);
}

async function wrangler(parameters: readonly string[]): Promise<void> {
  const bin = path.resolve('node_modules', 'wrangler', 'bin', 'wrangler.js');
  const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' };
  await run(process.execPath, [bin, ...parameters], { env });
}
