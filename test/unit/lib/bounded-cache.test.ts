import { expect, test } from 'vitest';
import { boundedCache } from '../../../src/lib/bounded-cache.ts';

test('a cache of 10 KB: the most recently used entries, together no larger, keys included', () => {
  const cache = boundedCache<number>({ maxBytes: 10_000, valueBytes: 8 });
  for (let index = 0; index < 100; index++) cache.set(`${index} ${'x'.repeat(500)}`, index);
  expect([...cache.values()].toSorted((a, b) => a - b)).toEqual([92, 93, 94, 95, 96, 97, 98, 99]);
});

test('an entry that is larger than the cache is not stored, and evicts no other', () => {
  const cache = boundedCache<string>({ maxBytes: 1_000, valueBytes: ({ length }) => length });
  cache.set('small', 'value');
  cache.set('k'.repeat(1_000), 'value');
  cache.set('large', 'v'.repeat(1_000));
  expect([...cache.keys()]).toEqual(['small']);
});
