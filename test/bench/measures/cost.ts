import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { hashPassword, passwordMatches } from '../../../src/lib/secrets/secrets.ts';
import { noUsage, type Usage } from '../../support/platform/usage.ts';
import type { Bench } from '../bench.ts';
import { monthOf, type Operations } from '../cost/agencies.ts';
import { type Cost, totalOf } from '../cost/prices.ts';
import { LARGE } from '../data/accounts.ts';
import { unitNames } from '../data/portfolio.ts';
import type { Job } from '../load/generator.ts';
import { type Measure, markdown } from '../report.ts';
import { type Lindero, updateManyPath, updateOf, updatePath } from '../servers/lindero.ts';
import { etagOf } from './not-modified.ts';

/** Longer than an isolate caches a manifest: each request then reads it again, as in a new isolate. */
const MANIFEST_LIFETIME = 1_100;

/** Properties of the accounts whose feeds have one segment, and twenty. */
const [ONE, TWENTY] = [LARGE, 10_000];
const FEEDS = [['1 segment', ONE] as const, ['20 segments', TWENTY] as const];

type Request = Omit<Job, 'origin' | 'connections' | 'requests' | 'status'> & {
  readonly status?: number;
};

/** What each operation uses, exactly, and what a month of them costs. */
export const cost: Measure<Bench> = {
  name: 'cost',
  async run(bench) {
    const counting = await bench.counting();
    const ours = await bench.lindero();
    const costs = new Map<string, Cost>();
    const measure = async (
      name: string,
      times: number,
      requestTo: (lindero: Lindero) => Promise<Request>,
    ) => {
      const usage = await count(bench, counting, await requestTo(counting));
      const cpu = await processorTime(bench, ours, times, () => requestTo(ours));
      costs.set(name, { ...usage, cpu });
    };
    const kept = async (lindero: Lindero, feed: string) => {
      await lindero.cache(feed);
      await sleep(MANIFEST_LIFETIME);
      return { paths: [feed], headers: { 'accept-encoding': 'gzip' } };
    };
    const cached = (size: number) => (lindero: Lindero) => kept(lindero, lindero.cachedFeed(size));
    // The ledger's row is written by the first request, and for ten minutes by no other.
    const keyed = (size: number) => async (lindero: Lindero) =>
      kept(lindero, await lindero.keyedFeed(size));

    const unchanged =
      (feedOf: (lindero: Lindero) => ReturnType<typeof kept>) => async (lindero: Lindero) => {
        const feed = await feedOf(lindero);
        const etag = await etagOf(lindero.origin + feed.paths[0]!);
        await sleep(MANIFEST_LIFETIME);
        return { ...feed, headers: { ...feed.headers, 'if-none-match': etag }, status: 304 };
      };

    await measure('304, 1 segment', 20, unchanged(cached(ONE)));
    await measure('304, 20 segments', 5, unchanged(cached(TWENTY)));
    await measure('304, 1 segment, reader key', 20, unchanged(keyed(ONE)));
    await measure('hit, 1 segment', 20, cached(ONE));
    await measure('hit, 1 segment, reader key', 20, keyed(ONE));
    await measure('hit, 20 segments', 5, cached(TWENTY));
    await measure('ledger, once in ten minutes', 5, async (lindero) => ({
      ...(await cached(ONE)(lindero)),
      paths: [await lindero.keyedFeed(ONE)],
    }));
    for (const [segments, size] of FEEDS) {
      await measure(`first build, ${segments}`, 3, async (lindero) => ({
        paths: [lindero.newFeed(size)],
        headers: { 'accept-encoding': 'gzip' },
      }));
    }
    for (const [segments, size] of FEEDS) {
      await measure(`after a change, ${segments}`, 3, async (lindero) => {
        const feed = await cached(size)(lindero);
        await send(bench, lindero, await update(lindero, size));
        await sleep(MANIFEST_LIFETIME);
        return feed;
      });
    }
    await measure('update', 20, (lindero) => update(lindero, ONE));
    await measure('update of 100', 3, (lindero) => updateMany(lindero, TWENTY));
    await measure('token', 20, (lindero) => lindero.tokenRequest(ONE));
    costs.set('sweep', {
      ...(await count(bench, counting, { method: 'POST', paths: ['/sweep'] })),
      cpu: 0,
    });
    costs.set('password check', { ...noUsage(), cpu: await passwordCheck() });

    bench.texts.push(costTable(costs), billTable(costs));
    return [];
  },
};

