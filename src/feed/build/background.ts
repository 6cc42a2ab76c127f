import { Slots } from '../../lib/time/slots.ts';

/** Bytes that the background tasks of all requests may hold: a tenth of an isolate's 128 MB. */
const MAX_HELD_BYTES = 12 * 1024 * 1024;

/** A task that takes longer (ms) is treated as ended: the platform has ended its request. */
const MAX_DURATION_MS = 60_000;

/** Milliseconds for which a task waits for the response to be complete. */
const MAX_WAIT_MS = 500;

const memory = new Slots(MAX_HELD_BYTES, MAX_DURATION_MS);

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The background tasks of a request, which only later readers need: an error in one is only reported. */
export interface BackgroundTasks {
  /** Call it when the response is complete: tasks no longer wait. */
  responseSent(): void;
  /**
   * Runs a task when the response is complete, after half a second at the latest, or once tasks
   * hold half the memory. It is skipped if memory does not suffice: a reader must not wait for a
   * store that hangs.
   *
   * @param bytes that the task holds in memory until it is done
   * @returns whether the task will run
   */
  add(task: () => Promise<void>, bytes?: number): boolean;
}

export function backgroundTasks(
  waitUntil: (task: Promise<void>) => void,
  report: (error: unknown) => void,
): BackgroundTasks {
  const { promise: mayStart, resolve: startTasks } = Promise.withResolvers<void>();
  return {
    responseSent: startTasks,
    add(task: () => Promise<void>, bytes = 0): boolean {
      const lease = memory.tryAcquire(bytes);
      if (lease === null) return false;
      if (memory.taken() > MAX_HELD_BYTES / 2) startTasks();
      const run = async () => {
        await Promise.race([mayStart, sleep(MAX_WAIT_MS)]);
        // What the response does without waiting comes first.
        await sleep(0);
        await task();
      };
      waitUntil(run().catch(report).finally(lease.release));
      return true;
    },
  };
}
