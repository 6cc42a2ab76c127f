/** Bytes that the background tasks of all requests may hold: a tenth of an isolate's 128 MB. */
const MAX_HELD = 12 * 1024 * 1024;

/** Milliseconds after which a task counts as ended: it has ended, or the platform has ended its request. */
const MAX_DURATION = 60_000;

/** Milliseconds without a chunk sent after which the response waits for its reader or for D1, so that there is time for tasks. */
const IDLE = 100;

/** Bytes that a postponed task may hold at first, and milliseconds between two checks whether they are free. */
const ROOM = 4 * 1024 * 1024;
const POLL = 50;

/** Milliseconds for which a postponed task waits for them: the platform ends a request 30 s after its response. */
const MAX_ROOM_WAIT = 20_000;

/** How often a task waits that long while chunks are sent, before it runs all the same: half a second. */
const MAX_WAITS = 5;

/** The memory that a task holds until it ends. */
export interface Holding {
  /** Less than at first, once the task has let go of some. */
  bytes: number;
  readonly since: number;
}

/** The memory that the tasks of this isolate hold. */
const holdings = new Set<Holding>();

/**
 * The background tasks of a request, which only later readers need: they run once the response is complete, or while it
 * waits for its reader.
 */
export class BackgroundTasks {
  /** Chunks of the response so far. */
  #sent = 0;
  #isComplete = false;
  #complete = () => {};
  readonly #completed = new Promise<void>((resolve) => {
    this.#complete = resolve;
  });
  /** Tasks that memory did not suffice for; the first is waiting or running. */
  readonly #postponed: (() => Promise<void>)[] = [];
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

  /** Call it for each chunk sent to the reader. */
  chunkSent(): void {
    this.#sent++;
  }

  /** Call it when the response is complete: tasks no longer wait. */
  responseSent(): void {
    this.#isComplete = true;
    this.#complete();
  }

  /**
   * Runs a task when there is nothing to do for the reader, after half a second at the latest. It is skipped if memory does
   * not suffice: a reader must not wait for a store that hangs.
   *
   * @param bytes that the task holds in memory until it is done
   * @param isUrgent whether another request waits for the task
   * @returns whether the task will run
   */
  add(task: (holding: Holding) => Promise<void>, bytes = 0, isUrgent: () => boolean = () => false): boolean {
    const now = Date.now();
    if (heldAt(now) + bytes > MAX_HELD) return false;
    const holding = { bytes, since: now };
    holdings.add(holding);
    this.#waitUntil(
      this.#idle(isUrgent)
        .then(() => task(holding))
        .catch(this.#report)
        .finally(() => holdings.delete(holding)),
    );
    return true;
  }

  /**
   * Runs a task when there is nothing to do for the reader and memory suffices again, one such task after the other. It is
   * skipped if that takes too long.
   */
  postpone(task: () => Promise<void>): void {
    if (this.#postponed.push(task) === 1) this.#waitUntil(this.#runPostponed());
  }

  async #runPostponed(): Promise<void> {
    for (let task = this.#postponed[0]; task !== undefined; task = this.#postponed[0]) {
      await this.#idle(() => false, Number.POSITIVE_INFINITY);
      if (await hasRoom()) await task().catch(this.#report);
      this.#postponed.shift();
    }
  }

  async #idle(isUrgent: () => boolean, maxWaits = MAX_WAITS): Promise<void> {
    for (let waits = 0; waits < maxWaits && !this.#isComplete && !isUrgent(); waits++) {
      const sent = this.#sent;
      await Promise.race([this.#completed, sleep(IDLE)]);
      if (this.#sent === sent) break;
    }
    // The response first.
    await sleep(0);
  }
}

/** Whether memory suffices for a postponed task, once it does or waiting takes too long. */
async function hasRoom(): Promise<boolean> {
  for (let waited = 0; heldAt(Date.now()) + ROOM > MAX_HELD; waited += POLL) {
    if (waited >= MAX_ROOM_WAIT) return false;
    await sleep(POLL);
  }
  return true;
}

function heldAt(now: number): number {
  let held = 0;
  for (const holding of holdings) {
    if (now - holding.since < MAX_DURATION) held += holding.bytes;
    else holdings.delete(holding);
  }
  return held;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
