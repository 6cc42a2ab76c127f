/** A map of limited size that evicts the least recently used entry. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#maxEntries) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest!);
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Deletes every entry for which the predicate holds. */
  deleteWhere(predicate: (value: Value, key: Key) => boolean): void {
    for (const [key, value] of this.#entries) if (predicate(value, key)) this.#entries.delete(key);
  }
}
