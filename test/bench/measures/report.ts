import { setTimeout as sleep } from 'node:timers/promises';
import { findAccountId } from '../../../src/db/operator/accounts.ts';
import type { Bench } from '../bench.ts';
import { accountCode, PASSWORD } from '../data/accounts.ts';
import type { Lindero } from '../servers/lindero.ts';
import { changeUnit } from './change.ts';
import { compare } from './compare.ts';
import type { Measure } from './measure.ts';
import { alternate, repeated, type Sample } from './rounds.ts';

const SIZE = 10_000;

/** Requests per sample, except for the longest. */
const TIMES = 3;

/** Milliseconds after which no isolate still has a manifest from before. */
const REST = 1_250;

/** Milliseconds within which a report must be cached. */
const CACHED_WITHIN = 60_000;

/** The report after one change, and without any, compared with one of which no part is cached. */
export const report: Measure = {
  name: 'report',
  async run(bench) {
    const { ours } = await bench.linderos();
    const accountId = (await findAccountId(ours.db, accountCode(SIZE)))!;
    const token = await ours.token(SIZE);
    const full = async () => {
      await ours.db.prepare(`DELETE FROM snapshots WHERE account_id = ? AND ${OF_REPORTS}`).bind(accountId).run();
      return timed(bench, ours, accountId);
    };
    await full();
    const changed = async () => {
      await changeUnit(bench, ours, SIZE, token);
      return timed(bench, ours, accountId);
    };
    const samples = await alternate(bench.options.rounds, {
      full,
      changed: repeated(TIMES, changed),
      unchanged: repeated(TIMES, () => timed(bench, ours, accountId)),
    });
    const row = (what: string, taken: readonly Sample[], most?: number) =>
      compare(
        {
          measure: 'report',
          what: `report ${what}, 10,000 properties`,
          unit: 'ms',
          against: 'Lindero, the full report',
          target: most === undefined ? null : { atMost: most },
        },
        taken,
        samples.full,
      );
    return [row('after a change', samples.changed, 0.1), row('without a change', samples.unchanged)];
  },
};

const OF_REPORTS = `format LIKE 'findings-%'`;

/** Requests a report, and then waits until all of it is cached. */
async function timed(bench: Bench, lindero: Lindero, accountId: number): Promise<Sample> {
  await sleep(REST);
  const credentials = Buffer.from(`OWNPROPERTIES@${accountCode(SIZE)}:${PASSWORD}`).toString('base64');
  const { milliseconds, processor } = await bench.load.run(lindero, {
    paths: ['/v1/report'],
    headers: { authorization: `Basic ${credentials}` },
    connections: 1,
    requests: 1,
    status: 200,
  });
  await settle(lindero, accountId);
  return { figure: milliseconds, processor };
}

async function settle({ db }: Lindero, accountId: number): Promise<void> {
  const missing = db.prepare(`
    SELECT count(*) AS count FROM accounts a, json_each(a.segments) s
     WHERE a.id = ?1 AND NOT EXISTS (
       SELECT 1 FROM snapshots
        WHERE account_id = ?1 AND ${OF_REPORTS} AND part = CAST(s.key AS INTEGER)
          AND sale_revision = s.value ->> 0 AND rental_revision = s.value ->> 1)`);
  const started = performance.now();
  while ((await missing.bind(accountId).first('count')) !== 0) {
    if (performance.now() - started > CACHED_WITHIN) throw new Error('A report was not cached in time');
    await sleep(50);
  }
}
