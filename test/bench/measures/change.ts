import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { accountCode } from '../data/accounts.ts';
import type { Row } from '../report/row.ts';
import type { Lindero } from '../servers/lindero.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, type Sample } from './rounds.ts';

/** Milliseconds for which the Worker may take the head of a feed as it was. */
const HEAD_IS_FRESH = 1_000;

/** The first feed after one property's change, against the whole build and against the same of a smaller account. */
export const change: Measure = {
  name: 'change',
  async run(bench) {
    const { ours } = await bench.linderos();
    const rows: Row[] = [];
    for (const encoding of ['identity', 'gzip'] as const) {
      const samples = await alternate(bench.options.rounds, {
        large: () => firstAfterChange(bench, ours, 10_000, encoding),
        medium: () => firstAfterChange(bench, ours, 1_000, encoding),
        build: () => timed(bench, ours, ours.newFeed(10_000), encoding, 'fwd=miss'),
      });
      const what = `first feed after a change, 10,000 properties, ${encoding}`;
      const about = { measure: 'change', what, unit: 'ms' } as const;
      rows.push(
        compare({ ...about, against: 'Lindero, full build', target: { atMost: 0.1 } }, samples.large, samples.build),
        compare(
          { ...about, against: 'Lindero, 1,000 properties', target: { atMost: 1.5 } },
          samples.large,
          samples.medium,
        ),
      );
    }
    return rows;
  },
};

async function firstAfterChange(bench: Bench, lindero: Lindero, size: number, encoding: string): Promise<Sample> {
  const feed = lindero.keptFeed(size);
  await lindero.settle(feed);
  await lindero.db
    .prepare(
      `UPDATE properties SET community_fees = community_fees + 1
        WHERE account_id = (SELECT id FROM accounts WHERE code = ?1) AND number = ?2`,
    )
    .bind(accountCode(size), 1 + Math.floor(Math.random() * size))
    .run();
  await sleep(HEAD_IS_FRESH + 50);
  return timed(bench, lindero, feed, encoding, 'fwd=partial');
}

async function timed(
  bench: Bench,
  lindero: Lindero,
  path: string,
  encoding: string,
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
