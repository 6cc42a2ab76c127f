import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { Inspector } from '../../support/processes/inspector.ts';
import type { Bench } from '../bench.ts';
import { readSlowly } from '../load/slow-reader.ts';
import type { Measure, Row } from '../report.ts';
import type { Lindero } from '../servers/lindero.ts';

const PROPERTIES = 10_000;
const SLOW = 50_000;
const FAST = 1_000_000_000;

/** Seconds after the start at which the memory is measured. */
const POINTS = [1, 2, 4, 6, 8, 12, 16];

/** A reader: what it requests, and how many bytes a second it reads. */
interface Reader {
  readonly path: string;
  readonly encoding: 'gzip' | 'identity';
  readonly bytesPerSecond: number;
}

const BUILDS =
  'isolate with sixteen concurrent builds, gzip and identity, a quarter of the readers slow';

/** Live memory of the Worker's isolate, which has 128 MB, with many readers at once. */
export const memory: Measure<Bench> = {
  name: 'memory',
  run: async (bench) => [
    await live(bench, `${BUILDS}, 10,000 properties`, 100, (lindero) =>
      sixteenReaders(() => lindero.newFeed(PROPERTIES)),
    ),
    await live(
      bench,
      'the same with texts of 2,000 characters in ten languages, 2,000 properties',
      100,
      (lindero) => sixteenReaders(() => lindero.newLongFeed()),
    ),
    await live(
      bench,
      'fifty identity readers of 50 KB/s of a cached feed, 10,000 properties',
      100,
      (lindero) =>
        Array<Reader>(50).fill({
          path: lindero.cachedFeed(PROPERTIES),
          encoding: 'identity',
          bytesPerSecond: SLOW,
        }),
    ),
  ],
};

function sixteenReaders(newFeed: () => string): Reader[] {
  return Array.from({ length: 16 }, (_, index) => ({
    path: newFeed(),
    encoding: index % 2 === 0 ? 'gzip' : 'identity',
    bytesPerSecond: index % 8 < 2 ? SLOW : FAST,
  }));
}

async function live(
  bench: Bench,
  what: string,
  atMost: number,
  readersOf: (lindero: Lindero) => readonly Reader[],
): Promise<Row> {
  const port = bench.ports(3);
  const lindero = await bench.fresh(`memory-${port}`, port, port + 2);
  const inspector = await Inspector.connect(port + 2);
  try {
    const taken = await takenDuring(lindero, inspector, readersOf(lindero));
    const figures = taken.map((figure) => figure.toFixed(0)).join(', ');
    bench.texts.push(`${what}: live memory after ${POINTS.join(', ')} s: ${figures} MB`);
    const ours = [{ figure: Math.max(...taken), processor: null }];
    return { measure: 'memory', what, unit: 'MB', against: '', floor: { atMost }, ours, other: [] };
  } finally {
    inspector.close();
    await lindero.stop();
  }
}

/** The live memory at each point while readers read; fast readers may end before. */
async function takenDuring(
  lindero: Lindero,
  inspector: Inspector,
  readers: readonly Reader[],
): Promise<number[]> {
  const last = POINTS.at(-1)!;
  const reading = Promise.all(
    readers.map(({ path, encoding, bytesPerSecond }) =>
      readSlowly(lindero.origin, path, encoding, bytesPerSecond, last, bytesPerSecond === FAST),
    ),
  );
  const started = performance.now();
  const taken: number[] = [];
  for (const point of POINTS) {
    await sleep(started + point * 1000 - performance.now());
    taken.push(await inspector.liveMegabytes(() => wake(lindero)));
  }
  await reading;
  return taken;
}

/** A request that is answered without D1 and KV. */
async function wake({ origin }: Lindero): Promise<void> {
  const response = await request(`${origin}/nothing`);
  await response.body.dump();
}
