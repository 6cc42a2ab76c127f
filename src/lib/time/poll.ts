/**
 * Waits until a condition holds, and states whether it does. In workerd, a request must not await what another one resolves,
 * so each polls with its own timers.
 *
 * @param every milliseconds between two checks; the first check is made at once
 * @param atMost milliseconds after which to give up
 */
export async function pollUntil(
  isMet: () => boolean,
  { every = 5, atMost = Number.POSITIVE_INFINITY } = {},
): Promise<boolean> {
  for (let waited = 0; !isMet(); waited += every) {
    if (waited >= atMost) return false;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  return true;
}
