import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { newAccount } from '../portfolio/account.ts';

const db = env.DB;

interface State {
  readonly changes: number;
  readonly vocabulary: number;
  readonly segments: Record<string, [number: number, bytes: number]>;
  readonly developments: Record<string, number>;
  /** The number of each property, and whether its time is that of the last change. */
  readonly properties: Record<string, number>;
  readonly units: Record<string, number>;
}

let id: number;
let before: State;
let development: string;

async function readState(): Promise<State> {
  const account = await db
    .prepare('SELECT changes, vocabulary, segments, developments FROM accounts WHERE id = ?')
    .bind(id)
    .first<Record<string, string>>();
  const rows = async (table: string, name: string) => {
    const read = db.prepare(`SELECT ${name} AS name, change FROM ${table} WHERE account_id = ?`);
    const { results } = await read.bind(id).all<{ name: string; change: number }>();
    return Object.fromEntries(results.map(({ name, change }) => [name, change]));
  };
  return {
    changes: Number(account!.changes),
    vocabulary: Number(account!.vocabulary),
    segments: JSON.parse(account!.segments!),
    developments: JSON.parse(account!.developments!),
    properties: await rows('properties', 'identifier'),
    units: await rows('units', 'name'),
  };
}

/** Executes plain SQL, as somebody in the console of the database does. @param sql `?1` is the account */
async function run(sql: string): Promise<State> {
  await db.prepare(sql).bind(id).run();
  return readState();
}

function setValue(path: string, value: string, identifier: string): string {
  return `UPDATE properties SET document = json_set(document, '${path}', ${value})
           WHERE account_id = ?1 AND identifier = '${identifier}'`;
}

beforeEach(async () => {
  id = await newAccount();
  await store(db, id, [
    { kind: 'development', id: 'd', name: 'D' },
    { kind: 'development', id: 'e', name: 'E' },
    parseDocument({ kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 }),
    parseDocument({ kind: 'unit', development: 'd', name: 'B', status: 1, price: 1 }),
    property('plain', { features: ['Sea'], channels: ['coast'] }),
    property('unit', { unit: { development: 'd', name: 'A' } }),
    property('draft', { status: 'Withdrawn' }),
  ]);
  await store(db, id, [property('far')], { numberOf: () => 501 });
  before = await readState();
  development = Object.keys(before.developments)[0]!;
});

