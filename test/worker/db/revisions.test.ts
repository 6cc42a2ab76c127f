import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeEach, describe, expect, test } from 'vitest';
import * as schema from '../../../src/db/schema.ts';

const db = env.DB;

/** Which feeds show a column: a change to it moves their revisions. `refused`: it cannot be changed. */
type Shown = 'both' | 'sale' | 'rental' | 'nothing' | 'refused' | 'generated';

/** A column, with how it is changed in SQL where adding 1, or an `x` to a text, will not do. */
type Column = Shown | readonly [Shown, change: string];

/** What hangs on one property, by table. */
const OF_A_PROPERTY: Readonly<Record<string, Readonly<Record<string, Column>>>> = {
  properties: {
    id: 'refused',
    account_id: 'refused',
    number: 'refused',
    identifier: 'both',
    reference: 'both',
    type_id: 'both',
    unit_id: ['both', '(SELECT id FROM units WHERE name = $base || $property)'],
    status: ['both', "iif(status = 'Withdrawn', 'Sold', 'Under Offer')"],
    off_market: 'generated',
    rented: 'both',
    on_own_website: 'both',
    on_other_websites: 'both',
    listed_at: 'both',
    source_changed_at: 'nothing',
    sale_updated_at: 'sale',
    rental_updated_at: 'rental',
    currency: ['both', "'GBP'"],
    town: 'both',
    area: 'both',
    province: 'both',
    country: 'both',
    postcode: 'both',
    latitude: 'both',
    longitude: 'both',
    beds: 'both',
    bath: 'both',
    built_area: 'both',
    plot_area: 'both',
    terrace_area: 'both',
    living_area: 'both',
    built_year: 'both',
    community_fees: 'both',
    garbage_tax: 'both',
    ibi_fees: 'both',
    cadastral_ref: 'both',
    new_build: 'nothing',
    has_pool: 'both',
    has_garden: 'both',
    has_garage: 'both',
    emissions: ['both', "'A'"],
    consumption: ['both', "'B'"],
    virtual_tour_url: 'both',
    video_url: 'both',
  },
  sale_offers: { property_id: 'refused', price: 'sale', minimum_price: 'sale' },
  long_term_offers: { property_id: 'refused', rent: 'rental' },
  short_term_offers: { property_id: 'refused', low: 'rental', high: 'rental', license: 'rental' },
  property_texts: { property_id: 'refused', language: 'both', description: 'both', url: 'nothing' },
  pictures: { property_id: 'refused', position: 'both', url: 'both' },
  property_features: { property_id: 'refused', position: 'both', feature_id: ['both', 'feature_id + 1'] },
};

/** What one unit shows of itself on its property. */
const OF_A_UNIT: Readonly<Record<string, Readonly<Record<string, Column>>>> = {
  units: {
    id: 'refused',
    account_id: 'refused',
    development_id: ['both', 'development_id + 1'],
    name: 'both',
    status: ['both', 'status * 2'],
    price: 'sale',
    directions: ['both', `'["N"]'`],
    version: 'nothing',
    changed_at: 'nothing',
    feed_status: 'generated',
  },
};

/** What every property shows that has the type or the feature, or is of the development. */
const SHARED: Readonly<Record<string, Readonly<Record<string, Column>>>> = {
  property_types: { id: 'refused', account_id: 'refused', code: 'nothing' },
  property_type_labels: { type_id: 'both', language: 'both', older_type: 'both', type: 'both', subtype: 'both' },
  feature_categories: { id: 'refused', account_id: 'refused', code: 'both' },
  feature_category_labels: { category_id: 'both', language: 'both', label: 'both' },
  features: { id: 'refused', account_id: 'refused', category_id: 'both', code: 'nothing' },
  feature_labels: { feature_id: 'both', language: 'both', label: 'both' },
};

const OF_A_DEVELOPMENT: Readonly<Record<string, Readonly<Record<string, Column>>>> = {
  developments: { id: 'refused', account_id: 'refused', identifier: 'nothing', name: 'both' },
};

