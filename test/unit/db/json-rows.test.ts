import { expect, test } from 'vitest';
import { parameters } from '../../../src/db/json-rows.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

test('rows of more bytes than a parameter takes → several, each small enough, of all rows in their order', () => {
  const rows = Array.from({ length: 60 }, (_, index) => [index, '€'.repeat(20_000)]);
  const chunks = parameters(rows);
  expect(chunks.length).toBe(3);
  for (const chunk of chunks) expect(bytesOf(chunk)).toBeLessThanOrEqual(1_400_001);
  expect(chunks.flatMap((chunk) => JSON.parse(chunk))).toEqual(rows);
});

test('a row too large for its parameter → alone in one, for the database to refuse', () => {
  const rows = [['a'], ['x'.repeat(1_500_000)], ['b']];
  expect(parameters(rows).map((chunk) => JSON.parse(chunk))).toEqual(rows.map((row) => [row]));
});

test('no rows → no parameter', () => {
  expect(parameters([])).toEqual([]);
});