describe('every statement that changes what feeds show takes the next number of its account', () => {
  test('each property has a number of its own; a segment that of its last, and the bytes of those listed', async () => {
    const numbers = Object.values(before.properties);
    expect(new Set(numbers).size).toBe(numbers.length);
    const { results } = await db
      .prepare(
        'SELECT path, max(change) AS last, sum(bytes) AS bytes FROM properties WHERE account_id = ? AND listed GROUP BY 1',
      )
      .bind(id)
      .all<{ path: string; last: number; bytes: number }>();
    const expected = results.map(({ path, last, bytes }) => [path.slice(2), [last, bytes]]);
    expect(before.segments).toEqual(Object.fromEntries(expected));
  });

  test.each([
    ['a value of the document', setValue('$.beds', '7', 'plain')],
    [
      'pictures',
      `UPDATE properties SET pictures = '["a"]' WHERE account_id = ?1 AND identifier = 'plain'`,
    ],
    [
      'texts',
      `UPDATE properties SET texts = '{"uk":{"description":"A"}}' WHERE account_id = ?1 AND identifier = 'plain'`,
    ],
    ['the status, so that it is withdrawn', setValue('$.status', "'Withdrawn'", 'plain')],
  ])('a property: %s', async (_, sql) => {
    const after = await run(sql);
    const next = before.changes + 1;
    expect(after.changes).toBe(next);
    expect(after.properties).toEqual({ ...before.properties, plain: next });
    expect([after.segments['0']![0], after.segments['1']]).toEqual([next, before.segments['1']]);
    expect(after.developments).toEqual(before.developments);
  });

  test('a draft: its own number, and no segment', async () => {
    const after = await run(setValue('$.beds', '7', 'draft'));
    expect(after.properties.draft).toBe(before.changes + 1);
    expect(after.segments).toEqual(before.segments);
  });

  test('a draft that is listed: its segment', async () => {
    const after = await run(setValue('$.status', "'Available'", 'draft'));
    expect(after.segments['0']![0]).toBe(after.properties.draft);
  });

  test('a property that is inserted, and one that is deleted: number, segment, and who has been shown it', async () => {
    const copy = `INSERT INTO properties (account_id, number, identifier, document)
                  SELECT account_id, 1001, 'new', document FROM properties WHERE account_id = ?1 AND identifier = 'plain'`;
    const inserted = await run(copy);
    expect(inserted.segments['2']).toEqual([before.changes + 1, expect.any(Number)]);
    expect(inserted.properties.new).toBe(before.changes + 1);
    const deleted = await run(
      "DELETE FROM properties WHERE account_id = ?1 AND identifier = 'new'",
    );
    expect(deleted.segments['2']).toEqual([before.changes + 2, 0]);
    const { results } = await db
      .prepare('SELECT identifier, change, shown_to FROM removals WHERE account_id = ?')
      .bind(id)
      .all();
    expect(results).toEqual([
      { identifier: 'new', change: before.changes + 2, shown_to: '["coast[]","*[]"]' },
    ]);
  });

  test('a draft that is deleted: nobody is told', async () => {
    await run("DELETE FROM properties WHERE account_id = ?1 AND identifier = 'draft'");
    expect(
      await db.prepare('SELECT 1 FROM removals WHERE account_id = ?').bind(id).first(),
    ).toBeNull();
  });

  test('a property that changes its channel: it has been shown to both', async () => {
    await run(setValue('$.channels', `json('["inland"]')`, 'plain'));
    const shown = await db
      .prepare("SELECT shown_to FROM properties WHERE account_id = ? AND identifier = 'plain'")
      .bind(id)
      .first<string>('shown_to');
    expect(JSON.parse(shown!).sort()).toEqual(['*[]', 'coast[]', 'inland[]']);
  });

  test.each(['status = 2', 'price = 7', `directions = '["N"]'`])('a unit: %s', async (values) => {
    const after = await run(`UPDATE units SET ${values} WHERE account_id = ?1 AND name = 'A'`);
    const next = before.changes + 1;
    expect(after).toMatchObject({
      changes: next,
      units: { A: next, B: before.units.B },
      properties: { unit: next },
    });
    expect(after.segments['0']![0]).toBe(next);
    expect(after.developments[development]).toBe(next);
  });

  test('a unit without a property: its development, and no segment', async () => {
    const after = await run("UPDATE units SET price = 7 WHERE account_id = ?1 AND name = 'B'");
    expect(after.segments).toEqual(before.segments);
    expect([after.units.B, after.developments[development]]).toEqual([
      before.changes + 1,
      before.changes + 1,
    ]);
  });

  test('a unit that gets the values that it has: nothing', async () => {
    expect(
      await run('UPDATE units SET price = price, status = status WHERE account_id = ?1'),
    ).toEqual(before);
  });

  test('a property that becomes another unit: the developments of both', async () => {
    await store(db, id, [
      parseDocument({ kind: 'unit', development: 'e', name: 'Z', status: 1, price: 1 }),
    ]);
    const { developments } = await readState();
    await store(db, id, [property('unit', { unit: { development: 'e', name: 'Z' } })]);
    const after = await readState();
    const advanced = Object.keys(developments).filter(
      (one) => after.developments[one]! > developments[one]!,
    );
    expect(advanced).toHaveLength(2);
  });

  test('the name of a development: the properties that are its units; its stage: only the development', async () => {
    const staged = await run(
      `UPDATE developments SET document = json_set(document, '$.details', json('{"stage":"paving"}')) WHERE account_id = ?1 AND identifier = 'd'`,
    );
    expect(staged).toMatchObject({ segments: before.segments, properties: before.properties });
    expect(staged.developments[development]).toBe(before.changes + 1);
    const named = await run(
      `UPDATE developments SET document = json_set(document, '$.name', 'N') WHERE account_id = ?1 AND identifier = 'd'`,
    );
    expect(named.properties).toEqual({ ...before.properties, unit: before.changes + 3 });
  });

  test('a label of a feature, a category or a type: the properties that show it', async () => {
    const relabel = (kind: string, code: string) =>
      run(`UPDATE vocabulary SET document = json_set(document, '$.labels.uk', 'X')
            WHERE account_id = ?1 AND kind = '${kind}' AND code = '${code}'`);
    const feature = await relabel('feature', 'Sea');
    expect(feature).toMatchObject({ vocabulary: before.changes + 1, changes: before.changes + 2 });
    expect(feature.properties).toEqual({ ...before.properties, plain: before.changes + 2 });
    const type = await relabel('type', 'villa');
    const advanced = Object.keys(type.properties).filter(
      (one) => type.properties[one] !== feature.properties[one],
    );
    expect(advanced.sort()).toEqual(['far', 'plain', 'unit']);
    const unused = await relabel('feature', 'Golf');
    expect(unused).toMatchObject({ properties: type.properties, segments: type.segments });
  });

  test('a unit that is removed, alone or with its development: noted with its name', async () => {
    await run("DELETE FROM units WHERE account_id = ?1 AND name = 'B'");
    await run("DELETE FROM properties WHERE account_id = ?1 AND identifier = 'unit'");
    await run("DELETE FROM developments WHERE account_id = ?1 AND identifier = 'd'");
    const { results } = await db
      .prepare('SELECT development, name FROM removed_units WHERE account_id = ? ORDER BY change')
      .bind(id)
      .all();
    expect(results).toEqual([
      { development: 'd', name: 'B' },
      { development: 'd', name: 'A' },
    ]);
    expect((await readState()).developments).not.toHaveProperty(development);
  });

  test('a unit that returns under its name: its versions continue after those of the removed one', async () => {
    await run(
      "UPDATE units SET price = 5, version = version + 1 WHERE account_id = ?1 AND name = 'B'",
    );
    await run("DELETE FROM units WHERE account_id = ?1 AND name = 'B'");
    await store(db, id, [
      parseDocument({ kind: 'unit', development: 'd', name: 'B', status: 1, price: 1 }),
    ]);
    const version = await db
      .prepare("SELECT version FROM units WHERE account_id = ? AND name = 'B'")
      .bind(id)
      .first<number>('version');
    expect(version).toBeGreaterThan(2);
  });

  test('an account: deleted with all that it has', async () => {
    await db.prepare('DELETE FROM accounts WHERE id = ?').bind(id).run();
    expect(
      await db.prepare('SELECT 1 FROM properties WHERE account_id = ?').bind(id).first(),
    ).toBeNull();
  });
});