/** Tables that no feed shows. */
const UNSHOWN = ['accounts', 'segments', 'unit_history', 'snapshots', 'clients'];

const TABLES = { ...OF_A_PROPERTY, ...OF_A_UNIT, ...SHARED, ...OF_A_DEVELOPMENT };

const columnTypes = new Map(
  Object.values(schema)
    .filter((value) => value instanceof SQLiteTable)
    .map(getTableConfig)
    .map(({ name, columns }) => [name, new Map(columns.map((column) => [column.name, column.getSQLType()]))]),
);

test('every column of every table stands here', () => {
  const here = Object.entries(TABLES).map(([table, columns]) => [table, Object.keys(columns)]);
  const there = [...columnTypes]
    .filter(([table]) => !UNSHOWN.includes(table))
    .map(([table, columns]) => [table, [...columns.keys()]]);
  expect(Object.fromEntries(here)).toEqual(Object.fromEntries(there));
});

/**
 * The properties of the account, each in a segment of its own: for sale, for rent and both; withdrawn; and in a unit that
 * is available, sold, on hold or reserved. All have the same type, feature and category; `$base` and a small number make identifiers.
 */
const PROPERTIES = {
  sale: { number: 1, offers: ['sale'] },
  rental: { number: 501, offers: ['rental'] },
  both: { number: 1001, offers: ['sale', 'rental'] },
  withdrawn: { number: 1501, offers: ['sale', 'rental'], status: 'Withdrawn' },
  unit: { number: 2001, offers: ['sale', 'rental'], unit: 1 },
  soldUnit: { number: 2501, offers: ['sale', 'rental'], unit: 4 },
  heldUnit: { number: 3001, offers: ['sale', 'rental'], unit: 2 },
  reservedUnit: { number: 3501, offers: ['sale', 'rental'], unit: 8 },
} as const satisfies Record<string, { number: number; offers: readonly string[]; status?: string; unit?: number }>;

type Name = keyof typeof PROPERTIES;
const NAMES = Object.keys(PROPERTIES) as Name[];

let base = 0;

/** Ids of what belongs to a property. */
function idOf(name: Name): number {
  return base + NAMES.indexOf(name);
}

beforeEach(async () => {
  base += 100;
  const statements = [
    `INSERT INTO accounts (id, code, name, password) VALUES (${base}, 'A${base}', 'Agency', '$pbkdf2-sha256$i=1$s$k')`,
    ...[0, 1].flatMap((n) => [
      `INSERT INTO property_types (id, account_id, code) VALUES (${base + n}, ${base}, 't${n}')`,
      `INSERT INTO feature_categories (id, account_id, code) VALUES (${base + n}, ${base}, 'c${n}')`,
      `INSERT INTO developments (id, account_id, identifier, name) VALUES (${base + n}, ${base}, 'd${n}', 'D')`,
    ]),
    ...[0, 1].map(
      (n) => `INSERT INTO features (id, account_id, category_id, code) VALUES (${base + n}, ${base}, ${base}, 'f${n}')`,
    ),
    `INSERT INTO property_type_labels VALUES (${base}, 1, 'Old', 'New', 'Sub')`,
    `INSERT INTO feature_category_labels VALUES (${base}, 1, 'Category')`,
    `INSERT INTO feature_labels VALUES (${base}, 1, 'Feature')`,
    ...NAMES.flatMap((name, index) => {
      const {
        number,
        offers,
        status,
        unit,
      }: { number: number; offers: readonly string[]; status?: string; unit?: number } = PROPERTIES[name];
      const id = base + index;
      return [
        `INSERT INTO units (id, account_id, development_id, name, status, price) VALUES (${id}, ${base}, ${base}, '${base}${name}', ${unit ?? 1}, 1)`,
        `INSERT INTO properties (id, account_id, number, identifier, reference, type_id, unit_id, status, listed_at, town, province, latitude, longitude, on_own_website, on_other_websites)
         VALUES (${id}, ${base}, ${number}, '${name}', 'R', ${base}, ${unit ? id : 'NULL'}, '${status ?? 'Available'}', 1, 'T', 'P', 1, 1, 0, 0)`,
        ...(offers.includes('sale') ? [`INSERT INTO sale_offers VALUES (${id}, 1, 0)`] : []),
        ...(offers.includes('rental')
          ? [
              `INSERT INTO long_term_offers VALUES (${id}, 1)`,
              `INSERT INTO short_term_offers VALUES (${id}, 1, 2, 'L')`,
            ]
          : []),
        `INSERT INTO property_texts VALUES (${id}, 1, 'Text', 'url')`,
        `INSERT INTO pictures VALUES (${id}, 1, 'picture')`,
        `INSERT INTO property_features VALUES (${id}, 1, ${base})`,
      ];
    }),
  ];
  await db.batch(statements.map((sql) => db.prepare(sql)));
});

