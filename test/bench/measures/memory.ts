import type { Bench } from '../bench.ts';
import { readSlowly } from '../load/slow-reader.ts';
import type { Row } from '../report/row.ts';
import type { Lindero } from '../servers/lindero.ts';
import { peakMemory } from '../servers/processes.ts';
import { compare } from './compare.ts';
import { isolateMemory } from './isolate-memory.ts';
import type { Measure } from './measure.ts';
import type { Sample } from './rounds.ts';

const PROPERTIES = 10_000;
const SLOW = 50_000;

/** Processes per case; memory varies little between them. */
const ROUNDS = 3;

const CASES = (['cached', 'built'] as const).flatMap((state) =>
  (['gzip', 'identity'] as const).map((encoding) => ({ state, encoding })),
);

/** The peak memory of workerd with a slow reader, compared with a fast reader. */
export const memory: Measure = {
  name: 'memory',
  async run(bench) {
    const seconds = bench.options.quick ? 5 : 25;
    const rounds = bench.options.quick ? 1 : ROUNDS;
    const samples = CASES.map(() => ({ slow: [] as Sample[], fast: [] as Sample[] }));
    const ports = CASES.map(() => bench.ports(2));
    const start = async (place: number) => {
      const lindero = await bench.fresh(`memory-${place}`, ports[place]!);
      const feed = CASES[place]!.state === 'cached' ? lindero.cachedFeed(PROPERTIES) : lindero.newFeed(PROPERTIES);
      return { lindero, feed, ...CASES[place]!, samples: samples[place]! };
    };
    for (let round = 0; round < rounds; round++) {
      for (const place of CASES.keys()) {
        const { lindero, feed, encoding, samples } = await start(place);
        await readFast(bench, lindero, feed, encoding);
        samples.fast.push(peakOf(lindero));
        await lindero.stop();
      }
      const slow = [];
      for (const place of CASES.keys()) slow.push(await start(place));
      await Promise.all(
        slow.map(({ lindero, feed, encoding }) => readSlowly(lindero.origin, feed, encoding, SLOW, seconds)),
      );
      for (const { lindero, samples } of slow) {
        samples.slow.push(peakOf(lindero));
        await lindero.stop();
      }
    }
    const peaks = CASES.map(
      ({ state, encoding }, place): Row =>
        compare(
          {
            measure: 'memory',
            what: `peak with a reader of 50 KB/s, 10,000 properties, ${state}, ${encoding}`,
            unit: 'MB',
            against: 'Lindero, fast reader',
            target: { atMost: 1.1 },
          },
          samples[place]!.slow,
          samples[place]!.fast,
        ),
    );
    return [...peaks, ...(await isolateMemory(bench))];
  },
};

function readFast(bench: Bench, lindero: Lindero, path: string, encoding: string): Promise<unknown> {
  const headers = { 'accept-encoding': encoding };
  return bench.load.run(lindero, { paths: [path], headers, connections: 1, requests: 1, status: 200 });
}

function peakOf({ pid }: Lindero): Sample {
  return { figure: peakMemory(pid), processor: null };
}