describe('what must not be changed', () => {
  test.each([
    [
      'the number of a property',
      'UPDATE properties SET number = 9 WHERE account_id = ?1 AND identifier = ?2',
      'plain',
    ],
    [
      'its identifier',
      "UPDATE properties SET identifier = 'x' WHERE account_id = ?1 AND identifier = ?2",
      'plain',
    ],
    ['the name of a unit', "UPDATE units SET name = 'x' WHERE account_id = ?1 AND name = ?2", 'A'],
  ])('%s: refused', async (_, sql, name) => {
    await expect(db.prepare(sql).bind(id, name).run()).rejects.toThrow('permanent');
  });

  test('anything of an account that is being moved: refused', async () => {
    await run('UPDATE accounts SET frozen = 1 WHERE id = ?1');
    for (const sql of [
      setValue('$.beds', '7', 'plain'),
      "DELETE FROM properties WHERE account_id = ?1 AND identifier = 'plain'",
      'UPDATE units SET price = 9 WHERE account_id = ?1',
      "UPDATE developments SET document = json_set(document, '$.name', 'N') WHERE account_id = ?1",
      "UPDATE vocabulary SET document = json_set(document, '$.labels.uk', 'N') WHERE account_id = ?1",
    ]) {
      await expect(db.prepare(sql).bind(id).run()).rejects.toThrow('being moved');
    }
    await run('UPDATE accounts SET frozen = 0 WHERE id = ?1');
  });

  test('the guard is empty', async () => {
    await expect(db.exec('INSERT INTO guard VALUES (0)')).rejects.toThrow('a_document_has_changed');
  });
});

test('at most fifteen triggers, of at most ten lines each, and no view', async () => {
  const { results } = await db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    .all<{ type: string; name: string; sql: string }>();
  const { view = [], trigger } = Object.groupBy(results, ({ type }) => type);
  expect(view).toEqual([]);
  expect(trigger!.length).toBeLessThanOrEqual(15);
  expect(Math.max(...trigger!.map(({ sql }) => sql.split('\n').length))).toBeLessThanOrEqual(10);
});
