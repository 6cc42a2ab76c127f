/** Milliseconds between two attempts of a waiting request. */
const POLL = 5;

/** Milliseconds after which a waiting request that has not tried again counts as cancelled. */
const ABANDONED = 5_000;

/** The right to do one piece of the limited work. */
export interface Lease {
  /** Gives it back; may be called again. */
  release(): void;
}

/**
 * Limits how much of some work an isolate does at the same time, across its requests, first come first served. Requests
 * poll with timers of their own: in workerd, a request must not await what another one resolves, and a cancelled one
 * neither continues to poll nor releases its lease.
 */
export class Slots {
  readonly #most: number;
  readonly #maxHold: number;
  readonly #leases = new Map<Lease, number>();
  /** Waiting requests in their order, each with the time of its last attempt. */
  readonly #waiting = new Map<object, number>();

  /**
   * @param most the maximum number of simultaneous leases
   * @param maxHold milliseconds after which a lease counts as released
   */
  constructor(most: number, maxHold: number) {
    this.#most = most;
    this.#maxHold = maxHold;
  }

  /**
   * Waits for a lease.
   *
   * @param whileWaiting called at every attempt
   */
  async acquire(whileWaiting: () => void = () => {}): Promise<Lease> {
    const ticket = {};
    while (!this.#isNext(ticket, Date.now())) {
      whileWaiting();
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
    this.#waiting.delete(ticket);
    const lease: Lease = { release: () => void this.#leases.delete(lease) };
    this.#leases.set(lease, Date.now());
    return lease;
  }

  #isNext(ticket: object, now: number): boolean {
    this.#waiting.set(ticket, now);
    for (const [other, seenAt] of this.#waiting) if (now - seenAt >= ABANDONED) this.#waiting.delete(other);
    for (const [lease, since] of this.#leases) if (now - since >= this.#maxHold) this.#leases.delete(lease);
    return this.#leases.size < this.#most && this.#waiting.keys().next().value === ticket;
  }
}
