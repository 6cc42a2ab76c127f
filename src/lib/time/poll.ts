/** Milliseconds between two checks; the first is made at once. */
const EVERY_MS = 5;

/**
 * Waits until a condition holds, or for `atMost` ms. In workerd, a request must not await what another one resolves, so each
 * polls with its own timers.
 */
export async function pollUntil(
  isMet: () => boolean,
  atMost = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (let waited = 0; !isMet() && waited < atMost; waited += EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
