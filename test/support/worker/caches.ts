import { LRUCache } from 'lru-cache';

/** Every cache of the Worker's modules that has been used. */
const caches = new Set<LRUCache<object, object>>();

const { set } = LRUCache.prototype;
LRUCache.prototype.set = function (this: LRUCache<object, object>, ...entry) {
  caches.add(this);
  return set.apply(this, entry);
};

/** Makes the Worker's modules forget what they know of accounts, clients, readers and addresses. */
export function emptyCaches(): void {
  for (const cache of caches) cache.clear();
}
