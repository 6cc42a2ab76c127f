import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { base, idOf, moves, run, storeAccount } from './fixture.ts';

const db = env.DB;

beforeEach(storeAccount);

test('changes of sales and of rentals in one second: the later of both times advances with each', async () => {
  const latest = () =>
    db
      .prepare('SELECT max(sale_updated_at, rental_updated_at) AS time FROM properties WHERE id = ?')
      .bind(idOf('both'))
      .first<number>('time');
  const times = [(await latest())!];
  for (let round = 0; round < 3; round++) {
    for (const column of ['sale_price', 'monthly_rent']) {
      await run(`UPDATE properties SET ${column} = ${column} + 1 WHERE id = ${idOf('both')}`);
      times.push((await latest())!);
    }
  }
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

test.each(['sale', 'rental'] as const)(
  'a time of %s that is set back: advances the feeds that show it',
  async (kind) => {
    const update = `UPDATE properties SET ${kind}_updated_at = ${kind}_updated_at - 1 WHERE id = ${idOf('both')}`;
    expect((await moves(() => run(update))).segments).toEqual({ both: kind });
  },
);

describe('withdrawing and listing', () => {
  test.each(['Sold', 'Withdrawn'])(
    '%s: leaves the feeds that it was in, and returns with a new time',
    async (status) => {
      for (const name of ['sale', 'rental', 'both'] as const) {
        const left = await moves(() => run(`UPDATE properties SET status = '${status}' WHERE id = ${idOf(name)}`));
        expect(left).toEqual({ segments: { [name]: name }, times: {} });
        expect(
          (await moves(() => run(`UPDATE properties SET beds = beds + 1 WHERE id = ${idOf(name)}`))).segments,
        ).toEqual({});
        const back = await moves(() => run(`UPDATE properties SET status = 'Available' WHERE id = ${idOf(name)}`));
        expect(back).toEqual({ segments: { [name]: name }, times: { [name]: name } });
      }
    },
  );

  test('the status of a property that is a unit: shown nowhere, for its unit has one', async () => {
    expect(
      (await moves(() => run(`UPDATE properties SET status = 'Sold' WHERE id = ${idOf('unit')}`))).segments,
    ).toEqual({});
  });

  test('a unit that is sold leaves the feeds, and returns', async () => {
    const set = (status: number) => moves(() => run(`UPDATE units SET status = ${status} WHERE id = ${idOf('unit')}`));
    expect((await set(4)).segments).toEqual({ unit: 'both' });
    expect((await set(4)).segments).toEqual({});
    expect((await set(1)).segments).toEqual({ unit: 'both' });
  });

  test('what is changed in a sold unit: shown nowhere', async () => {
    expect(
      (
        await moves(() =>
          run(`UPDATE units SET price = 9, name = 'n', directions = '[]' WHERE id = ${idOf('soldUnit')}`),
        )
      ).segments,
    ).toEqual({});
  });

  test('a changed unit: a new version and time, an unchanged one: none', async () => {
    const version = () =>
      db.prepare('SELECT version FROM units WHERE id = ?').bind(idOf('unit')).first<number>('version');
    const before = (await version())!;
    const changedAt = () =>
      db.prepare('SELECT changed_at FROM units WHERE id = ?').bind(idOf('unit')).first<number>('changed_at');
    await run(`UPDATE units SET changed_at = 1 WHERE id = ${idOf('unit')}`);
    await run(`UPDATE units SET price = price WHERE id = ${idOf('unit')}`);
    expect([await version(), await changedAt()]).toEqual([before, 1]);
    await run(`UPDATE units SET price = price + 1 WHERE id = ${idOf('unit')}`);
    expect(await version()).toBe(before + 1);
    expect(await changedAt()).toBeGreaterThan(1);
  });
});

test('another account, and the next segment: nothing advances', async () => {
  const first = base;
  await run(
    `INSERT INTO accounts (id, code, name, password) VALUES (${base + 90}, 'B${base}', 'B', '$pbkdf2-sha256$i=1$s$k')`,
  );
  const other = () =>
    db
      .prepare('SELECT sale_revision, rental_revision FROM accounts WHERE id = ?')
      .bind(first + 90)
      .first();
  const before = await other();
  for (const number of [500, 501]) {
    const insert = `INSERT INTO properties (id, account_id, sequence_number, identifier, reference, type_id, status, listed_at, town, province)
      VALUES (${base + 50 + number - 500}, ${base}, ${number === 500 ? 500 : 502}, 'n${number}', 'R', ${base}, 'Available', 1, 'T', 'P')`;
    await run(insert);
    const moved = await moves(() => run(`UPDATE properties SET for_sale = 1 WHERE id = ${base + 50 + number - 500}`));
    expect(moved.segments).toEqual(number === 500 ? { sale: 'sale' } : { rental: 'sale' });
  }
  expect(await other()).toEqual(before);
});
