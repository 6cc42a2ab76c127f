import { describe, expect, test } from 'vitest';
import { mostArguments } from '../../../support/platform/sql-functions.ts';
import { PlatformViolation, takeViolations } from '../../../support/platform/violation.ts';
import { database, expectViolations, platform } from './fakes.ts';

expectViolations();

describe('a statement', () => {
  test('with 100 bound parameters is run, with 101 is not', async () => {
    const { DB } = platform().invoke();
    await DB.prepare('SELECT 1')
      .bind(...Array(100).fill(1))
      .all();
    await expect(
      DB.prepare('SELECT 1')
        .bind(...Array(101).fill(1))
        .all(),
    ).rejects.toThrow(PlatformViolation);
  });

  test('of 100,000 bytes is run, of one more is not', async () => {
    const { DB } = platform().invoke();
    await DB.prepare(`SELECT '${'x'.repeat(99_991)}'`).all();
    await expect(DB.prepare(`SELECT '${'x'.repeat(99_992)}'`).all()).rejects.toThrow('SQL of 100001 bytes');
  });

  test('with a bound value of 2,000,000 bytes is run, of one more is not', async () => {
    const { DB } = platform().invoke();
    await DB.prepare('SELECT ?').bind('ñ'.repeat(1_000_000)).all();
    const tooLong = DB.prepare('SELECT ?').bind(`${'ñ'.repeat(1_000_000)}x`);
    await expect(tooLong.all()).rejects.toThrow('A value of 2000001 bytes');
    await expect(DB.batch([tooLong])).rejects.toThrow('A value of 2000001 bytes');
  });

  test('that returns a row of more than 2,000,000 bytes fails', async () => {
    const { DB } = platform({ DB: database([{ a: 'x'.repeat(1_500_000), b: 'x'.repeat(500_001) }]) }).invoke();
    await expect(DB.prepare('SELECT a, b').all()).rejects.toThrow('A row of 2000001 bytes');
    await expect(DB.prepare('SELECT a, b').raw()).rejects.toThrow('A row of 2000001 bytes');
    await expect(DB.prepare('SELECT a, b').first()).rejects.toThrow('A row of 2000001 bytes');
  });

  test('with a function of 32 arguments is run, of 33 is not', async () => {
    const { DB } = platform().invoke();
    const call = (count: number) => `SELECT json_array(${Array(count).fill('max(1, 2)').join(', ')})`;
    await DB.prepare(call(32)).all();
    await expect(DB.prepare(call(33)).all()).rejects.toThrow('json_array() with 33 arguments');
  });
});

test.each<[string, ReturnType<typeof mostArguments>]>([
  ['SELECT a, b, c FROM t WHERE x IN (1, 2, 3)', null],
  ['SELECT json_array()', { name: 'json_array', count: 0 }],
  ["SELECT Coalesce (a, 'b, c', max(d, e, f, g))", { name: 'max', count: 4 }],
  ['SELECT min(a, (SELECT b, c FROM d)) -- , , ,', { name: 'min', count: 2 }],
  ['INSERT INTO t (a, b, c) VALUES (1, 2, iif(1, 2, 3))', { name: 'iif', count: 3 }],
])('the arguments of functions in %s', (sql, most) => {
  expect(mostArguments(sql)).toEqual(most);
});

test('a violation that the code catches is found afterwards, once', async () => {
  const { DB } = platform().invoke();
  await DB.prepare('SELECT 1')
    .bind(...Array(101).fill(1))
    .all()
    .catch(() => {});
  expect(takeViolations()).toHaveLength(1);
  expect(takeViolations()).toEqual([]);
});
