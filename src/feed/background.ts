/** Bytes that the background tasks of all requests may hold: memory left after building a segment. */
const MAX_HELD = 80 * 1024 * 1024;

/** Milliseconds after which a task counts as over: it has ended, or the platform has ended its request. */
const MAX_DURATION = 60_000;

interface Holding {
  readonly bytes: number;
  readonly since: number;
}

/** What the tasks of this isolate hold. */
const holdings = new Set<Holding>();

/** The background tasks of a request: the reader comes first, and never waits for work that only later readers need. */
export class BackgroundTasks {
  readonly #waitUntil: (task: Promise<void>) => void;
  readonly #report: (error: unknown) => void;

  /**
   * @param waitUntil keeps the request alive until the task is done
   * @param report receives what a task throws, which affects nothing else
   */
  constructor(waitUntil: (task: Promise<void>) => void, report: (error: unknown) => void) {
    this.#waitUntil = waitUntil;
    this.#report = report;
  }

  /**
   * Runs a task as soon as there is nothing to do for the reader. It is skipped if memory does not suffice: a reader must
   * not wait for a store that hangs.
   *
   * @param holds bytes that stay in memory until it is done
   */
  add(task: () => Promise<void>, holds = 0): void {
    const now = Date.now();
    if (heldAt(now) + holds > MAX_HELD) return;
    const holding = { bytes: holds, since: now };
    holdings.add(holding);
    this.#waitUntil(
      afterReader(task)
        .catch(this.#report)
        .finally(() => holdings.delete(holding)),
    );
  }
}

function heldAt(now: number): number {
  let held = 0;
  for (const holding of holdings) {
    if (now - holding.since < MAX_DURATION) held += holding.bytes;
    else holdings.delete(holding);
  }
  return held;
}

async function afterReader(task: () => Promise<void>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await task();
}
