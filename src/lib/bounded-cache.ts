import { LRUCache } from 'lru-cache';

/**
 * A cache of the entries that were used last, `maxEntries` at most. It takes memory only for those that it has: with its option
 * `max`, `lru-cache` allocates all places at once, which for the Worker's caches took a tenth of its start.
 */
export function boundedCache<Value extends {}>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