interface Counters {
  sale: number;
  rental: number;
  saleTime: number;
  rentalTime: number;
  accountSale: number;
  accountRental: number;
}

/** The counters of each property's segment and its times, 0 once it is gone, beside the counters of the account. */
async function counters(): Promise<Map<Name, Counters>> {
  const { results } = await db
    .prepare(
      `SELECT s.segment, s.sale_revision AS sale, s.rental_revision AS rental,
              coalesce(p.sale_updated_at, 0) AS saleTime, coalesce(p.rental_updated_at, 0) AS rentalTime,
              a.sale_revision AS accountSale, a.rental_revision AS accountRental
         FROM accounts a JOIN segments s ON s.account_id = a.id
         LEFT JOIN properties p ON p.id = a.id + s.segment
        WHERE a.id = ? ORDER BY s.segment`,
    )
    .bind(base)
    .all<Counters>();
  return new Map(results.map((row, index) => [NAMES[index] as Name, row]));
}

type Moved = 'both' | 'sale' | 'rental';

/** Which segments' counters a change moved, by the property in each, and whether times of properties moved with them. */
async function moves(
  change: () => Promise<unknown>,
): Promise<{ segments: Partial<Record<Name, Moved>>; times: Partial<Record<Name, Moved>> }> {
  const before = await counters();
  await change();
  const after = await counters();
  const which = (sale: boolean, rental: boolean): Moved | undefined =>
    sale ? (rental ? 'both' : 'sale') : rental ? 'rental' : undefined;
  const segments: Partial<Record<Name, Moved>> = {};
  const times: Partial<Record<Name, Moved>> = {};
  let account: Moved | undefined;
  for (const [name, old] of before) {
    const now = after.get(name)!;
    expect(now.sale).toBeGreaterThanOrEqual(old.sale);
    expect(now.rental).toBeGreaterThanOrEqual(old.rental);
    const moved = which(now.sale > old.sale, now.rental > old.rental);
    if (moved) segments[name] = moved;
    const timed = which(now.saleTime > old.saleTime, now.rentalTime > old.rentalTime);
    if (timed) times[name] = timed;
    account = which(now.accountSale > old.accountSale, now.accountRental > old.accountRental);
  }
  const all = Object.values(segments);
  expect(account).toBe(
    which(
      all.some((moved) => moved !== 'rental'),
      all.some((moved) => moved !== 'sale'),
    ),
  );
  return { segments, times };
}

async function run(sql: string): Promise<D1Result> {
  return db.prepare(sql).run();
}

/** What of the feeds that show a column a property is in. */
function seen(shown: Shown, name: Name): Moved | undefined {
  if (name === 'withdrawn' || name === 'soldUnit') return undefined;
  const offers: readonly string[] = PROPERTIES[name].offers;
  const kinds = offers.filter((offer) => shown === 'both' || shown === offer);
  return kinds.length === 2 ? 'both' : (kinds[0] as Moved | undefined);
}

