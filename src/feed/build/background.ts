import { pollUntil } from '../../lib/time/poll.ts';
import { type Lease, Slots } from '../../lib/time/slots.ts';

/** Bytes that the background tasks of all requests may hold: a tenth of an isolate's 128 MB. */
const MAX_HELD_BYTES = 12 * 1024 * 1024;

/** Milliseconds after which a task counts as ended: it has ended, or the platform has ended its request. */
const MAX_DURATION_MS = 60_000;

/** Milliseconds for which a task waits for the response to be complete, and between two checks whether it is. */
const MAX_WAIT_MS = 500;
const CHECK_MS = 20;

const memory = new Slots(MAX_HELD_BYTES, MAX_DURATION_MS);

/** The background tasks of a request, which only later readers need: they run once the response is complete. */
export class BackgroundTasks {
  #isComplete = false;
  readonly #waitUntil: (task: Promise<void>) => void;
  readonly #report: (error: unknown) => void;

  /** @param report receives what a task throws, which affects nothing else */
  constructor(waitUntil: (task: Promise<void>) => void, report: (error: unknown) => void) {
    this.#waitUntil = waitUntil;
    this.#report = report;
  }

  /** Call it when the response is complete: tasks no longer wait. */
  responseSent(): void {
    this.#isComplete = true;
  }

  /**
   * Runs a task when the response is complete, after half a second at the latest. It is skipped if memory does not suffice: a
   * reader must not wait for a store that hangs.
   *
   * @param task receives the lease of its memory, to state that it needs less
   * @param bytes that the task holds in memory until it is done
   * @param isUrgent whether another request waits for the task
   * @returns whether the task will run
   */
  add(task: (memory: Lease) => Promise<void>, bytes = 0, isUrgent: () => boolean = () => false): boolean {
    const lease = memory.tryAcquire(bytes);
    if (lease === null) return false;
    const run = async () => {
      await pollUntil(() => this.#isComplete || isUrgent(), { every: CHECK_MS, atMost: MAX_WAIT_MS });
      // What the response does without waiting comes first.
      await new Promise((resolve) => setTimeout(resolve, 0));
      await task(lease);
    };
    this.#waitUntil(run().catch(this.#report).finally(lease.release));
    return true;
  }
}
