import { beforeEach, expect, test } from 'vitest';
import { copyRows, findDifferences } from '../../../../src/operator/move/copy.ts';
import { moveAccount, planMove, stateOf, undoMove } from '../../../../src/operator/move/move.ts';
import { readTables, type Table } from '../../../../src/operator/move/tables.ts';
import { type Agency, createAgency } from '../../../support/accounts/agency.ts';
import { property, store } from '../../../support/accounts/portfolio.ts';
import { databases, prepareThree } from '../../../worker/databases/three.ts';

type Named = (typeof databases)[number];

const [first, second, third] = databases as unknown as [Named, Named, Named];
const QUICKLY = { graceMs: 0 };

let tables: Table[];
let agency: Agency;

beforeEach(async () => {
  await prepareThree();
  tables = await readTables(first.db);
  agency = await createAgency(first.db, 'COPIED', ['A-1', 'A-2']);
});

/** What the databases have of an account. */
function copying(accountId = agency.accountId) {
  return { accountId, tables, source: first.db, target: second.db };
}

/** Executes a statement whose parameter is the account. */
function change(db: D1Database, sql: string) {
  return db.prepare(sql).bind(agency.accountId).run();
}

const freeze = () => change(first.db, 'UPDATE accounts SET frozen = 1 WHERE id = ?');

test('every table with rows of accounts is copied, after those that it refers to', () => {
  const names = tables.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'accounts',
      'vocabulary',
      'properties',
      'property_history',
      'unit_history',
      'people',
    ]),
  );
  expect(names.indexOf('units')).toBeLessThan(names.indexOf('properties'));
  expect(names.indexOf('properties')).toBeLessThan(names.indexOf('property_history'));
});

test('no two databases give out the same key for a row', async () => {
  const { results } = await first.db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE sql LIKE '% id INTEGER PRIMARY KEY,%' AND name <> 'time_line'",
    )
    .all();
  expect(results).toEqual([]);
});

test('texts of any characters, large documents and numbers of any size: the copy is exact', async () => {
  const { accountId } = agency;
  const description = '"quoted" \\ \u2028 \u0007 é 🏡 {"a": [1]}';
  const pictures = Array.from(
    { length: 1_000 },
    (_, index) => `https://pictures.example/${'"'.repeat(690)}${index}`,
  );
  await store(first.db, accountId, [
    property('odd', { texts: { uk: { title: description, description, url: null } } }),
    property('large', { pictures }),
    property('exact', { offers: { sale: { price: 0.1 + 0.2 } } }),
  ]);
  const prices = [0.1 + 0.2, 1e300, 5e-324, 2 ** 53 - 1];
  await store(
    first.db,
    accountId,
    [...prices.keys()].map((index) => property(`jump ${index}`)),
  );
  const jump = first.db.prepare(
    'INSERT INTO price_jumps SELECT id, account_id, ?1, -?1, 1 FROM properties WHERE account_id = ?2 AND identifier = ?3',
  );
  await first.db.batch(prices.map((price, index) => jump.bind(price, accountId, `jump ${index}`)));
  await freeze();
  await copyRows(copying());
  expect(await findDifferences(copying())).toEqual([]);
  const copied = second.db.prepare('SELECT price_before FROM price_jumps ORDER BY property_id');
  expect(await copied.raw()).toEqual(prices.map((price) => [price]));
});

test.each([
  [
    'a digit far behind in a number',
    'units',
    'UPDATE units SET price = price + 1e-10 WHERE account_id = ?',
  ],
  [
    'two letters in the middle of a text',
    'people',
    "UPDATE people SET name = 'Eav Lopez' WHERE account_id = ?",
  ],
  ['a row that is missing', 'clients', 'DELETE FROM clients WHERE account_id = ?'],
  [
    'a number of the account',
    'accounts',
    'UPDATE accounts SET vocabulary = vocabulary + 1 WHERE id = ?',
  ],
])('%s: the copy differs', async (_, table, sql) => {
  await first.db
    .prepare("INSERT INTO people (account_id, name, role) VALUES (?, 'Eva Lopez', 'owner')")
    .bind(agency.accountId)
    .run();
  await freeze();
  await copyRows(copying());
  await second.db.exec('UPDATE accounts SET frozen = 0');
  await change(second.db, sql);
  await second.db.exec('UPDATE accounts SET frozen = 1');
  expect(await findDifferences(copying())).toContain(table);
});

test('a row that a request still writes while the account is copied: it is copied again', async () => {
  let isWritten = false;
  const source = new Proxy(first.db, {
    get: (db, name) => {
      const value = Reflect.get(db, name);
      if (name !== 'prepare') return typeof value === 'function' ? value.bind(db) : value;
      return (sql: string) => {
        // The webhooks have been copied by then.
        if (/FROM webhooks/.test(sql) && !isWritten) {
          isWritten = true;
          void change(
            db,
            "INSERT INTO people (account_id, name, role) VALUES (?, 'Late', 'owner')",
          );
        }
        return db.prepare(sql);
      };
    },
  });
  const all = databases.map((each) => (each.name === 'DB' ? { ...each, db: source } : each));
  await moveAccount((await planMove(all, agency.code, all[1]!))!, QUICKLY);
  const late = second.db.prepare("SELECT 1 AS found FROM people WHERE name = 'Late'");
  expect([isWritten, await late.first('found')]).toEqual([true, 1]);
});

test('a move that fails before it is switched: the account can be changed at once', async () => {
  const target = new Proxy(second.db, {
    get: (db, name) => {
      const value = Reflect.get(db, name);
      if (name === 'batch') return () => Promise.reject(new Error('D1_ERROR: full'));
      return typeof value === 'function' ? value.bind(db) : value;
    },
  });
  const all = databases.map((each) => (each.name === 'DB_2' ? { ...each, db: target } : each));
  const steps: string[] = [];
  const move = moveAccount((await planMove(all, agency.code, all[1]!))!, {
    ...QUICKLY,
    onStep: (step) => steps.push(step),
  });
  await expect(move).rejects.toThrow('full');
  expect(steps).toEqual(['freezing', 'copying', 'released']);
  await store(first.db, agency.accountId, [property('P1', { town: 'Nerja' })]);
  expect(await stateOf(first.db, agency.accountId)).toBe(null);
  await moveAccount((await planMove(databases, agency.code, second))!, QUICKLY);
  expect(await stateOf(first.db, agency.accountId)).toBe('left');
});

test('a move to one database that was killed: another move is refused until it is undone', async () => {
  const move = (await planMove(databases, agency.code, second))!;
  const killed = moveAccount(move, {
    ...QUICKLY,
    onStep: (step) => {
      if (step === 'switching') throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  await expect(store(first.db, agency.accountId, [property('new')])).rejects.toThrow('being moved');
  const elsewhere = (await planMove(databases, agency.code, third))!;
  await expect(moveAccount(elsewhere, QUICKLY)).rejects.toThrow('is being moved to DB_2');
  await expect(undoMove(elsewhere)).rejects.toThrow('is being moved to DB_2');
  await undoMove(move);
  await store(first.db, agency.accountId, [property('new')]);
  expect(await moveAccount(elsewhere, QUICKLY)).toBe(true);
});
