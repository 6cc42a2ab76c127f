import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ListedRow, listAll } from '../../../src/properties/store/listings.ts';
import { type Agency, createAgency } from '../../support/accounts/agency.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, purge, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { here } from '../../support/platform/here.ts';
import { Invocation } from '../../support/platform/invocation.ts';
import { emptyCaches } from '../../support/worker/caches.ts';

let agency: Agency;

function write(id: string, given: Parameters<typeof property>[1]): () => Promise<unknown> {
  return () => store(env.DB, agency.accountId, [property(id, given)]);
}

function run(sql: string): () => Promise<unknown> {
  return () => env.DB.prepare(sql).bind(agency.accountId).run();
}

/** By what properties change, and what of their rows is then other than before. */
const CHANGES: readonly [string, () => Promise<unknown>][] = [
  ['a new one', write('NEW', { town: 'Nerja' })],
  ['a price and rooms', write('A', { offers: { sale: { price: 1 } }, beds: 7 })],
  [
    'photographs and features',
    write('B', { pictures: ['https://x.example/1'], features: ['Sea'] }),
  ],
  [
    'a channel and a restriction',
    write('C', { channels: ['coast'], restrictions: ['no_portals'] }),
  ],
  ['a withdrawal', write('D', { status: 'Withdrawn' })],
  ['one that was never listed', () => purge(env.DB, agency.accountId, ['HIDDEN'])],
  ['a deletion', () => purge(env.DB, agency.accountId, ['A'])],
  ['another with its identifier', write('A', { town: 'Ronda' })],
  [
    'several at once',
    () =>
      store(
        env.DB,
        agency.accountId,
        ['A', 'B', 'E'].map((id) => property(id, { area: 'Centro' })),
      ),
  ],
  ['a unit', run('UPDATE units SET status = 4, price = 5 WHERE account_id = ?')],
  [
    'the SQL console',
    run(
      `UPDATE properties SET document = json_set(document, '$.town', 'Álora') WHERE account_id = ?`,
    ),
  ],
  ['a deletion there', run(`DELETE FROM properties WHERE account_id = ? AND identifier = 'B'`)],
  [
    'a restore',
    () =>
      env.DB.batch([
        // The triggers leave a change alone that has a number of its own: the account still has the number that it had.
        env.DB.prepare(
          `UPDATE properties SET document = json_set(document, '$.town', 'Coín'), change = change - 1
            WHERE account_id = ? AND identifier = 'C'`,
        ).bind(agency.accountId),
        env.DB.prepare('UPDATE accounts SET incarnation = incarnation + 1 WHERE id = ?').bind(
          agency.accountId,
        ),
      ]),
  ],
];

describe.each([false, true])('listAll, with what rules look at: %s', (forRules) => {
  beforeAll(async () => {
    agency = await createAgency(env.DB, `KEPT-${forRules}`.toUpperCase(), ['A-1']);
    await store(env.DB, agency.accountId, [
      ...VOCABULARY,
      ...['A', 'B', 'C', 'D'].map((id) => property(id)),
      property('HIDDEN', { status: 'Withdrawn' }),
    ]);
  });

  test.each(CHANGES)('after %s: what another isolate reads', async (_, change) => {
    const before = await listAll(env.DB, agency.accountId, forRules);
    await change();
    const kept = await listAll(env.DB, agency.accountId, forRules);
    expect(await listAll(env.DB, agency.accountId, forRules)).toBe(kept);
    emptyCaches();
    expect(kept).toEqual(await listAll(env.DB, agency.accountId, forRules));
    expect(kept).not.toEqual(before);
  });
});

test('rows without what rules look at are read again for rules', async () => {
  await write('B', { features: ['Golf'] })();
  emptyCaches();
  const featuresIn = (rows: readonly ListedRow[]) =>
    rows.find(({ identifier }) => identifier === 'B')?.features;
  expect(featuresIn(await listAll(env.DB, agency.accountId))).toEqual([]);
  expect(featuresIn(await listAll(env.DB, agency.accountId, true))).toEqual(['Golf']);
});

test.each([10, 300])(
  'of %i properties, only those that have changed are read again',
  async (count) => {
    const account = await openAccount(env.DB, `MANY${count}`);
    const ids = Array.from({ length: count }, (_, index) => `P${index}`);
    await store(env.DB, account, [...VOCABULARY, ...ids.map((id) => property(id))]);
    const rowsRead = async () => {
      const invocation = new Invocation(here, true);
      await invocation.run(() => listAll(invocation.bindings(env).DB, account));
      return invocation.usage.rowsRead;
    };
    expect(await rowsRead()).toBeGreaterThan(count);
    expect(await rowsRead()).toBeLessThan(5);
    await store(env.DB, account, [property('P3', { town: 'Nerja' })]);
    expect(await rowsRead()).toBeLessThan(10);
  },
);

test('of an account that does not exist: none', async () => {
  expect(await listAll(env.DB, 999_999)).toEqual([]);
});