function expected(shown: Shown, names: readonly Name[]): Partial<Record<Name, Moved>> {
  return Object.fromEntries(names.flatMap((name) => (seen(shown, name) ? [[name, seen(shown, name)]] : [])));
}

function changeOf(table: string, column: string, entry: Column, name: Name): { shown: Shown; value: string } {
  const [shown, change] = typeof entry === 'string' ? [entry] : entry;
  const value =
    change ??
    (columnTypes.get(table)?.get(column) === 'text' ? `coalesce(${column}, '') || 'x'` : `coalesce(${column}, 0) + 1`);
  return { shown, value: value.replaceAll('$base', `${base}`).replaceAll('$property', `'${name}'`) };
}

async function attempt(
  table: string,
  column: string,
  entry: Column,
  where: string,
  name: Name,
  affected: readonly Name[],
) {
  const { shown, value } = changeOf(table, column, entry, name);
  expect(await moves(() => run(`UPDATE ${table} SET ${column} = ${column} WHERE ${where}`))).toEqual({
    segments: {},
    times: {},
  });
  const update = `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`;
  if (shown === 'refused') {
    expect((await db.prepare(`SELECT 1 FROM ${table} WHERE ${where}`).all()).results).not.toEqual([]);
    await expect(run(update)).rejects.toThrow();
  } else {
    const outcome = expected(shown, affected);
    expect(await moves(() => run(update))).toEqual({ segments: outcome, times: outcome });
  }
}

function rows(
  tables: Readonly<Record<string, Readonly<Record<string, Column>>>>,
): (readonly [string, string, Column])[] {
  return Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns)
      .filter(([, entry]) => entry !== 'generated')
      .map(([column, entry]) => [table, column, entry] as const),
  );
}

const KEYS: Readonly<Record<string, string>> = { properties: 'id', units: 'id' };

describe('a changed column moves the feeds that show it, of its property alone', () => {
  test.each(rows(OF_A_PROPERTY))('%s.%s: %s', async (table, column, entry) => {
    for (const name of ['sale', 'rental', 'both', 'withdrawn'] as const) {
      const has = await db
        .prepare(`SELECT 1 FROM ${table} WHERE ${KEYS[table] ?? 'property_id'} = ${idOf(name)}`)
        .first();
      if (has === null) continue;
      // A column of times moves the time that it is, even off the market, where no feed shows it.
      if (name === 'withdrawn' && column.endsWith('_updated_at')) {
        const { segments } = await moves(() => run(`UPDATE ${table} SET ${column} = 5 WHERE id = ${idOf(name)}`));
        expect(segments).toEqual({});
      } else if (
        column.endsWith('_updated_at') &&
        seen(changeOf(table, column, entry, name).shown, name) === undefined
      ) {
        // Likewise of a kind of feed that the property is not in.
        await run(`UPDATE ${table} SET ${column} = 5 WHERE id = ${idOf(name)}`);
      } else {
        await attempt(table, column, entry, `${KEYS[table] ?? 'property_id'} = ${idOf(name)}`, name, [name]);
      }
    }
  });

  test.each(rows(OF_A_UNIT))('%s.%s: %s', async (table, column, entry) => {
    await attempt(table, column, entry, `id = ${idOf('unit')}`, 'unit', ['unit']);
  });
});

