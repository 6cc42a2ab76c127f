import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `maxEntries` entries: the most recently used. It takes memory only for those that it has. With its option
 * `max`, `lru-cache` would allocate room for all of them at once, which took the Worker's start several milliseconds.
 *
 * @param memoMethod computes the value of a key for `memo()`
 */
export function boundedCache<Value extends {}>(
  maxEntries: number,
  memoMethod?: (key: string) => Value,
) {
  return new LRUCache<string, Value>({
    maxSize: maxEntries,
    sizeCalculation: () => 1,
    ...(memoMethod && { memoMethod }),
  });
}
