import { expect, test } from 'vitest';
import { parameters } from '../../../src/db/json-rows.ts';

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

test('no rows: no parameter', () => {
  expect(parameters([])).toEqual([]);
});
