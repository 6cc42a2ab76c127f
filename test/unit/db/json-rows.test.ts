import { expect, test } from 'vitest';
import { parameters, wideWrite } from '../../../src/db/json-rows.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

test('rows that exceed one parameter: several parameters within the limit, with all rows in order', () => {
  const rows = Array.from({ length: 60 }, (_, index) => [index, '€'.repeat(20_000)]);
  const chunks = parameters(rows);
  expect(chunks.length).toBe(3);
  for (const chunk of chunks) expect(bytesOf(chunk)).toBeLessThanOrEqual(1_400_001);
  expect(chunks.flatMap((chunk) => JSON.parse(chunk))).toEqual(rows);
});

test('a row that exceeds a parameter: a parameter of its own, which the database will reject', () => {
  const rows = [['a'], ['x'.repeat(1_500_000)], ['b']];
  expect(parameters(rows).map((chunk) => JSON.parse(chunk))).toEqual(rows.map((row) => [row]));
});

test('rows beside another parameter: together within the limit', () => {
  const rows = Array.from({ length: 60 }, (_, index) => [index, 'x'.repeat(20_000)]);
  const other = '€'.repeat(400_000);
  const chunks = parameters(rows, [other]);
  expect(chunks.flatMap((chunk) => JSON.parse(chunk))).toEqual(rows);
  for (const chunk of chunks) expect(bytesOf(chunk) + bytesOf(other)).toBeLessThanOrEqual(1_400_001);
});

test('no rows: no parameter', () => {
  expect(parameters([])).toEqual([]);
});

test('wide rows: the values that all of them share are set apart', () => {
  const columns = ['same', 'own', ['price', 'real'], ['area', 'real'], 'list'] as const;
  const rows = [
    ['x', 1, [5, 0], [7, 0], ['a']],
    ['x', 2, [5, 0], [7, -1], ['a', 'b']],
  ] as const;
  const { sql, rows: own, common } = wideWrite(columns, rows, (table) => table);
  expect(own).toEqual([
    [1, [7, 0], ['a']],
    [2, [7, -1], ['a', 'b']],
  ]);
  expect(common?.map((json) => JSON.parse(json))).toEqual([['x', [5, 0]]]);
  expect(sql).toContain('value ->> 0 AS own');
  expect(sql).toContain('?3 ->> 0 AS same');
});
