import { wranglerLibrary } from './wrangler.ts';

/** How to serve the Worker on this machine; the defaults are those of `wrangler.toml` and wrangler. */
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
 * Without an inspector unless requested: wrangler's proxy for debuggers stores every message of the runtime until a
 * debugger reads it, and runs out of memory after a few thousand requests.
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
  // No usage data are sent, the location of requests is not fetched from the network, and the demo's pictures are served.
  Object.assign(process.env, {
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    NODE_ENV: 'development',
  });
  const worker = await wranglerLibrary('info').unstable_startWorker({
    config,
    // The meaning of `nodejs_compat` at current compatibility dates; wrangler's command line derives it itself.
    build: {
      nodejsCompatMode: 'v2',
      // Wrangler has already run the command for the assets; it would run it, and bundle the Worker, a second time.
      custom: { command: '' },
    },
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
  // Before that, wrangler's proxy is ready but the Worker is not.
  await worker.raw.proxy.localServerReady.promise;
  const url = await worker.url;
  if (['0.0.0.0', '[::]'].includes(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}
