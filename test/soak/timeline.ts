/** Milliseconds after which every feed shows a change. */
const VISIBLE_AFTER = 1_000;

interface Step {
  readonly value: number;
  readonly acknowledgedAt: number;
}

/** A price that only rises: what was sent, and what was acknowledged when. */
export class Timeline {
  readonly #steps: Step[];
  #sent: number;

  constructor(first: number) {
    this.#steps = [{ value: first, acknowledgedAt: Number.NEGATIVE_INFINITY }];
    this.#sent = first;
  }

  /** Call before a higher price is sent. */
  send(value: number): void {
    this.#sent = value;
  }

  acknowledge(value: number, now: number): void {
    this.#steps.push({ value, acknowledgedAt: now });
    // No request is older than a minute.
    while (this.#steps[1] !== undefined && this.#steps[1].acknowledgedAt < now - 60_000) this.#steps.shift();
  }

  /** The highest price that has been sent. */
  get highest(): number {
    return this.#sent;
  }

  /** The lowest price that a feed may show that was requested at this time. */
  lowestAt(requestedAt: number): number {
    const shown = this.#steps.filter(({ acknowledgedAt }) => acknowledgedAt + VISIBLE_AFTER <= requestedAt);
    return (shown.at(-1) ?? this.#steps[0]!).value;
  }
}
