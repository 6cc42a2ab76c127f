import { pollUntil } from './poll.ts';

/** Work that one request does and others wait for. */
interface Flight<Value> {
  /** When it was last known to make progress. */
  aliveAt: number;
  state: 'running' | 'done' | 'failed';
  value: Value | null;
  isWanted: boolean;
}

/** The right and obligation to do some work. */
export interface Claim<Value> {
  /** States that the work is still being done. */
  keepAlive(): void;
  /** Whether another request waits for the result. */
  isWanted(): boolean;
  /** Passes the result to the waiting requests. */
  share(value: Value): void;
  /** Ends the claim; without a result, one of the waiting requests takes over. Can be called repeatedly. */
  end(): void;
}

/**
 * Work that requests of an isolate want at the same time and that only one of them does. If it fails, or its request is
 * cancelled, one of the others takes over.
 */
export class SingleFlight<Value> {
  readonly #maxSilence: number;
  readonly #flights = new Map<string, Flight<Value>>();

  /** @param maxSilence work that has made no progress for this long (ms) is treated as cancelled */
  constructor(maxSilence: number) {
    this.#maxSilence = maxSilence;
  }

  /** The result of the work with this key that another request is doing, or the claim to do it. */
  async join(key: string): Promise<{ readonly value: Value } | Claim<Value>> {
    for (let other = this.#flights.get(key); other !== undefined; other = this.#flights.get(key)) {
      const flight = other;
      flight.isWanted = true;
      await pollUntil(() => flight.state !== 'running' || Date.now() - flight.aliveAt >= this.#maxSilence);
      if (flight.state === 'done') return { value: flight.value! };
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
    const own: Flight<Value> = { aliveAt: Date.now(), state: 'running', value: null, isWanted: false };
    this.#flights.set(key, own);
    return {
      keepAlive: () => {
        own.aliveAt = Date.now();
      },
      isWanted: () => own.isWanted,
      share: (value) => void Object.assign(own, { value, state: 'done' }),
      end: () => {
        if (own.state === 'running') own.state = 'failed';
        if (this.#flights.get(key) === own) this.#flights.delete(key);
      },
    };
  }

  /** The result of the running work with this key, or else of this one. */
  async run(key: string, work: () => Promise<Value>): Promise<Value> {
    const claim = await this.join(key);
    if ('value' in claim) return claim.value;
    try {
      const value = await work();
      claim.share(value);
      return value;
    } finally {
      claim.end();
    }
  }
}
