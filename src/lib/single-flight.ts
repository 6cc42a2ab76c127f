/** Poll interval (ms) for work that another request is doing. */
const POLL = 5;

interface Flight<Value> {
  readonly startedAt: number;
  result: { readonly value: Value } | null;
  hasFailed: boolean;
}

/**
 * Work that requests of an isolate want at the same time and that only one of them does. The others poll with timers of
 * their own: in workerd, a request must not await the I/O of another. If the work fails, or its request is cancelled, one of
 * them takes over.
 */
export class SingleFlight<Value> {
  readonly #maxDuration: number;
  readonly #flights = new Map<string, Flight<Value>>();

  /** @param maxDuration work that takes longer (ms) is treated as cancelled */
  constructor(maxDuration: number) {
    this.#maxDuration = maxDuration;
  }

  /**
   * The result of the running work with this key, or else of this one.
   *
   * @throws what this work throws
   */
  async run(key: string, work: () => Promise<Value>): Promise<Value> {
    for (let other = this.#flights.get(key); other !== undefined; other = this.#flights.get(key)) {
      while (this.#isRunning(other)) await new Promise((resolve) => setTimeout(resolve, POLL));
      if (other.result !== null) return other.result.value;
      if (this.#flights.get(key) === other) this.#flights.delete(key);
    }
    const flight: Flight<Value> = { startedAt: Date.now(), result: null, hasFailed: false };
    this.#flights.set(key, flight);
    try {
      const value = await work();
      flight.result = { value };
      return value;
    } finally {
      flight.hasFailed = flight.result === null;
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }

  #isRunning({ startedAt, result, hasFailed }: Flight<Value>): boolean {
    return result === null && !hasFailed && Date.now() - startedAt < this.#maxDuration;
  }
}
