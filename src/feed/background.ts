/** Bytes that the background tasks of all requests may hold: a fifth of an isolate's 128 MB. */
const MAX_HELD = 24 * 1024 * 1024;

/** Milliseconds after which a task counts as ended: it has ended, or the platform has ended its request. */
const MAX_DURATION = 60_000;

/** The memory that a task holds until it ends. */
export interface Holding {
  /** Less than at first, once the task has let go of some. */
  bytes: number;
  readonly since: number;
}

/** The memory that the tasks of this isolate hold. */
const holdings = new Set<Holding>();

/** The background tasks of a request: its reader never waits for work that only later readers need. */
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
   * @param bytes that the task holds in memory until it is done
   * @returns whether the task will run
   */
  add(task: (holding: Holding) => Promise<void>, bytes = 0): boolean {
    const now = Date.now();
    if (heldAt(now) + bytes > MAX_HELD) return false;
    const holding = { bytes, since: now };
    holdings.add(holding);
    this.#waitUntil(
      afterReader(() => task(holding))
        .catch(this.#report)
        .finally(() => holdings.delete(holding)),
    );
    return true;
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
