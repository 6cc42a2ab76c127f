import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Platform } from '../../src/cli/command/command.ts';
import { runIn } from '../support/command-line.ts';
import type { Random } from '../support/random.ts';
import { type Agency, rentalOf, saleOf } from './agency.ts';
import type { Tally } from './tally.ts';

/** What imports and losses need. */
export interface Operation {
  readonly platform: Platform;
  readonly directory: string;
  readonly agencies: readonly Agency[];
  readonly tally: Tally;
  isOver(): boolean;
}

/** Milliseconds between two imports, and between two losses. */
const IMPORT_EVERY = 10_000;
const LOSE_EVERY = 5_000;

/** Imports higher prices of some properties until it is over, as the operator's program does. */
export async function importAgain(operation: Operation, random: Random): Promise<void> {
  const { platform, directory, agencies, tally } = operation;
  const file = join(directory, 'changed.ndjson');
  while (!operation.isOver()) {
    const agency = random.pick(agencies);
    const changes = [
      ...random.some([...agency.sales], 3).map(([id, timeline]) => ({ id, timeline, documentOf: saleOf })),
      ...random.some([...agency.rentals], 1).map(([id, timeline]) => ({ id, timeline, documentOf: rentalOf })),
    ].map((change) => ({ ...change, price: change.timeline.highest + 1 }));
    for (const { timeline, price } of changes) timeline.send(price);
    await writeFile(file, changes.map(({ id, price, documentOf }) => JSON.stringify(documentOf(id, price))).join('\n'));
    const context = {
      directory,
      now: () => new Date(),
      origin: () => Promise.reject(new Error('An import prints no address')),
      open: async () => ({ env: platform.env, [Symbol.asyncDispose]: async () => {} }),
      wrangler: () => Promise.reject(new Error('An import does not run wrangler')),
    };
    for (;;) {
      const { exit } = await runIn(context, ['import', file, '--account', agency.code], '');
      if (exit === 0) break;
      if (operation.isOver()) return;
      tally.count('imports: failed, repeated');
    }
    const now = performance.now();
    for (const { timeline, price } of changes) timeline.acknowledge(price, now);
    tally.count('imports');
    await pause(IMPORT_EVERY);
  }
}

/** Deletes some entries of KV again and again until it is over, as if KV had lost them. */
export async function loseSnapshots({ platform, tally, isOver }: Operation, random: Random): Promise<void> {
  const { SNAPSHOTS } = platform.env;
  while (!isOver()) {
    await pause(LOSE_EVERY);
    try {
      const { keys } = await SNAPSHOTS.list({ limit: 1_000 });
      for (const { name } of random.some(keys, Math.ceil(keys.length / 20))) {
        await SNAPSHOTS.delete(name);
        tally.count('lost KV entries');
      }
    } catch {
      // The service is writing to the same file at this moment.
    }
  }
}
