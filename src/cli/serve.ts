import { wranglerLibrary } from './wrangler.ts';

/** How the Worker is served on this machine; what is not given is as `wrangler.toml` or wrangler has it. */
export interface ServeOptions {
  /** The path of `wrangler.toml`. */
  readonly config: string;
  /** The directory of the local state. */
  readonly persistTo: string;
  readonly hostname: string | undefined;
  readonly port: number | undefined;
  /** Whether by HTTPS, with a certificate that wrangler makes. */
  readonly secure: boolean | undefined;
  /** The port for debuggers; none are served without it. */
  readonly inspectorPort: number | undefined;
}

/**
 * Serves the Worker as `wrangler dev` does, and again after each change of its source.
 *
 * Without an inspector, unless one is asked for: wrangler's proxy for debuggers stores all that the runtime sends until a
 * debugger takes it, and ends for lack of memory after a few thousand requests.
 *
 * @returns the origin, as `http://localhost:8787`
 */
export async function serve({
  config,
  persistTo,
  hostname,
  port,
  secure,
  inspectorPort,
}: ServeOptions): Promise<string> {
  // No usage data are sent, the location of a request is not asked of the network, and the demo's pictures are served.
  Object.assign(process.env, {
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    NODE_ENV: 'development',
  });
  const worker = await wranglerLibrary('info').unstable_startWorker({
    config,
    // What the compatibility flag `nodejs_compat` means at today's compatibility dates; the command line derives it.
    build: { nodejsCompatMode: 'v2' },
    dev: {
      remote: false,
      persist: persistTo,
      server: {
        ...(hostname === undefined ? {} : { hostname }),
        ...(port === undefined ? {} : { port }),
        ...(secure === undefined ? {} : { secure }),
      },
      inspector: inspectorPort === undefined ? false : { port: inspectorPort },
    },
  });
  // Earlier, wrangler's proxy is ready, but not the Worker behind it.
  await worker.raw.proxy.localServerReady.promise;
  const url = await worker.url;
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}
