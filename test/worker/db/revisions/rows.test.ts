import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { base, counters, expected, idOf, type Moved, moves, NAMES, type Name, run, storeAccount } from './fixture.ts';

const db = env.DB;

beforeEach(storeAccount);

type Advanced = Partial<Record<Name, Moved>>;

/** A statement, the segments that it advances, by the property in each, and the times that it advances if they matter. */
type Step = readonly [sql: string, segments: Advanced, times?: Advanced];

/** Replaces `$base`, and names of properties such as `$both` by their ids. */
function written(sql: string): string {
  return sql.replace(/\$(\w+)/g, (_, name) => String(name === 'base' ? base : idOf(name as Name)));
}

const set = (change: string, name: Name) => `UPDATE properties SET ${change} WHERE id = $${name}`;
/** A new property with the last columns and values. */
const added = (id: string, number: number, columns = '', values = '') =>
  `INSERT INTO properties (id, account_id, sequence_number, identifier, reference, type_id, status, listed_at, town, province${columns})
   VALUES (${id}, $base, ${number}, 'n${number}', 'R', $base, 'Available', 1, 'T', 'P'${values})`;
const text = (language: number, values: string) =>
  `INSERT INTO property_texts VALUES ($both * 128 + ${language}, ${values})`;
const ofText = (language: number) => `WHERE id = $both * 128 + ${language}`;

const SALE = { none: 'for_sale = 0, sale_price = NULL, minimum_price = 0', some: 'for_sale = 1' };
const RENTALS = {
  long: { none: 'for_long_term = 0, monthly_rent = NULL', some: 'for_long_term = 1' },
  short: {
    none: 'for_short_term = 0, low_season_rent = NULL, high_season_rent = NULL, rental_license = NULL',
    some: 'for_short_term = 1',
  },
};