describe('a changed column moves all that show it', () => {
  const everyProperty = NAMES.filter((name) => name !== 'withdrawn');

  test.each(rows(SHARED))('%s.%s: %s', async (table, column, entry) => {
    const owner = Object.keys(SHARED[table] ?? {})[0];
    const { shown, value } = changeOf(table, column, entry, 'sale');
    const where = `${owner} = ${base}`;
    expect((await moves(() => run(`UPDATE ${table} SET ${column} = ${column} WHERE ${where}`))).segments).toEqual({});
    const update = `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`;
    if (shown === 'refused') {
      await expect(run(update)).rejects.toThrow();
      return;
    }
    const outcome =
      shown === 'nothing'
        ? {}
        : Object.fromEntries(everyProperty.map((name) => [name, name === 'sale' || name === 'rental' ? name : 'both']));
    expect(await moves(() => run(update))).toEqual({ segments: outcome, times: outcome });
  });

  test.each(rows(OF_A_DEVELOPMENT))('%s.%s: %s', async (table, column, entry) => {
    await attempt(table, column, entry, `id = ${base}`, 'unit', ['unit', 'soldUnit', 'heldUnit', 'reservedUnit']);
  });

  test.each([
    ['property_type_labels', "(2, 'Viejo', 'Nuevo', NULL)", 'type_id'],
    ['feature_category_labels', "(2, 'Categoría')", 'category_id'],
    ['feature_labels', "(2, 'Característica')", 'feature_id'],
  ])('a label added to %s, and taken away', async (table, values, owner) => {
    const outcome = Object.fromEntries(
      everyProperty.map((name) => [name, name === 'sale' || name === 'rental' ? name : 'both']),
    );
    const insert = `INSERT INTO ${table} VALUES (${base}, ${values.slice(1)}`;
    expect((await moves(() => run(insert))).segments).toEqual(outcome);
    expect((await moves(() => run(`DELETE FROM ${table} WHERE ${owner} = ${base} AND language = 2`))).segments).toEqual(
      outcome,
    );
  });

  const vocabularyRevision = async () =>
    (await db
      .prepare('SELECT vocabulary_revision FROM accounts WHERE id = ?')
      .bind(base)
      .first<number>('vocabulary_revision'))!;

  test.each([
    ['a label of a feature', "UPDATE feature_labels SET label = 'Other' WHERE feature_id = $base"],
    ['a label of a type', "UPDATE property_type_labels SET type = 'Other' WHERE type_id = $base"],
    ['a label of a category', "UPDATE feature_category_labels SET label = 'Other' WHERE category_id = $base"],
    ['the code of a category', "UPDATE feature_categories SET code = 'Other' WHERE id = $base"],
    ['a new feature', "INSERT INTO features (account_id, category_id, code) VALUES ($base, $base, 'New')"],
    ['a type by REPLACE', "REPLACE INTO property_types (id, account_id, code) VALUES ($base, $base, 'Other')"],
    ['a category by REPLACE', "REPLACE INTO feature_categories (id, account_id, code) VALUES ($base, $base, 'Other')"],
  ])('%s moves the counter of the vocabulary', async (_, change) => {
    const before = await vocabularyRevision();
    await run(change.replaceAll('$base', `${base}`));
    expect(await vocabularyRevision()).toBeGreaterThan(before);
  });

  test('a property does not move the counter of the vocabulary', async () => {
    const before = await vocabularyRevision();
    await run(`UPDATE properties SET beds = 9 WHERE id = ${idOf('both')}`);
    expect(await vocabularyRevision()).toBe(before);
  });
});

