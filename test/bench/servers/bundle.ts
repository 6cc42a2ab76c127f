import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Request, Response, type WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const run = promisify(execFile);

/** A Worker as `wrangler deploy` would send it. */
export interface Bundle {
  readonly script: string;
  readonly options: Partial<WorkerOptions>;
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
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(path.join(root, 'wrangler.toml'));
  return { script: bundleOf(main!, outdir), options: withoutLimits(workerOptions as Partial<WorkerOptions>) };
}

/** The bench sends more requests than any client may: the rate limits are still evaluated, but never reached. */
function withoutLimits(options: Partial<WorkerOptions>): Partial<WorkerOptions> {
  const ratelimits = Object.entries(options.ratelimits ?? {}).map(([name, limiter]) => [
    name,
    { ...(limiter as object), simple: { limit: 1_000_000_000, period: 60 } },
  ]);
  // Without the local simulation of assets, through which every request would pass: deployed, the Worker comes first.
  const { assets, ...others } = options;
  const directory = (assets as { readonly directory?: string } | undefined)?.directory;
  const serviceBindings = directory === undefined ? {} : { ASSETS: assetsIn(directory) };
  return { ...others, serviceBindings, ratelimits: Object.fromEntries(ratelimits) };
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
