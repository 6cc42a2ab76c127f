/** Bytes that tasks may hold before an answer waits for them: what the making of a part leaves of an isolate's 128 MB. */
const MOST_HELD = 80 * 1024 * 1024;

/**
 * What an answer leaves to be done beside it: the reader comes first, and nothing that it gets waits for what only later
 * ones need, unless so much is left that memory would not hold it.
 */
export class Backlog {
  readonly #outlive: (task: Promise<void>) => void;
  readonly #report: (failure: unknown) => void;
  readonly #tasks = new Set<Promise<void>>();
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
   * Has a task done as soon as there is nothing to do for the reader.
   *
   * @param holds bytes that stay in memory until it is done
   */
  add(task: () => Promise<void>, holds = 0): void {
    this.#held += holds;
    const done = afterReader(task)
      .catch(this.#report)
      .finally(() => {
        this.#held -= holds;
        this.#tasks.delete(done);
      });
    this.#tasks.add(done);
    this.#outlive(done);
  }

  /** Waits while tasks hold too much. */
  async room(): Promise<void> {
    while (this.#held > MOST_HELD) await Promise.race(this.#tasks);
  }
}

async function afterReader(task: () => Promise<void>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await task();
}