/** What each property's own feeds are, of all kinds. */
const ALL = Object.fromEntries(
  NAMES.map((name) => [name, name === 'sale' || name === 'rental' ? name : 'both']),
) as Record<Name, Moved>;
const LISTED = ['sale', 'rental', 'both'] as const;

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'a text that is deleted and inserted: what shows it': [...LISTED, 'withdrawn' as const].flatMap((name): Step[] => {
    const outcome = expected('both', [name]);
    return [
      [`DELETE FROM property_texts WHERE property_id = $${name}`, outcome],
      [`INSERT INTO property_texts VALUES ($${name} * 128 + 1, NULL, 'Text', NULL)`, outcome, outcome],
    ];
  }),
  'features and pictures that are removed and added: what shows them': ['features', 'pictures'].flatMap((column) =>
    [...LISTED, 'withdrawn' as const].flatMap((name): Step[] => {
      const outcome = expected('both', [name]);
      return [
        [set(`${column} = NULL`, name), outcome, outcome],
        [set(`${column} = '$base'`, name), outcome, outcome],
      ];
    }),
  ),
  'a sale offer: sale feeds, and those of rentals, whose ids in Kyero depend on it': [
    ...(['sale', 'both', 'withdrawn'] as const).flatMap((name): Step[] => {
      const outcome = expected('both', [name]);
      return [
        [set(SALE.none, name), outcome, outcome],
        [set(SALE.some, name), outcome, outcome],
      ];
    }),
    [set(SALE.some, 'rental'), { rental: 'both' }],
  ],
  'a rental offer: rental feeds': Object.values(RENTALS).flatMap((offer): Step[] => [
    ...(['rental', 'both'] as const).flatMap((name): Step[] => [
      [set(offer.none, name), expected('rental', [name]), expected('rental', [name])],
      [set(offer.some, name), expected('rental', [name]), expected('rental', [name])],
    ]),
    [set(offer.none, 'withdrawn'), {}],
    [set(offer.some, 'sale'), { sale: 'rental' }],
  ]),
  'the last rental offer: gone from rental feeds': [
    [set(RENTALS.long.none, 'rental'), { rental: 'rental' }],
    [set(RENTALS.short.none, 'rental'), { rental: 'rental' }],
    [set('beds = 3', 'rental'), {}],
    [set(`${RENTALS.long.none}, ${RENTALS.short.none}`, 'both'), { both: 'rental' }, { both: 'rental' }],
  ],
  'a property for short terms alone that is sold or deleted: leaves rental feeds': [
    [set(RENTALS.long.none, 'rental'), { rental: 'rental' }],
    [set("status = 'Sold'", 'rental'), { rental: 'rental' }],
    [set("status = 'Available'", 'rental'), { rental: 'rental' }],
    ['DELETE FROM properties WHERE id = $rental', { rental: 'rental' }],
  ],
  'a text without a description and a web page: nothing': [
    [text(2, "'Title', NULL, NULL"), {}],
    [`UPDATE property_texts SET id = id + 1 ${ofText(2)}`, {}],
    [`DELETE FROM property_texts ${ofText(3)}`, {}],
  ],
  'a description in a language that no feed serves: nothing': [
    [text(14, "NULL, 'Text', 'url'"), { both: 'both' }],
    [`UPDATE property_texts SET description = 'x' ${ofText(14)}`, { both: 'both' }],
    [`DELETE FROM property_texts ${ofText(14)}`, { both: 'both' }],
    [text(15, "NULL, 'Text', 'url'"), {}],
    [`UPDATE property_texts SET description = 'x' ${ofText(15)}`, {}],
    [`UPDATE property_texts SET id = id + 1 ${ofText(15)}`, {}],
    [`DELETE FROM property_texts ${ofText(16)}`, {}],
    [`UPDATE property_texts SET id = id + 14 ${ofText(1)}`, { both: 'both' }],
  ],
  'a description that REPLACE deletes: what showed it': [
    [text(2, "'Title', NULL, 'url'"), { both: 'both' }],
    [`UPDATE OR REPLACE property_texts SET id = id - 1 ${ofText(2)}`, { both: 'both' }],
    ["REPLACE INTO property_texts VALUES ($both * 128 + 1, NULL, 'Text', 'url')", { both: 'both' }],
    ["REPLACE INTO property_texts VALUES ($both * 128 + 1, 'Title', NULL, 'url')", { both: 'both' }],
  ],
  'a property without an offer: nothing until it has one': [
    [added('$base + 50', 2), {}],
    ['UPDATE properties SET for_sale = 1 WHERE id = $base + 50', { sale: 'sale' }],
  ],
  'the last number of a segment and the next one: each its own segment': [
    [added('$base + 50', 500), {}],
    ['UPDATE properties SET for_sale = 1 WHERE id = $base + 50', { sale: 'sale' }],
    [added('$base + 51', 502), {}],
    ['UPDATE properties SET for_sale = 1 WHERE id = $base + 51', { rental: 'sale' }],
  ],
  'a property that is deleted: the feeds that it was in': NAMES.map((name) => [
    `DELETE FROM properties WHERE id = $${name}`,
    name === 'withdrawn' ? {} : { [name]: ALL[name] },
  ]),
  'a property that replaces another of the same number by REPLACE: the feeds of both': [
    [added('$base + 50', 1001).replace('INSERT', 'REPLACE'), { both: 'both' }],
  ],
  'a property that replaces another of the same id by REPLACE: the feeds of both': [
    [added('$base + 2', 1002).replace('INSERT', 'REPLACE'), { both: 'both' }],
  ],
  'a property that replaces another of the same unit by REPLACE: the feeds of both': [
    [added('$base + 50', 2002, ', unit_id', ', $base + 4').replace('INSERT', 'REPLACE'), { unit: 'both' }],
  ],
  'a property that takes the identifier or the unit of another by UPDATE OR REPLACE: the feeds of both': [
    ["UPDATE OR REPLACE properties SET identifier = 'both' WHERE id = $sale", { sale: 'sale', both: 'both' }],
    ['UPDATE OR REPLACE properties SET unit_id = $base + 4 WHERE id = $sale', { sale: 'sale', unit: 'both' }],
  ],
  'a unit that REPLACE deletes: what showed it': [
    [
      `REPLACE INTO units (id, account_id, development_id, name, status, price)
       SELECT id, account_id, development_id, name, 4, price FROM units WHERE id = $unit`,
      { unit: 'both' },
    ],
  ],
  'a time that is set back: the feeds that show it': [
    [set('sale_updated_at = sale_updated_at - 1', 'both'), { both: 'sale' }],
    [set('rental_updated_at = rental_updated_at - 1', 'both'), { both: 'rental' }],
  ],
  'a property that is sold or withdrawn, and listed again: the feeds that it was in, with a new time': [
    'Sold',
    'Withdrawn',
  ].flatMap((status) =>
    LISTED.flatMap((name): Step[] => [
      [set(`status = '${status}'`, name), { [name]: name }, {}],
      [set('beds = beds + 1', name), {}],
      [set("status = 'Available'", name), { [name]: name }, { [name]: name }],
    ]),
  ),
  'a property that is withdrawn as a new version: with a new time': LISTED.map((name) => [
    set("status = 'Withdrawn', version = version + 1", name),
    { [name]: name },
    { [name]: name },
  ]),
  'the status of a property that is a unit: nothing, for its unit has one, until it loses that': [
    [set("status = 'Sold'", 'unit'), {}],
    [set('unit_id = NULL', 'unit'), { unit: 'both' }],
  ],
  'labels that no property shows: nothing': [
    ["INSERT INTO property_type_labels VALUES ($base + 1, 1, 'Old', 'Old sub', 'New', 'Sub')", {}],
    ["INSERT INTO feature_category_labels VALUES ($base + 1, 1, 'Category')", {}],
    ["INSERT INTO feature_labels VALUES ($base + 1, 1, 'Feature')", {}],
  ],
  'a unit that is sold and returns: its feeds': [
    ['UPDATE units SET status = 4 WHERE id = $unit', { unit: 'both' }],
    ['UPDATE units SET status = 4 WHERE id = $unit', {}],
    ['UPDATE units SET status = 1 WHERE id = $unit', { unit: 'both' }],
    ["UPDATE units SET price = 9, name = 'n', directions = '[]' WHERE id = $soldUnit", {}],
  ],
};

