/**
 * A map of limited size that evicts entries that have not been used for long: one that has been used remains until at least
 * half as many others as the map holds have been used since.
 *
 * It has two generations. A use moves an entry only from the older one to the younger one, so that reading what is used all
 * the time changes nothing: to keep the exact order costs several times as much.
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
