/**
 * A map of limited size that evicts what has not been used for long: at the earliest, once half as many other entries as the
 * map can hold have been used.
 *
 * It has two generations: a use moves an entry from the older one to the younger one, and changes nothing if it is there
 * already. Maintaining the exact order of use is several times slower.
 */
export class LruMap<Key, Value> {
  #younger = new Map<Key, Value>();
  #older = new Map<Key, Value>();
  readonly #maxPerGeneration: number;

  constructor(maxEntries: number) {
    this.#maxPerGeneration = Math.ceil(maxEntries / 2);
  }

  get(key: Key): Value | undefined {
    const value = this.#younger.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    this.#older.delete(key);
    this.#younger.set(key, value);
    if (this.#younger.size < this.#maxPerGeneration) return;
    this.#older = this.#younger;
    this.#younger = new Map();
  }

  delete(key: Key): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }

  /** Deletes every entry for which the predicate holds. */
  deleteWhere(predicate: (value: Value, key: Key) => boolean): void {
    for (const entries of [this.#younger, this.#older]) {
      for (const [key, value] of entries) if (predicate(value, key)) entries.delete(key);
    }
  }
}
