import { Pool } from 'undici';

/** Requests that the load generator makes, each once a connection is free. */
export interface Job {
  readonly origin: string;
  /** Paths with queries, requested in turn and cyclically. */
  readonly paths: readonly string[];
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** The bodies of the requests, used cyclically like the paths. */
  readonly bodies?: readonly string[];
  readonly connections: number;
  readonly requests: number;
  /** The required status of every response. */
  readonly status: number;
  /** The required size of every body in bytes. */
  readonly bytes?: number;
  /** What Cache-Status of every response must contain. */
  readonly cacheStatus?: string;
}

export interface JobResult {
  /** From the first request to the end of the last response. */
  readonly milliseconds: number;
  /** Processor time of the generator itself, in milliseconds. */
  readonly ownProcessor: number;
}

/** The load generator's process: receives jobs from its parent, one at a time, and returns their results. */

const pools = new Map<string, Pool>();

process.on('disconnect', () => process.exit());
process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send!({ result }),
    (error: unknown) => process.send!({ error: String(error) }),
  );
});

async function run(job: Job): Promise<JobResult> {
  const pool = poolOf(job);
  let next = 0;
  const worker = async () => {
    while (next < job.requests) await exchange(pool, job, next++);
  };
  const before = process.cpuUsage();
  const started = performance.now();
  await Promise.all(Array.from({ length: job.connections }, worker));
  const milliseconds = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { milliseconds, ownProcessor: (user + system) / 1000 };
}

/** Connections stay open between jobs. */
function poolOf({ origin, connections }: Job): Pool {
  const key = `${origin} ${connections}`;
  const known = pools.get(key);
  if (known !== undefined) return known;
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  pools.set(key, pool);
  return pool;
}

function exchange(pool: Pool, job: Job, index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = job.paths[index % job.paths.length]!;
    const body = job.bodies === undefined ? null : job.bodies[index % job.bodies.length]!;
    let bytes = 0;
    let problem: string | undefined;
    pool.dispatch(
      { path, method: job.method ?? 'GET', headers: { ...job.headers }, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          if (status !== job.status) problem = `the status ${status}`;
          else if (
            job.cacheStatus !== undefined &&
            !String(headers['cache-status']).includes(job.cacheStatus)
          ) {
            problem = `the Cache-Status ${headers['cache-status']}`;
          }
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length;
        },
        onResponseEnd() {
          if (job.bytes !== undefined && bytes !== job.bytes)
            problem ??= `${bytes} bytes, not ${job.bytes}`;
          if (problem === undefined) resolve();
          else reject(new Error(`${job.origin}${path.split('?')[0]} answered with ${problem}`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}
