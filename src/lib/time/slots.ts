import { pollUntil } from './poll.ts';

/** A waiting request that has not tried again for this long (ms) is treated as cancelled. */
const ABANDONED_MS = 5_000;

/** The right to do one piece of the limited work. */
interface Lease {
  /** Changes what the piece takes, which other requests then wait for. It has no effect after the release. */
  resize(amount: number): void;
  /** Gives it back; can be called repeatedly. */
  release(): void;
}

/**
 * Limits how much of some work an isolate does at the same time, across its requests, first come first served. A piece of
 * work takes an amount: 1 to count pieces, or its bytes. One that takes more than the limit is done alone. A cancelled
 * request neither continues to poll nor releases its lease.
 */
export class Slots {
  readonly #most: number;
  readonly #maxHold: number;
  readonly #leases = new Map<Lease, { amount: number; since: number }>();
  /** Waiting requests in their order, each with the time of its last attempt. */
  readonly #waiting = new Map<object, number>();

  /**
   * @param most the maximum sum of simultaneous amounts
   * @param maxHold a lease that was not resized for this long (ms) is treated as released
   */
  constructor(most: number, maxHold: number) {
    this.#most = most;
    this.#maxHold = maxHold;
  }

  /** Waits for a lease, and calls back at every attempt. */
  async acquire(whileWaiting: () => void = () => {}, amount = 1): Promise<Lease> {
    const ticket = {};
    await pollUntil(() => {
      const now = Date.now();
      this.#waiting.set(ticket, now);
      // Only the first one holds up others; looking at all would take the square of their number.
      for (const [other, seenAt] of this.#waiting) {
        if (now - seenAt < ABANDONED_MS) break;
        this.#waiting.delete(other);
      }
      const taken = this.taken();
      const isNext =
        this.#waiting.keys().next().value === ticket &&
        (taken === 0 || taken + amount <= this.#most);
      if (!isNext) whileWaiting();
      return isNext;
    });
    this.#waiting.delete(ticket);
    return this.#lease(amount);
  }

  /** A lease, or `null` if the limit does not allow it now. */
  tryAcquire(amount: number): Lease | null {
    return this.taken() + amount <= this.#most ? this.#lease(amount) : null;
  }

  #lease(amount: number): Lease {
    const held = { amount, since: Date.now() };
    const lease: Lease = {
      resize: (to) => void Object.assign(held, { amount: to, since: Date.now() }),
      release: () => void this.#leases.delete(lease),
    };
    this.#leases.set(lease, held);
    return lease;
  }

  /** The sum of the amounts of the leases that are still held. */
  taken(): number {
    const now = Date.now();
    for (const [lease, { since }] of this.#leases)
      if (now - since >= this.#maxHold) this.#leases.delete(lease);
    return [...this.#leases.values()].reduce((sum, held) => sum + held.amount, 0);
  }
}
