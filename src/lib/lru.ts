/** A map that keeps the most recently used entries, up to a number. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
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
    if (this.#entries.size > this.#most) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest!);
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Forgets every entry that fits. */
  deleteWhere(fits: (value: Value, key: Key) => boolean): void {
    for (const [key, value] of this.#entries) if (fits(value, key)) this.#entries.delete(key);
  }
}