/** What a request uses, with its background tasks. */
async function count(bench: Bench, counting: Lindero, job: Request): Promise<Usage> {
  await usageOf(counting);
  await send(bench, counting, job);
  return usageOf(counting);
}

/** Sends a request, again if it met a connection that the server had just closed because it was idle. */
function send(bench: Bench, lindero: Lindero, job: Request) {
  return bench.load.run(lindero, once(job)).catch((error: unknown) => {
    if (!String(error).includes('ECONNRESET')) throw error;
    return bench.load.run(lindero, once(job));
  });
}

/** The usage since the last call, after all background tasks have ended. */
export async function usageOf({ origin }: Lindero): Promise<Usage> {
  for (;;) {
    const response = await request(`${origin}/usage`);
    const { pending, usage } = (await response.body.json()) as { pending: number; usage: Usage };
    if (pending === 0) return usage;
    await sleep(20);
  }
}

/** Milliseconds of processor time that workerd takes for one of several requests, D1 and KV included. */
async function processorTime(
  bench: Bench,
  lindero: Lindero,
  times: number,
  next: () => Promise<Request>,
): Promise<number> {
  let total = 0;
  for (let time = 0; time < times; time++) {
    const { processor } = await send(bench, lindero, await next());
    total += processor ?? 0;
  }
  return total / times;
}

function once(job: Request) {
  return { ...job, status: job.status ?? 200, connections: 1, requests: 1 };
}

async function update(lindero: Lindero, size: number): Promise<Request> {
  const [name] = unitNames(size);
  return {
    method: 'POST',
    paths: [updatePath],
    headers: {
      authorization: `Bearer ${await tokenOf(lindero, size)}`,
      'content-type': 'application/json',
    },
    bodies: [updateOf(name!)],
  };
}

async function updateMany(lindero: Lindero, size: number): Promise<Request> {
  const bodies = unitNames(size).slice(0, 100).map(updateOf);
  return {
    ...(await update(lindero, size)),
    paths: [updateManyPath],
    bodies: [`[${bodies.join(',')}]`],
  };
}

const tokens = new Map<string, Promise<string>>();

function tokenOf(lindero: Lindero, size: number): Promise<string> {
  const key = `${lindero.origin} ${size}`;
  const known = tokens.get(key) ?? lindero.token(size);
  tokens.set(key, known);
  return known;
}

/** Milliseconds of the check of a password that an isolate has not verified before. */
async function passwordCheck(): Promise<number> {
  const stored = await hashPassword('bench');
  const times = 20;
  const began = process.cpuUsage();
  for (let time = 0; time < times; time++) await passwordMatches('bench', stored);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000 / times;
}

function costTable(costs: ReadonlyMap<string, Cost>): string {
  const heads = [
    'operation',
    'round trips',
    'statements',
    'rows read',
    'rows written',
    'KV reads',
    'KV writes',
  ];
  const rows = [...costs].map(([name, used]) => [
    name,
    ...[
      used.roundTrips,
      used.statements,
      used.rowsRead,
      used.rowsWritten,
      used.kvReads,
      used.kvWrites,
    ].map(String),
    ...[String(used.kvDeletes), used.cpu === 0 ? '' : used.cpu.toFixed(1)],
  ]);
  return markdown([...heads, 'KV deletes', 'CPU ms'], rows);
}

/** A month's bill for agencies with 20 segments, whose portals poll every five minutes or every hour. */
function billTable(costs: ReadonlyMap<string, Cost>): string {
  const operations: Operations = {
    notModified: costs.get('304, 20 segments')!,
    hit: costs.get('hit, 20 segments')!,
    afterChange: costs.get('after a change, 20 segments')!,
    update: costs.get('update')!,
  };
  const scenarios = [300, 3_600].flatMap((interval) =>
    [1, 5, 20].map((sets) => ({ interval, sets })),
  );
  const dollars = (amount: number) => `$${Math.round(amount).toLocaleString('en')}`;
  const rows = scenarios.map(({ interval, sets }) => [
    interval === 300 ? 'five minutes' : 'hour',
    String(sets),
    ...[1, 100, 1_000].flatMap((agencies) =>
      [false, true].map((hasLocalCache) =>
        dollars(totalOf(monthOf({ agencies, sets, interval, hasLocalCache }, operations))),
      ),
    ),
  ]);
  const columns = ['1 agency', '100 agencies', '1,000 agencies'].flatMap((name) => [
    name,
    `${name}, at a domain`,
  ]);
  return markdown(['polled every', 'parameter sets', ...columns], rows);
}
