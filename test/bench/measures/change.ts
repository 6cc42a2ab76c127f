import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { unitNames } from '../data/portfolio.ts';
import { alternate, type Measure, type Row, type Sample } from '../report.ts';
import { updateOf, updatePath } from '../servers/lindero.ts';

const PROPERTIES = 10_000;

/** Milliseconds before each sample, so that garbage collection of the previous feed does not count. */
const REST = 250;

/** Most of a gzip feed is sent as it is cached; for identity, every segment is inflated. */
const FLOORS = { gzip: { atMost: 0.1 }, identity: { atMost: 0.55 } } as const;

const CASES = [
  ['gzip', 'resales'],
  ['identity', 'resales'],
  ['gzip', 'idealista'],
] as const;

/** The first feed after the 200 of an update, compared with a complete build. */
export const change: Measure<Bench> = {
  name: 'change',
  async run(bench) {
    const { options, load } = bench;
    const lindero = await bench.lindero();
    const authorization = `Bearer ${await lindero.token(PROPERTIES)}`;
    const [unit] = unitNames(PROPERTIES);
    const rows: Row[] = [];
    for (const [encoding, format] of CASES) {
      const timed = async (path: string, cacheStatus: string): Promise<Sample> => {
        await sleep(REST);
        const once = { connections: 1, requests: 1, status: 200 };
        const job = {
          paths: [path],
          headers: { 'accept-encoding': encoding },
          cacheStatus,
          ...once,
        };
        const { milliseconds, processor } = await load.run(lindero, job);
        await lindero.settle(path);
        return { figure: milliseconds, processor };
      };
      const samples = await alternate(options.rounds, {
        first: async () => {
          const feed = lindero.cachedFeed(PROPERTIES, format);
          await lindero.cache(feed);
          await load.run(lindero, {
            method: 'POST',
            paths: [updatePath],
            headers: { authorization, 'content-type': 'application/json' },
            bodies: [updateOf(unit!)],
            ...{ connections: 1, requests: 1, status: 200 },
          });
          return timed(feed, 'fwd=partial');
        },
        build: () => timed(lindero.newFeed(PROPERTIES, format), 'fwd=miss'),
      });
      rows.push({
        ...{
          measure: 'change',
          unit: 'ms',
          against: 'Lindero, full build',
          floor: FLOORS[encoding],
        },
        what: `first feed after a change, 10,000 properties${format === 'resales' ? '' : ` as ${format}`}, ${encoding}`,
        ...{ ours: samples.first, other: samples.build },
      });
    }
    return rows;
  },
};
