import path from 'node:path';
import type { Readable } from 'node:stream';
import { Miniflare, type MiniflareOptions, type WorkerOptions } from 'miniflare';
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
  readonly options: Partial<WorkerOptions>;
  /** The folder in which D1 and KV live. */
  readonly state: string;
  /** The next port is taken as well. */
  readonly port: number;
  /** The port of workerd's inspector; none if absent. */
  readonly inspectorPort?: number;
}

/** Starts a Worker, one after the other. Requests reach it directly: Miniflare's own entry, which a deployed Worker has not, is passed by. */
export async function startWorker(worker: WorkerToRun): Promise<RunningWorker> {
  const { script, options, state, port, inspectorPort } = worker;
  const before = new Set(childrenNamed('workerd'));
  const miniflare = new Miniflare({
    ...options,
    modules: [{ type: 'ESModule', path: script }],
    modulesRoot: path.dirname(script),
    host: '127.0.0.1',
    port,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: port + 1 }],
    d1Persist: path.join(state, 'v3', 'd1'),
    kvPersist: path.join(state, 'v3', 'kv'),
    handleRuntimeStdio: discard,
  } as MiniflareOptions);
  const address = await miniflare.unsafeGetDirectURL();
  const pid = childrenNamed('workerd').find((id) => !before.has(id)) ?? 0;
  return { origin: address.origin, miniflare, pid, stop: () => miniflare.dispose() };
}

/** What Workers log is read, as the platform reads it, and thrown away. */
function discard(stdout: Readable, stderr: Readable): void {
  stdout.resume();
  stderr.resume();
}
