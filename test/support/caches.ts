import { LruMap } from '../../src/lib/lru.ts';

/** Every `LruMap` of the Worker's modules that has been used. */
const caches = new Set<LruMap<unknown, unknown>>();

const { set } = LruMap.prototype;
LruMap.prototype.set = function (this: LruMap<unknown, unknown>, ...entry) {
  caches.add(this);
  return set.apply(this, entry);
};

/** Makes the Worker's modules forget what they know of accounts, clients, readers and addresses. */
export function emptyCaches(): void {
  for (const cache of caches) cache.deleteWhere(() => true);
}
