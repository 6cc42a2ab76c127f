import { expect, test } from 'vitest';
import { LruMap } from '../../../src/lib/lru.ts';

test('one entry too many: the least recently used is evicted', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  map.set('a', 4);
  map.set('d', 5);
  expect(['a', 'c', 'd'].map((key) => map.get(key))).toEqual([4, undefined, 5]);
});

test('deleting entries by key or by value: the others stay', () => {
  const map = new LruMap<string, number>(4);
  for (const [value, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, value);
  map.delete('a');
  map.deleteWhere((value) => value === 2);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 1, undefined, 3]);
});
