/** Numbers in [0, 1) that are the same in every run: mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Other numbers, which depend on these alone: how many of them are drawn, and when, changes nothing here. */
  fork(): Random {
    return new Random(this.between(0, 2 ** 31 - 1));
  }

  /** An integer from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** A number of hexadecimal digits. */
  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.between(0, 15).toString(16)).join('');
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.between(0, values.length - 1)]!;
  }

  /** One of the values, the first ones much more often than the last. */
  pickSkewed<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.next() ** 2.5 * values.length)]!;
  }

  /** A number of distinct values. */
  some<Value>(values: readonly Value[], count: number): Value[] {
    const rest = [...values];
    return Array.from(
      { length: count },
      () => rest.splice(this.between(0, rest.length - 1), 1)[0]!,
    );
  }
}
