/** Bytes that the tasks of all answers may hold: what the making of a part leaves of the 128 MB that an isolate has. */
const MAX_HELD = 80 * 1024 * 1024;

/** Milliseconds after which a task is over: it has ended, or the platform has ended its request and it never will. */
const LONGEST = 60_000;

interface Holding {
  readonly bytes: number;
  readonly since: number;
}

/** What the tasks of this isolate hold. */
const holdings = new Set<Holding>();

/**
 * What an answer leaves to be done beside it: the reader comes first, and nothing that it gets waits for what only later
 * ones need.
 */
export class Backlog {
  readonly #outlive: (task: Promise<void>) => void;
  readonly #report: (failure: unknown) => void;

  /**
   * @param outlive has a task outlive the answer
   * @param report told what a task throws, which touches nothing else
   */
  constructor(outlive: (task: Promise<void>) => void, report: (failure: unknown) => void) {
    this.#outlive = outlive;
    this.#report = report;
  }

  /**
   * Has a task done as soon as there is nothing to do for the reader. It is left out where memory would not hold it: a
   * reader must not wait for a store that hangs.
   *
   * @param holds bytes that stay in memory until it is done
   */
  add(task: () => Promise<void>, holds = 0): void {
    const now = Date.now();
    if (heldAt(now) + holds > MAX_HELD) return;
    const holding = { bytes: holds, since: now };
    holdings.add(holding);
    this.#outlive(
      afterReader(task)
        .catch(this.#report)
        .finally(() => holdings.delete(holding)),
    );
  }
}

function heldAt(now: number): number {
  let held = 0;
  for (const holding of holdings) {
    if (now - holding.since < LONGEST) held += holding.bytes;
    else holdings.delete(holding);
  }
  return held;
}

async function afterReader(task: () => Promise<void>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await task();
}