test.each(Object.entries(STORIES))('%s', async (_, steps) => {
  for (const [sql, segments, times] of steps) {
    const moved = await moves(written(sql));
    expect([sql, moved.segments]).toEqual([sql, segments]);
    if (times !== undefined) expect([sql, moved.times]).toEqual([sql, times]);
  }
});

test('an offer that ends with another change: each kind of feed once', async () => {
  const before = (await counters()).get('both')!;
  await run(written(set(`beds = 9, ${SALE.none}`, 'both')));
  const after = (await counters()).get('both')!;
  expect([after.accountSale - before.accountSale, after.accountRental - before.accountRental]).toEqual([1, 1]);
});

test('the first property of a segment, with its last number, and the last one after others: in that segment', async () => {
  await run(written(added('$base + 50', 10_000)));
  await run(written(added('$base + 51', 10_499, ', for_sale', ', 1')));
  await run(written(added('$base + 52', 10_500)));
  const segments = db.prepare("SELECT segments -> '$.19' AS a, segments -> '$.20' AS b FROM accounts WHERE id = ?");
  expect(await segments.bind(base).first()).toEqual({ a: '[0,0]', b: '[1,0]' });
});

test.each([
  ['without times', '0, 0', true],
  ['with its times', '7, 7', false],
  ['with the time of its sale', '7, 0', false],
  ['with the time of its rental', '0, 7', true],
])('a property that is inserted %s: in the feeds once', async (_, times, isStamped) => {
  const columns = ', for_sale, for_long_term, sale_updated_at, rental_updated_at';
  const before = (await counters()).get('sale')!;
  await run(written(added('$base + 50', 2, columns, `, 1, 1, ${times}`)));
  const after = (await counters()).get('sale')!;
  expect([after.sale - before.sale, after.rental - before.rental]).toEqual([1, 1]);
  const stored = db.prepare('SELECT sale_updated_at AS time FROM properties WHERE id = ?').bind(base + 50);
  expect((await stored.first<number>('time'))! > 7).toBe(isStamped);
});

test('a type that REPLACE deletes, whose labels go with it: what showed it', async () => {
  const replace = `REPLACE INTO property_types (id, account_id, code)
    SELECT id, account_id, code FROM property_types WHERE id = ${base}`;
  const { segments } = await moves(replace);
  expect(Object.keys(segments)).toEqual(expect.arrayContaining(['both', 'rental', 'sale', 'unit']));
});

describe('times and versions', () => {
  test('changes of sales and of rentals in one second: the later of both times advances with each', async () => {
    const latest = async () => {
      const { saleTime, rentalTime } = (await counters()).get('both')!;
      return Math.max(saleTime, rentalTime);
    };
    const times = [await latest()];
    for (const column of ['sale_price', 'monthly_rent', 'sale_price', 'monthly_rent']) {
      await run(written(set(`${column} = ${column} + 1`, 'both')));
      times.push(await latest());
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  test('a changed unit: a new version and time, an unchanged one: none', async () => {
    const state = () =>
      db.prepare('SELECT version, changed_at FROM units WHERE id = ?').bind(idOf('unit')).first<{
        version: number;
        changed_at: number;
      }>();
    const before = (await state())!;
    await run(`UPDATE units SET changed_at = 1 WHERE id = ${idOf('unit')}`);
    await run(`UPDATE units SET price = price WHERE id = ${idOf('unit')}`);
    expect(await state()).toEqual({ version: before.version, changed_at: 1 });
    await run(`UPDATE units SET price = price + 1 WHERE id = ${idOf('unit')}`);
    expect(await state()).toEqual({ version: before.version + 1, changed_at: expect.any(Number) });
    expect((await state())!.changed_at).toBeGreaterThan(1);
  });
});

test('a change of one account: nothing of another advances', async () => {
  const first = base;
  const revisions = () =>
    db.prepare('SELECT sale_revision, rental_revision, segments FROM accounts WHERE id = ?').bind(first).first();
  const before = await revisions();
  await storeAccount();
  await run(written(set('beds = 9', 'both')));
  expect(await revisions()).toEqual(before);
});