describe('a row that comes or goes', () => {
  test.each<[string, string, string, Shown]>([
    ['a sale offer', 'sale_offers', 'property_id', 'sale'],
    ['a text', 'property_texts', 'property_id', 'both'],
    ['a picture', 'pictures', 'property_id', 'both'],
    ['a feature', 'property_features', 'property_id', 'both'],
  ])('%s: moves what shows it', async (_, table, key, shown) => {
    for (const name of ['sale', 'rental', 'both', 'withdrawn'] as const) {
      const kept = await db
        .prepare(`SELECT * FROM ${table} WHERE ${key} = ${idOf(name)}`)
        .first<Record<string, string | number>>();
      if (kept === null) continue;
      const outcome = expected(shown, [name]);
      const gone = await moves(() => run(`DELETE FROM ${table} WHERE ${key} = ${idOf(name)}`));
      expect(gone.segments).toEqual(outcome);
      const back = await moves(() =>
        db
          .prepare(
            `INSERT INTO ${table} VALUES (${Object.keys(kept)
              .map(() => '?')
              .join(', ')})`,
          )
          .bind(...Object.values(kept))
          .run(),
      );
      expect(back).toEqual({ segments: outcome, times: outcome });
    }
  });

  test.each(['long_term_offers', 'short_term_offers'])('%s: a rental offer moves rental feeds', async (table) => {
    for (const name of ['rental', 'both'] as const) {
      const outcome = expected('rental', [name]);
      expect((await moves(() => run(`DELETE FROM ${table} WHERE property_id = ${idOf(name)}`))).segments).toEqual(
        outcome,
      );
      expect(await moves(() => run(`INSERT INTO ${table} (property_id) VALUES (${idOf(name)})`))).toEqual({
        segments: outcome,
        times: outcome,
      });
    }
    expect((await moves(() => run(`DELETE FROM ${table} WHERE property_id = ${idOf('withdrawn')}`))).segments).toEqual(
      {},
    );
    expect((await moves(() => run(`INSERT INTO ${table} (property_id) VALUES (${idOf('sale')})`))).segments).toEqual({
      sale: 'rental',
    });
  });

  test('the last rental offer: gone from rental feeds', async () => {
    await run(`DELETE FROM long_term_offers WHERE property_id = ${idOf('rental')}`);
    expect(
      (await moves(() => run(`DELETE FROM short_term_offers WHERE property_id = ${idOf('rental')}`))).segments,
    ).toEqual({ rental: 'rental' });
    expect((await moves(() => run(`UPDATE properties SET beds = 3 WHERE id = ${idOf('rental')}`))).segments).toEqual(
      {},
    );
  });

  test.each(['DELETE FROM properties WHERE', "UPDATE properties SET status = 'Sold' WHERE"])(
    'a property that is offered for short terms alone, %s: leaves rental feeds',
    async (change) => {
      await run(`DELETE FROM long_term_offers WHERE property_id = ${idOf('rental')}`);
      expect((await moves(() => run(`${change} id = ${idOf('rental')}`))).segments).toEqual({ rental: 'rental' });
    },
  );

  test('the first property of a segment, with its last number: in that segment', async () => {
    await run(
      `INSERT INTO properties (account_id, number, identifier, reference, type_id, status, listed_at, town, province)
       VALUES (${base}, 10000, 'last', 'R', ${base}, 'Available', 1, 'T', 'P')`,
    );
    const newest = db.prepare('SELECT max(segment) AS segment FROM segments WHERE account_id = ?').bind(base);
    expect(await newest.first('segment')).toBe(19);
  });

  test('a text without a description: moves nothing', async () => {
    const insert = `INSERT INTO property_texts VALUES (${idOf('both')}, 2, NULL, 'url')`;
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

  test('a property that is deleted: leaves the feeds that it was in', async () => {
    for (const name of NAMES) {
      const listed = name === 'withdrawn' ? {} : { [name]: name === 'sale' || name === 'rental' ? name : 'both' };
      expect((await moves(() => run(`DELETE FROM properties WHERE id = ${idOf(name)}`))).segments).toEqual(listed);
    }
  });

  test('a property without an offer: moves nothing until it has one', async () => {
    const insert = `INSERT INTO properties (id, account_id, number, identifier, reference, type_id, status, listed_at, town, province)
      VALUES (${base + 50}, ${base}, 2, 'new', 'R', ${base}, 'Available', 1, 'T', 'P')`;
    expect((await moves(() => run(insert))).segments).toEqual({});
    expect((await moves(() => run(`INSERT INTO sale_offers VALUES (${base + 50}, 1, 0)`))).segments).toEqual({
      sale: 'sale',
    });
  });

  test.each<[string, string, Name]>([
    ['number', "$base + 50, $base, 1001, 'new', NULL", 'both'],
    ['identifier', "$base + 50, $base, 1002, 'both', NULL", 'both'],
    ['id', "$base + 2, $base, 1002, 'new', NULL", 'both'],
    ['unit', "$base + 50, $base, 2002, 'new', $base + 4", 'unit'],
  ])('a property put in the place of another of the same %s by REPLACE: moves its feeds', async (_, values, name) => {
    const replace = `INSERT OR REPLACE INTO properties (id, account_id, number, identifier, unit_id, reference, type_id, status, listed_at, town, province)
      VALUES (${values.replaceAll('$base', `${base}`)}, 'R', ${base}, 'Available', 1, 'T', 'P')`;
    expect((await moves(() => run(replace))).segments).toEqual({ [name]: 'both' });
  });

  test.each<[string, string, Name]>([
    ['identifier', "identifier = 'both'", 'both'],
    ['unit', 'unit_id = $base + 4', 'unit'],
  ])('a property that takes the %s of another by UPDATE OR REPLACE: moves its feeds', async (_, change, name) => {
    const update = `UPDATE OR REPLACE properties SET ${change.replaceAll('$base', `${base}`)} WHERE id = ${idOf('sale')}`;
    expect((await moves(() => run(update))).segments).toEqual({ sale: 'sale', [name]: 'both' });
  });
});

describe('what REPLACE deletes moves the feeds that showed it', () => {
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
    ['by another without a description', `REPLACE INTO property_texts VALUES ($id, 1, NULL, 'url')`],
    [
      'by one of another language',
      'UPDATE OR REPLACE property_texts SET language = 1 WHERE property_id = $id AND language = 2',
    ],
  ])('a description, %s', async (_, change) => {
    await run(`INSERT OR IGNORE INTO property_texts VALUES (${idOf('both')}, 1, 'text', NULL)`);
    await run(`INSERT OR IGNORE INTO property_texts VALUES (${idOf('both')}, 2, NULL, 'url')`);
    expect((await moves(() => run(change.replaceAll('$id', `${idOf('both')}`)))).segments).toEqual({ both: 'both' });
  });
});

