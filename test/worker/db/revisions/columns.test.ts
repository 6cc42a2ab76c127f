import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  base,
  type Column,
  EXCEPTIONS,
  expected,
  idOf,
  moves,
  NAMES,
  type Name,
  OF_A_DEVELOPMENT,
  OF_A_PROPERTY,
  OF_A_UNIT,
  readColumnTypes,
  run,
  SHARED,
  type Shown,
  seen,
  storeAccount,
  UNSHOWN,
} from './fixture.ts';

const db = env.DB;

const columnTypes = await readColumnTypes();

beforeEach(storeAccount);

test('every table is known here', () => {
  const known = [...OF_A_PROPERTY, ...OF_A_UNIT, ...SHARED, ...OF_A_DEVELOPMENT, ...UNSHOWN];
  expect([...columnTypes.keys()].toSorted()).toEqual(known.toSorted());
});

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
  expect(await moves(`UPDATE ${table} SET ${column} = ${column} WHERE ${where}`)).toEqual({
    segments: {},
    times: {},
  });
  const update = `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`;
  if (shown === 'fails') {
    expect((await db.prepare(`SELECT 1 FROM ${table} WHERE ${where}`).all()).results).not.toEqual([]);
    await expect(run(update)).rejects.toThrow();
  } else {
    const outcome = expected(shown, affected);
    expect(await moves(update)).toEqual({ segments: outcome, times: outcome });
  }
}

function rows(tables: readonly string[]): (readonly [table: string, column: string, Column])[] {
  return tables.flatMap((table) => {
    const columns = [...columnTypes.get(table)!.keys()];
    const entries = columns.map((column) => [table, column, EXCEPTIONS[table]?.[column] ?? 'both'] as const);
    return entries.filter(([, , entry]) => entry !== 'generated');
  });
}

/** Columns of the offers that a property does not have. */
const OTHER_OFFERS = {
  sale: ['monthly_rent', 'low_season_rent', 'high_season_rent', 'rental_license'],
  rental: ['sale_price', 'minimum_price'],
};

const KEYS: Readonly<Record<string, string>> = { properties: 'id', units: 'id' };

describe('a changed column advances the feeds that show it, of its property only', () => {
  test.each(rows(OF_A_PROPERTY))('%s.%s: %s', async (table, column, entry) => {
    for (const name of ['sale', 'rental', 'both', 'withdrawn'] as const) {
      // A property has the prices of its offers only.
      if (name in OTHER_OFFERS && OTHER_OFFERS[name as keyof typeof OTHER_OFFERS].includes(column)) continue;
      // A column of times sets the time that it is, even of a withdrawn property, which no feed shows.
      if (name === 'withdrawn' && column.endsWith('_updated_at')) {
        const { segments } = await moves(`UPDATE ${table} SET ${column} = 5 WHERE id = ${idOf(name)}`);
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

describe('a changed column advances every property that shows it', () => {
  const everyProperty = NAMES.filter((name) => name !== 'withdrawn');

  test.each(rows(SHARED))('%s.%s: %s', async (table, column, entry) => {
    const [owner] = columnTypes.get(table)!.keys();
    const { shown, value } = changeOf(table, column, entry, 'sale');
    const where = `${owner} = ${base}`;
    expect((await moves(`UPDATE ${table} SET ${column} = ${column} WHERE ${where}`)).segments).toEqual({});
    const update = `UPDATE ${table} SET ${column} = ${value} WHERE ${where}`;
    if (shown === 'fails') {
      await expect(run(update)).rejects.toThrow();
      return;
    }
    const outcome =
      shown === 'nothing'
        ? {}
        : Object.fromEntries(everyProperty.map((name) => [name, name === 'sale' || name === 'rental' ? name : 'both']));
    expect(await moves(update)).toEqual({ segments: outcome, times: outcome });
  });

  test.each(rows(OF_A_DEVELOPMENT))('%s.%s: %s', async (table, column, entry) => {
    await attempt(table, column, entry, `id = ${base}`, 'unit', ['unit', 'soldUnit', 'heldUnit', 'reservedUnit']);
  });

  test.each([
    ['property_type_labels', "(11, 'Vecchio', NULL, 'Nuovo', NULL)", 'type_id', "type = 'x'"],
    ['feature_category_labels', "(11, 'Categoria')", 'category_id', "label = 'x'"],
    ['feature_labels', "(11, 'Caratteristica')", 'feature_id', "label = 'x'"],
  ])(
    'a label in %s in a language that feeds lack, which can replace a missing one: advances all',
    async (table, values, owner, change) => {
      const where = `${owner} = ${base} AND language`;
      const before = await vocabularyRevision();
      for (const statement of [
        `INSERT INTO ${table} VALUES (${base}, ${values.slice(1)}`,
        `UPDATE ${table} SET ${change} WHERE ${where} = 11`,
        `UPDATE ${table} SET language = 12 WHERE ${where} = 11`,
        `DELETE FROM ${table} WHERE ${where} = 12`,
      ]) {
        const { segments } = await moves(statement);
        expect(Object.keys(segments).sort(), statement).toEqual([...everyProperty].sort());
      }
      expect(await vocabularyRevision()).toBe(before + 4);
    },
  );

  test.each([
    ['a feature', "UPDATE feature_labels SET label = 'Other' WHERE feature_id = $base"],
    ['a category', "UPDATE feature_category_labels SET label = 'Other' WHERE category_id = $base"],
  ])('a label of %s: not the properties that have other features', async (_, change) => {
    const other = Number(`${base}0`);
    await run(
      `INSERT INTO features (id, account_id, category_id, code) VALUES (${other}, ${base}, ${base + 1}, 'other')`,
    );
    await run(`UPDATE properties SET features = NULL WHERE id <> ${idOf('rental')}`);
    await run(`UPDATE properties SET features = '${other}' WHERE id = ${idOf('sale')}`);
    expect((await moves(change.replaceAll('$base', `${base}`))).segments).toEqual({ rental: 'rental' });
    await run(`UPDATE properties SET features = '${other},${base}' WHERE id = ${idOf('sale')}`);
    expect((await moves(change.replaceAll('$base', `${base}`).replace('Other', 'New'))).segments).toEqual({
      sale: 'sale',
      rental: 'rental',
    });
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
  ])('%s: advances the revision of the vocabulary', async (_, change) => {
    const before = await vocabularyRevision();
    await run(change.replaceAll('$base', `${base}`));
    expect(await vocabularyRevision()).toBeGreaterThan(before);
  });

  test('a property: does not advance the revision of the vocabulary', async () => {
    const before = await vocabularyRevision();
    await run(`UPDATE properties SET beds = 9 WHERE id = ${idOf('both')}`);
    expect(await vocabularyRevision()).toBe(before);
  });
});
