/** Milliseconds between two checks; the first is made at once. */
const EVERY_MS = 5;

/**
 * Waits until a condition holds. In workerd, a request must not await what another one resolves, so
 * each polls with its own timers.
 */
export async function pollUntil(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}
