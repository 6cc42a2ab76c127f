/** Bytes that tasks may hold: what the making of a part leaves of the 128 MB that an isolate has. */
const MOST_HELD = 80 * 1024 * 1024;

/**
 * What an answer leaves to be done beside it: the reader comes first, and nothing that it gets waits for what only later
 * ones need.
 */
export class Backlog {
  readonly #outlive: (task: Promise<void>) => void;
  readonly #report: (failure: unknown) => void;
  #held = 0;

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
    if (this.#held + holds > MOST_HELD) return;
    this.#held += holds;
    this.#outlive(
      afterReader(task)
        .catch(this.#report)
        .finally(() => {
          this.#held -= holds;
        }),
    );
  }
}

async function afterReader(task: () => Promise<void>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await task();
}
