import path from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from 'miniflare';
import { childrenNamed } from './processes.ts';

/** A Worker in a workerd of its own, on a loopback port that leads to it and nothing else. */
export interface RunningWorker {
  /** Its address, without a slash at the end. */
  readonly origin: string;
  readonly miniflare: Miniflare;
  /** The process id of its workerd. */
  readonly pid: number;
  stop(): Promise<void>;
}

export interface WorkerToRun {
  /** The bundled Worker. */
  readonly script: string;
  /** What `wrangler.toml` gives it: dates, flags and bindings. */
  readonly options: object;
  /** The folder in which D1 and KV live. */
  readonly state: string;
  readonly port: number;
  /** The port of workerd's inspector; none if absent. */
  readonly inspectorPort?: number;
}

/** Starts a Worker, one after the other. */
export async function startWorker(worker: WorkerToRun): Promise<RunningWorker> {
  const { script, options, state, port, inspectorPort } = worker;
  const before = new Set(childrenNamed('workerd'));
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...options,
      modules: [{ type: 'ESModule', path: script }],
      modulesRoot: path.dirname(script),
      host: '127.0.0.1',
      port,
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
    } as V4MiniflareOptions),
    resourcePersistencePath: path.join(state, 'v3'),
    // What Workers log is read, as the platform reads it, and thrown away.
    handleStructuredLogs: () => {},
  });
  const address = await miniflare.ready;
  const pid = childrenNamed('workerd').find((id) => !before.has(id)) ?? 0;
  return { origin: address.origin, miniflare, pid, stop: () => miniflare.dispose() };
}
