import { violate } from './limits/violation.ts';

/** How long `waitUntil` extends an invocation after its response: https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil */
const MAX_BACKGROUND = 30_000;

/** Keeps the time since an invocation's response was complete. */
export class Background {
  #respondedAt: number | undefined;

  /** @param now milliseconds, of a clock that a busy machine does not advance */
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Call when the response has been sent. */
  begin(): void {
    this.#respondedAt = this.now();
  }

  /**
   * Checks that the invocation may still do something.
   *
   * @throws PlatformViolation once its time after the response has passed
   */
  check(what: string): void {
    if (this.#respondedAt !== undefined && this.now() - this.#respondedAt > MAX_BACKGROUND) {
      violate(`${what} more than 30 s after the response`);
    }
  }
}
