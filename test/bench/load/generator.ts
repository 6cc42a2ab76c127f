import { Pool } from 'undici';
import type { Job, JobResult } from './job.ts';

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
  const firstByte: number[] = [];
  let bytes = 0;
  let next = 0;
  const worker = async () => {
    while (next < job.requests) {
      const answer = await exchange(pool, job, next++);
      bytes += answer.bytes;
      firstByte.push(answer.firstByte);
    }
  };
  const before = process.cpuUsage();
  const started = performance.now();
  await Promise.all(Array.from({ length: job.connections }, worker));
  const milliseconds = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { milliseconds, bytes, firstByte: firstByte.sort((a, b) => a - b), ownProcessor: (user + system) / 1000 };
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

function exchange(pool: Pool, job: Job, index: number): Promise<{ bytes: number; firstByte: number }> {
  return new Promise((resolve, reject) => {
    const path = job.paths[index % job.paths.length]!;
    const body = job.bodies === undefined ? null : job.bodies[index % job.bodies.length]!;
    const started = performance.now();
    let firstByte = 0;
    let bytes = 0;
    let problem: string | undefined;
    pool.dispatch(
      { path, method: job.method ?? 'GET', headers: { ...job.headers }, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          if (status !== job.status) problem = `the status ${status}`;
          else if (job.cacheStatus !== undefined && !String(headers['cache-status']).includes(job.cacheStatus)) {
            problem = `the Cache-Status ${headers['cache-status']}`;
          }
        },
        onResponseData(_controller, chunk) {
          if (bytes === 0) firstByte = performance.now() - started;
          bytes += chunk.length;
        },
        onResponseEnd() {
          if (job.bytes !== undefined && bytes !== job.bytes) problem ??= `${bytes} bytes, not ${job.bytes}`;
          if (problem === undefined) resolve({ bytes, firstByte });
          else reject(new Error(`${job.origin}${path.split('?')[0]} answered with ${problem}`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}
