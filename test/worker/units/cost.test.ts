import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../support/ask.ts';
import { type Agency, DEVELOPMENT, obtainToken, openAgency, withToken } from '../../support/units.ts';

const NAMES = Array.from({ length: 100 }, (_, index) => `U-${index}`);
const PATH = `/v1/developments/${DEVELOPMENT}/units`;

let agency: Agency;
let token: string;

beforeAll(async () => {
  agency = await openAgency('COST', NAMES);
  token = await obtainToken(agency);
});

interface Cost {
  readonly roundTrips: number;
  readonly statements: number;
  readonly rowsWritten: number;
}

/** What a request costs by the database's own counters, without the eviction of snapshots in the background. */
async function costOf(path: string, body: unknown): Promise<Cost> {
  let [roundTrips, statements, rowsWritten] = [0, 0, 0];
  const count = <Result>(results: readonly D1Result<Result>[]) => {
    roundTrips++;
    statements += results.length;
    for (const { meta } of results) rowsWritten += meta.rows_written;
  };
  const counting = {
    prepare: (sql: string) => (sql.includes('snapshots') ? env.DB.prepare(sql) : wrap(env.DB.prepare(sql))),
    async batch(wrapped: { real: D1PreparedStatement }[]) {
      const results = await env.DB.batch(wrapped.map(({ real }) => real));
      count(results);
      return results;
    },
  };
  function wrap(real: D1PreparedStatement): object {
    const counted =
      <Result>(result: (all: D1Result<Result>) => unknown) =>
      async () => {
        const all = await real.all<Result>();
        count([all]);
        return result(all);
      };
    return {
      real,
      bind: (...values: unknown[]) => wrap(real.bind(...values)),
      all: counted((all) => all),
      run: counted((all) => all),
      first: counted(({ results }) => results[0] ?? null),
      raw: counted<object>(({ results }) => results.map((row) => Object.values(row))),
    };
  }
  const init = { method: 'POST', headers: withToken(token), body: JSON.stringify(body) };
  const { status } = await ask(path, init, { ...env, DB: counting as unknown as D1Database });
  expect(status).toBe(200);
  return { roundTrips, statements, rowsWritten };
}

function update(UntName: string, UntPrice: number) {
  return { UntName, UntStatus: 1, UntPrice, UntDirections: [['N']] };
}

test('POST update-by-name: at most 2 round trips and 8 rows written', async () => {
  const cost = await costOf(`${PATH}/update-by-name`, update('U-1', 1));
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  expect(cost.rowsWritten).toBeLessThanOrEqual(8);
});

test('POST update-many with 100 updates: at most 4 round trips', async () => {
  const cost = await costOf(
    `${PATH}/update-many`,
    NAMES.map((name) => update(name, 2)),
  );
  expect(cost.roundTrips).toBeLessThanOrEqual(4);
});

test('POST update-many with 500 updates of one unit: at most 900 statements', async () => {
  const cost = await costOf(
    `${PATH}/update-many`,
    Array.from({ length: 500 }, (_, price) => update('U-2', price)),
  );
  expect(cost.statements).toBeLessThanOrEqual(900);
});
