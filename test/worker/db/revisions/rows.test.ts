import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { base, counters, expected, idOf, moves, NAMES, type Name, run, storeAccount } from './fixture.ts';

const db = env.DB;

beforeEach(storeAccount);

describe('a row that is inserted or deleted', () => {
  test('a text: advances what shows it', async () => {
    for (const name of ['sale', 'rental', 'both', 'withdrawn'] as const) {
      const outcome = expected('both', [name]);
      const gone = await moves(() => run(`DELETE FROM property_texts WHERE property_id = ${idOf(name)}`));
      expect(gone.segments).toEqual(outcome);
      const back = await moves(() => run(`INSERT INTO property_texts VALUES (${idOf(name)}, 1, NULL, 'Text', NULL)`));
      expect(back).toEqual({ segments: outcome, times: outcome });
    }
  });

  test.each(['features', 'pictures'])('%s: advance what shows them', async (column) => {
    for (const name of ['sale', 'rental', 'both', 'withdrawn'] as const) {
      const outcome = expected('both', [name]);
      const gone = await moves(() => run(`UPDATE properties SET ${column} = NULL WHERE id = ${idOf(name)}`));
      expect(gone).toEqual({ segments: outcome, times: outcome });
      const back = await moves(() => run(`UPDATE properties SET ${column} = '${base}' WHERE id = ${idOf(name)}`));
      expect(back).toEqual({ segments: outcome, times: outcome });
    }
  });

  const WITHOUT = {
    sale: 'for_sale = 0, sale_price = NULL, minimum_price = 0',
    long_term: 'for_long_term = 0, monthly_rent = NULL',
    short_term: 'for_short_term = 0, low_season_rent = NULL, high_season_rent = NULL, rental_license = NULL',
  };
  const without = (offer: keyof typeof WITHOUT, name: Name) =>
    run(`UPDATE properties SET ${WITHOUT[offer]} WHERE id = ${idOf(name)}`);
  const offered = (offer: keyof typeof WITHOUT, name: Name) =>
    run(`UPDATE properties SET for_${offer} = 1 WHERE id = ${idOf(name)}`);

  test('a sale offer: advances sale feeds', async () => {
    for (const name of ['sale', 'both', 'withdrawn'] as const) {
      const outcome = expected('sale', [name]);
      expect(await moves(() => without('sale', name))).toEqual({ segments: outcome, times: {} });
      expect(await moves(() => offered('sale', name))).toEqual({ segments: outcome, times: outcome });
    }
    expect((await moves(() => offered('sale', 'rental'))).segments).toEqual({ rental: 'sale' });
  });

  test.each(['long_term', 'short_term'] as const)('a %s rental offer: advances rental feeds', async (offer) => {
    for (const name of ['rental', 'both'] as const) {
      const outcome = expected('rental', [name]);
      expect((await moves(() => without(offer, name))).segments).toEqual(outcome);
      expect(await moves(() => offered(offer, name))).toEqual({ segments: outcome, times: outcome });
    }
    expect((await moves(() => without(offer, 'withdrawn'))).segments).toEqual({});
    expect((await moves(() => offered(offer, 'sale'))).segments).toEqual({ sale: 'rental' });
  });

  test('an offer that ends with another change: each kind of feed once', async () => {
    const revisions = () =>
      db
        .prepare('SELECT sale_revision AS sale, rental_revision AS rental FROM accounts WHERE id = ?')
        .bind(base)
        .first<{ sale: number; rental: number }>();
    const before = (await revisions())!;
    await run(`UPDATE properties SET beds = 9, ${WITHOUT.sale} WHERE id = ${idOf('both')}`);
    expect(await revisions()).toEqual({ sale: before.sale + 1, rental: before.rental + 1 });
  });

  test('the last rental offer: gone from rental feeds', async () => {
    await without('long_term', 'rental');
    expect((await moves(() => without('short_term', 'rental'))).segments).toEqual({ rental: 'rental' });
    expect((await moves(() => run(`UPDATE properties SET beds = 3 WHERE id = ${idOf('rental')}`))).segments).toEqual(
      {},
    );
  });

  test.each(['DELETE FROM properties WHERE', "UPDATE properties SET status = 'Sold' WHERE"])(
    'a property that is offered for short terms alone, %s: leaves rental feeds',
    async (change) => {
      await without('long_term', 'rental');
      expect((await moves(() => run(`${change} id = ${idOf('rental')}`))).segments).toEqual({ rental: 'rental' });
    },
  );

  test('the first property of a segment, with its last number: in that segment', async () => {
    await run(
      `INSERT INTO properties (account_id, sequence_number, identifier, reference, type_id, status, listed_at, town, province)
       VALUES (${base}, 10000, 'last', 'R', ${base}, 'Available', 1, 'T', 'P')`,
    );
    const added = db.prepare("SELECT segments -> '$.19' AS revisions FROM accounts WHERE id = ?").bind(base);
    expect(await added.first('revisions')).toBe('[0,0]');
  });

  test('a text without a description and a web page: advances nothing', async () => {
    const insert = `INSERT INTO property_texts VALUES (${idOf('both')}, 2, 'Title', NULL, NULL)`;
    expect((await moves(() => run(insert))).segments).toEqual({});
    expect(
      (
        await moves(() =>
          run(`UPDATE property_texts SET language = 3 WHERE language = 2 AND property_id = ${idOf('both')}`),
        )
      ).segments,
    ).toEqual({});
    expect(
      (await moves(() => run(`DELETE FROM property_texts WHERE language = 3 AND property_id = ${idOf('both')}`)))
        .segments,
    ).toEqual({});
  });

  test('a description in a language that no feed serves: advances nothing', async () => {
    const { segments } = await moves(async () => {
      await run(`INSERT INTO property_texts VALUES (${idOf('both')}, 15, NULL, 'Text', 'url')`);
      await run(`UPDATE property_texts SET description = 'x' WHERE language = 15 AND property_id = ${idOf('both')}`);
      await run(`UPDATE property_texts SET language = 16 WHERE language = 15 AND property_id = ${idOf('both')}`);
      await run(`DELETE FROM property_texts WHERE language = 16 AND property_id = ${idOf('both')}`);
    });
    expect(segments).toEqual({});
  });

  test('a description that is moved to a language that no feed serves: advances what showed it', async () => {
    const update = `UPDATE property_texts SET language = 15 WHERE language = 1 AND property_id = ${idOf('both')}`;
    expect((await moves(() => run(update))).segments).toEqual({ both: 'both' });
  });

  test.each([
    ['without times', '0, 0', true],
    ['with its times', '7, 7', false],
  ])('a property that is inserted %s: in the feeds once', async (_, times, stamped) => {
    const insert = `INSERT INTO properties (id, account_id, sequence_number, identifier, reference, type_id, status, listed_at,
                                            town, province, for_sale, for_long_term, sale_updated_at, rental_updated_at)
      VALUES (${base + 50}, ${base}, 2, 'new', 'R', ${base}, 'Available', 1, 'T', 'P', 1, 1, ${times})`;
    const before = (await counters()).get('sale')!;
    await run(insert);
    const after = (await counters()).get('sale')!;
    expect([after.sale - before.sale, after.rental - before.rental]).toEqual([1, 1]);
    const row = await db
      .prepare('SELECT sale_updated_at FROM properties WHERE id = ?')
      .bind(base + 50)
      .first<number>('sale_updated_at');
    expect(row! > 7).toBe(stamped);
  });

  test('a property that is deleted: leaves the feeds that it was in', async () => {
    for (const name of NAMES) {
      const listed = name === 'withdrawn' ? {} : { [name]: name === 'sale' || name === 'rental' ? name : 'both' };
      expect((await moves(() => run(`DELETE FROM properties WHERE id = ${idOf(name)}`))).segments).toEqual(listed);
    }
  });

  test('a property without an offer: advances nothing until it has one', async () => {
    const insert = `INSERT INTO properties (id, account_id, sequence_number, identifier, reference, type_id, status, listed_at, town, province)
      VALUES (${base + 50}, ${base}, 2, 'new', 'R', ${base}, 'Available', 1, 'T', 'P')`;
    expect((await moves(() => run(insert))).segments).toEqual({});
    expect((await moves(() => run(`UPDATE properties SET for_sale = 1 WHERE id = ${base + 50}`))).segments).toEqual({
      sale: 'sale',
    });
  });

  test.each<[string, string, Name]>([
    ['number', "$base + 50, $base, 1001, 'new', NULL", 'both'],
    ['identifier', "$base + 50, $base, 1002, 'both', NULL", 'both'],
    ['id', "$base + 2, $base, 1002, 'new', NULL", 'both'],
    ['unit', "$base + 50, $base, 2002, 'new', $base + 4", 'unit'],
  ])(
    'a property inserted in place of another of the same %s by REPLACE: advances its feeds',
    async (_, values, name) => {
      const replace = `INSERT OR REPLACE INTO properties (id, account_id, sequence_number, identifier, unit_id, reference, type_id, status, listed_at, town, province)
      VALUES (${values.replaceAll('$base', `${base}`)}, 'R', ${base}, 'Available', 1, 'T', 'P')`;
      expect((await moves(() => run(replace))).segments).toEqual({ [name]: 'both' });
    },
  );

  test.each<[string, string, Name]>([
    ['identifier', "identifier = 'both'", 'both'],
    ['unit', 'unit_id = $base + 4', 'unit'],
  ])('a property that takes the %s of another by UPDATE OR REPLACE: advances its feeds', async (_, change, name) => {
    const update = `UPDATE OR REPLACE properties SET ${change.replaceAll('$base', `${base}`)} WHERE id = ${idOf('sale')}`;
    expect((await moves(() => run(update))).segments).toEqual({ sale: 'sale', [name]: 'both' });
  });
});

