import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Request, Response } from 'miniflare';
import { readProjectOptions } from '../../support/worker-options.ts';

const run = promisify(execFile);

/** A Worker as `wrangler deploy` would send it. */
export interface Bundle {
  readonly script: string;
  readonly options: object;
}

/**
 * Bundles the Worker of a project as it is deployed.
 *
 * @param root the folder of its `wrangler.toml`
 * @param outdir the directory of the bundle
 */
export async function bundleProject(root: string, outdir: string): Promise<Bundle> {
  // First, because it also writes the folder of assets that the configuration names.
  await wrangler(root, ['deploy', '--dry-run', '--outdir', outdir]);
  return { script: bundleOf('worker.ts', outdir), options: withoutLimits(root) };
}

/** The bench sends more requests than any client may: the rate limits are still evaluated, but never reached. */
function withoutLimits(root: string): object {
  // Without the local simulation of assets, through which every request would pass: deployed, the Worker comes first.
  const { assets, databases, stores, env, triggers, ...dates } = readProjectOptions(root);
  const limited = Object.entries(env).flatMap(([name, binding]) =>
    binding.type === 'rate-limit'
      ? [[name, { namespace_id: binding.namespace, simple: { limit: 1_000_000_000, period: 60 } }] as const]
      : [],
  );
  const queues = triggers.flatMap((trigger) => (trigger.type === 'queue' ? [trigger] : []));
  return {
    ...dates,
    queueProducers: { TASKS: queues[0]!.name },
    queueConsumers: Object.fromEntries(queues.map(({ name, maxBatchTimeout }) => [name, { maxBatchTimeout }])),
    d1Databases: databases,
    kvNamespaces: stores,
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
export async function bundleBeside(project: Bundle, root: string, entry: string, outdir: string): Promise<Bundle> {
  await wrangler(root, ['deploy', entry, '--dry-run', '--outdir', outdir]);
  return { script: bundleOf(entry, outdir), options: project.options };
}

/** Applies a project's migrations to the database of a state folder. */
export async function migrate(root: string, state: string): Promise<void> {
  await wrangler(root, ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state]);
}

function bundleOf(entry: string, outdir: string): string {
  return path.join(outdir, `${path.parse(entry).name}.js`);
}

async function wrangler(root: string, parameters: readonly string[]): Promise<void> {
  const bin = path.resolve('node_modules', 'wrangler', 'bin', 'wrangler.js');
  await run(process.execPath, [bin, ...parameters, '--config', path.join(root, 'wrangler.toml')], {
    cwd: root,
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
  });
}