test('changes of sales and of rentals in one second: the later of both times moves with each', async () => {
  const latest = () =>
    db
      .prepare('SELECT max(sale_updated_at, rental_updated_at) AS time FROM properties WHERE id = ?')
      .bind(idOf('both'))
      .first<number>('time');
  const times = [(await latest())!];
  for (let round = 0; round < 3; round++) {
    for (const change of ['sale_offers SET price = price + 1', 'long_term_offers SET rent = rent + 1']) {
      await run(`UPDATE ${change} WHERE property_id = ${idOf('both')}`);
      times.push((await latest())!);
    }
  }
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

test.each(['sale', 'rental'] as const)('a time of %s that is set back: moves the feeds that show it', async (kind) => {
  const update = `UPDATE properties SET ${kind}_updated_at = ${kind}_updated_at - 1 WHERE id = ${idOf('both')}`;
  expect((await moves(() => run(update))).segments).toEqual({ both: kind });
});

describe('the market', () => {
  test.each(['Sold', 'Withdrawn'])(
    '%s: leaves the feeds that it was in, and comes back with a new time',
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

  test('a unit that is sold leaves the feeds, and comes back', async () => {
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

test('another account, and the segment beside: nothing moves', async () => {
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
    const insert = `INSERT INTO properties (id, account_id, number, identifier, reference, type_id, status, listed_at, town, province)
      VALUES (${base + 50 + number - 500}, ${base}, ${number === 500 ? 500 : 502}, 'n${number}', 'R', ${base}, 'Available', 1, 'T', 'P')`;
    await run(insert);
    const moved = await moves(() => run(`INSERT INTO sale_offers VALUES (${base + 50 + number - 500}, 1, 0)`));
    expect(moved.segments).toEqual(number === 500 ? { sale: 'sale' } : { rental: 'sale' });
  }
  expect(await other()).toEqual(before);
});
