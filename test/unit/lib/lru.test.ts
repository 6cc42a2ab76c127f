import { expect, test } from 'vitest';
import { LruMap } from '../../../src/lib/lru.ts';

function mapOf(maxEntries: number, keys: string): LruMap<string, number> {
  const map = new LruMap<string, number>(maxEntries);
  for (const [value, key] of [...keys].entries()) map.set(key, value);
  return map;
}

function keysOf(map: LruMap<string, number>, keys: string): string {
  return [...keys].filter((key) => map.get(key) !== undefined).join('');
}

test('an entry used since half as many others as the map holds: it stays', () => {
  const map = mapOf(6, 'ab');
  for (const key of 'cdefghij') {
    map.set(key, 0);
    expect(map.get('a')).toBe(0);
  }
  expect(map.get('b')).toBeUndefined();
});

test('more entries than the map holds: it has the newest, and never more than that', () => {
  const map = mapOf(6, 'abcdefghijkl');
  expect(keysOf(map, 'abcdef')).toBe('');
  expect(keysOf(map, 'jkl')).toBe('jkl');
});

test('an older entry set again: its new value, once', () => {
  const map = mapOf(6, 'abc');
  map.set('a', 9);
  expect(map.get('a')).toBe(9);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});

test('deleting entries by key or by value: the others stay', () => {
  const map = mapOf(6, 'abcd');
  map.delete('a');
  map.deleteWhere((value) => value === 2);
  expect(keysOf(map, 'abcd')).toBe('bd');
});
