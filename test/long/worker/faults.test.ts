import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FaultRates } from '../../support/platform/faults.ts';
import { Random } from '../../support/random.ts';
import { storeAgency, type TestAgency } from './faults/agency.ts';
import { ENCODINGS, QUERIES, Readers } from './faults/reader.ts';
import { Service } from './faults/service.ts';
import { checkStored } from './faults/stored.ts';
import { Writers } from './faults/writers.ts';

beforeEach(() => {
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Requests for feeds of one scenario, before those of its end: half as many in a run of all tests. */
const READS = Math.min(240, 2 * env.FUZZ.cases);

/** With updates, imports and repetitions, a scenario takes as long as this many cases of other fuzz tests. */
const CASES = 600;

/** What goes wrong at the same time: nothing, a little, much, one of the two altogether. */
const WEATHER: readonly FaultRates[] = [
  { d1: 0, kv: 0, slow: 0 },
  { d1: 0, kv: 0, slow: 0.7 },
  { d1: 0.03, kv: 0.03, slow: 0.7 },
  { d1: 0.15, kv: 0.15, slow: 0.3 },
  { d1: 0.4, kv: 0.4, slow: 0 },
  { d1: 1, kv: 0, slow: 0 },
  { d1: 0, kv: 1, slow: 0.3 },
];

/** Milliseconds between two rounds; after the longest, the ledger records again. */
const PAUSES = [0, 0, 300, 999, 1_000, 2_000, 61_000, 601_000];

test(`feeds, updates, imports and deployments while D1 and KV fail: no wrong feed, no lost update, no false delivery, and recovery (seed ${env.FUZZ.seed})`, {
  timeout: 0,
}, async () => {
  const counts: Record<string, number> = {};
  for (let done = 0, seed = env.FUZZ.seed; done < env.FUZZ.cases; done += CASES, seed++) {
    const counted = await playScenario(seed).catch((error) => {
      throw new Error(`Seed ${seed}: ${(error as Error).message}`, { cause: error });
    });
    for (const [name, count] of Object.entries(counted)) counts[name] = (counts[name] ?? 0) + count;
  }
  // Whether a response has begun before D1 fails depends on how busy the machine is: one scenario may have none.
  const rare = env.FUZZ.cases > CASES ? ['aborted'] : [];
  for (const name of [
    '200',
    '304',
    '503',
    'disconnected',
    'updates',
    'imports',
    'repeated',
    ...rare,
  ]) {
    expect(counts[name] ?? 0, name).toBeGreaterThan(0);
  }
  console.log(`faults, seed ${env.FUZZ.seed}: ${JSON.stringify(counts)}`);
});

async function playScenario(seed: number): Promise<Record<string, number>> {
  const random = new Random(seed);
  const service = await Service.start(random);
  const agencies = [
    await storeAgency(`ONE${seed}`, 1, service.clock),
    await storeAgency(`MANY${seed}`, 3, service.clock),
  ];
  const readers = new Readers(service, random.fork());
  const writers = new Writers(service, random.fork());
  for (let reads = 0; reads < READS; ) {
    service.advance(random.pick(PAUSES));
    if (random.next() < 0.15) await service.redeploy();
    if (random.next() < 0.2) await service.loseEntries();
    service.faults.rates = random.pick(WEATHER);
    const isWriting = random.next() < 0.6;
    const isQuiet = service.faults.rates === WEATHER[0] && !isWriting;
    const readersNow = random.between(3, 10);
    const queries = random.some(QUERIES, 2);
    reads += readersNow;
    await unlessItHangs([
      ...Array.from({ length: readersNow }, () =>
        readers.readAny(random.pick(agencies), random.pick(queries), isQuiet),
      ),
      ...(isWriting ? agencies.flatMap((agency) => write(agency, writers, random)) : []),
      ...(random.next() < 0.1 ? [service.runSchedule()] : []),
    ]);
  }
  await checkRecovery(agencies, service, readers);
  return { ...readers.counts, ...writers.counts };
}

/** Waits for all, but not forever: a request that waits for another one would never end here, where time stands still. */
async function unlessItHangs(work: readonly Promise<void>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('A request hangs')), 300_000);
  });
  await Promise.race([Promise.all(work), limit]).finally(() => clearTimeout(timer));
}

/** Some writers at the same time, never two of the same unit. */
function write(agency: TestAgency, writers: Writers, random: Random): Promise<void>[] {
  const names = random.some([...agency.units.keys()], random.between(0, 2));
  const together = names.length === 2 && random.next() < 0.3;
  const updates = together
    ? [writers.update(agency, names)]
    : names.map((name) => writers.update(agency, [name]));
  return random.next() < 0.3 ? [...updates, writers.import(agency)] : updates;
}

/** Once nothing fails any more, every feed is right after a second, without a restart, and cached after a minute. */
async function checkRecovery(
  agencies: readonly TestAgency[],
  service: Service,
  readers: Readers,
): Promise<void> {
  service.faults.rates = WEATHER[0]!;
  service.advance(1_000);
  for (const agency of agencies) {
    await checkStored(agency);
    await readers.checkLedger(agency);
    for (const query of QUERIES) {
      for (const isolate of service.isolates) {
        await readers.readWhole(agency, query, 'identity', isolate);
        service.advance(61_000);
      }
      for (const [index, isolate] of service.isolates.entries()) {
        const { headers } = await readers.readWhole(agency, query, ENCODINGS[index]!, isolate);
        expect(headers.get('Cache-Status')).toMatch(/^Lindero; hit/);
      }
    }
  }
}
