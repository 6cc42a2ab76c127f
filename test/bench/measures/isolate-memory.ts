import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { Inspector } from '../../support/inspector.ts';
import type { Bench } from '../bench.ts';
import { readSlowly } from '../load/slow-reader.ts';
import type { Row } from '../report/row.ts';
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

/** Live memory of the Worker's isolate, which has 128 MB, with many readers at once. */
export async function isolateMemory(bench: Bench): Promise<Row[]> {
  const sixteen = 'isolate with sixteen concurrent builds, gzip and identity, a quarter of the readers slow';
  const long = 'the same with texts of 2,000 characters in ten languages, 2,000 properties';
  const fifty = 'added to the isolate by fifty identity readers of 50 KB/s of a cached feed';
  return [
    await row(bench, 'builds', 100, `${sixteen}, 10,000 properties`, (...of) =>
      builds(...of, (lindero) => lindero.newFeed(PROPERTIES)),
    ),
    await row(bench, 'long', 100, long, (...of) => builds(...of, (lindero) => lindero.newLongFeed())),
    await row(bench, 'slow', 40, `${fifty}, 10,000 properties`, slowReaders),
  ];
}

async function row(
  bench: Bench,
  name: string,
  atMost: number,
  what: string,
  megabytes: (lindero: Lindero, inspector: Inspector) => Promise<Taken>,
): Promise<Row> {
  const port = bench.ports(3);
  const lindero = await bench.fresh(`isolate-${name}`, port, port + 2);
  const inspector = await Inspector.connect(port + 2);
  try {
    const { before, during } = await megabytes(lindero, inspector);
    const ours = Math.max(...during) - before;
    const figures = during.map((figure) => figure.toFixed(0)).join(', ');
    bench.print(`${what}: live memory after ${POINTS.join(', ')} s: ${figures} MB`);
    const shared = {
      measure: 'memory',
      unit: 'MB',
      against: '',
      other: null,
      byProcessor: null,
      samples: {},
    } as const;
    return { ...shared, what, ours, ratio: ours, target: { atMost } };
  } finally {
    inspector.close();
    await lindero.stop();
  }
}

/** Megabytes to be subtracted, and those at each of the points. */
interface Taken {
  readonly before: number;
  readonly during: readonly number[];
}

async function builds(lindero: Lindero, inspector: Inspector, newFeed: (lindero: Lindero) => string): Promise<Taken> {
  const readers = Array.from(
    { length: 16 },
    (_, index): Reader => ({
      path: newFeed(lindero),
      encoding: index % 2 === 0 ? 'gzip' : 'identity',
      bytesPerSecond: index % 8 < 2 ? SLOW : FAST,
    }),
  );
  return { before: 0, during: await takenDuring(lindero, inspector, readers) };
}

async function slowReaders(lindero: Lindero, inspector: Inspector): Promise<Taken> {
  const path = lindero.cachedFeed(PROPERTIES);
  const reader: Reader = { path, encoding: 'identity', bytesPerSecond: SLOW };
  await readSlowly(lindero.origin, path, 'identity', SLOW, 1);
  const before = await inspector.liveMegabytes(() => wake(lindero));
  return { before, during: await takenDuring(lindero, inspector, Array<Reader>(50).fill(reader)) };
}

/** The live memory at each point while readers read; fast readers may end before. */
async function takenDuring(lindero: Lindero, inspector: Inspector, readers: readonly Reader[]): Promise<number[]> {
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