describe('what REPLACE deletes advances the feeds that showed it', () => {
  test('a unit', async () => {
    const replace = `REPLACE INTO units (id, account_id, development_id, name, status, price)
      SELECT id, account_id, development_id, name, 4, price FROM units WHERE id = ${idOf('unit')}`;
    expect((await moves(() => run(replace))).segments).toEqual({ unit: 'both' });
  });

  test('a type, whose labels go with it', async () => {
    const { segments } = await moves(() =>
      run(
        `REPLACE INTO property_types (id, account_id, code) SELECT id, account_id, code FROM property_types WHERE id = ${base}`,
      ),
    );
    expect(Object.keys(segments)).toEqual(expect.arrayContaining(['both', 'rental', 'sale', 'unit']));
  });

  test.each([
    ['by another without a description', `REPLACE INTO property_texts VALUES ($id, 1, 'Title', NULL, 'url')`],
    [
      'by one of another language',
      'UPDATE OR REPLACE property_texts SET language = 1 WHERE property_id = $id AND language = 2',
    ],
  ])('a description, %s', async (_, change) => {
    await run(`INSERT OR IGNORE INTO property_texts VALUES (${idOf('both')}, 1, NULL, 'text', NULL)`);
    await run(`INSERT OR IGNORE INTO property_texts VALUES (${idOf('both')}, 2, 'Title', NULL, 'url')`);
    expect((await moves(() => run(change.replaceAll('$id', `${idOf('both')}`)))).segments).toEqual({ both: 'both' });
  });
});
