import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { unitNames } from '../data/portfolio.ts';
import type { Row } from '../report/row.ts';
import { type Lindero, updateOf, updatePath } from '../servers/lindero.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, repeated, type Sample } from './rounds.ts';

type Encoding = 'identity' | 'gzip';

const ENCODINGS = ['identity', 'gzip'] as const;

/** Requests per sample, except for the longest. */
const TIMES = 3;

/** Milliseconds before each sample, so that garbage collection of the previous feed does not count. */
const REST = 250;

/** The first feed after the 200 of an update, compared with a complete build and a smaller account; and a hit. */
export const change: Measure = {
  name: 'change',
  async run(bench) {
    const ours = await bench.lindero();
    const tokens = new Map<number, string>();
    for (const size of [200, 1_000, 10_000]) tokens.set(size, await ours.token(size));
    const rows: Row[] = [];
    for (const encoding of ENCODINGS) {
      const first = (size: number, partly: string) => async () => {
        const feed = ours.cachedFeed(size);
        await ours.cache(feed);
        await sleep(REST);
        await changeUnit(bench, ours, size, tokens.get(size)!);
        return timed(bench, ours, feed, encoding, partly);
      };
      const hit = (size: number) => async () => {
        await ours.cache(ours.cachedFeed(size));
        await sleep(REST);
        return timed(bench, ours, ours.cachedFeed(size), encoding, '; hit;');
      };
      const build = (size: number) => async () => {
        await sleep(REST);
        return timed(bench, ours, ours.newFeed(size), encoding, 'fwd=miss');
      };
      const samples = await alternate(bench.options.rounds, {
        large: repeated(TIMES, first(10_000, 'fwd=partial')),
        largeHit: repeated(TIMES, hit(10_000)),
        largeBuild: build(10_000),
        medium: repeated(TIMES, first(1_000, 'fwd=partial')),
        small: repeated(TIMES, first(200, 'fwd=miss')),
        smallHit: repeated(TIMES, hit(200)),
        smallBuild: repeated(TIMES, build(200)),
      });
      const add = (
        what: string,
        ours: keyof typeof samples,
        other: keyof typeof samples,
        against: string,
        most?: number,
      ) =>
        rows.push(
          compare(
            {
              measure: 'change',
              what: `${what}, ${encoding}`,
              unit: 'ms',
              against: `Lindero, ${against}`,
              target: most === undefined ? null : { atMost: most },
            },
            samples[ours],
            samples[other],
          ),
        );
      add('first feed after a change, 10,000 properties', 'large', 'largeBuild', 'full build', 0.1);
      add('first feed after a change, 10,000 properties', 'large', 'medium', '1,000 properties', 1.5);
      add('hit after a change, 10,000 properties', 'largeHit', 'largeBuild', 'full build');
      add('first feed after a change, 200 properties', 'small', 'smallBuild', 'full build');
      add('hit after a change, 200 properties', 'smallHit', 'smallBuild', 'full build');
    }
    return rows;
  },
};

/** Updates a random unit of the account. */
export async function changeUnit(bench: Bench, lindero: Lindero, size: number, token: string): Promise<void> {
  const names = unitNames(size);
  await bench.load.run(lindero, {
    method: 'POST',
    paths: [updatePath],
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    bodies: [updateOf(names[Math.floor(Math.random() * names.length)]!)],
    connections: 1,
    requests: 1,
    status: 200,
  });
}

async function timed(
  bench: Bench,
  lindero: Lindero,
  path: string,
  encoding: Encoding,
  cacheStatus: string,
): Promise<Sample> {
  const { milliseconds, processor } = await bench.load.run(lindero, {
    paths: [path],
    headers: { 'accept-encoding': encoding },
    connections: 1,
    requests: 1,
    status: 200,
    cacheStatus,
  });
  await lindero.settle(path);
  return { figure: milliseconds, processor };
}
