import type { AfterCall, Lease } from '../../db/news/webhook-calls.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';

/** Seconds before a call is repeated: four times as long after each failure, up to the longest. */
const FIRST_DELAY_S = 5;
const LONGEST_DELAY_S = 4 * 3_600;

/** Seconds of failures after which a webhook is disabled. */
const PATIENCE_S = 3 * 86_400;

/**
 * What follows from a call: 2xx confirms, 410 disables, everything else is repeated for three days.
 *
 * @param to the number up to which the call contained all news
 * @param status of the answer; `null` if there was none
 * @param random from 0 to 1; spreads repeated calls
 */
export function afterCall(
  { confirmedNumber, failures, failingSince }: Lease,
  to: number,
  status: number | null,
  now: EpochSeconds,
  random: number,
): AfterCall {
  if (status !== null && status >= 200 && status < 300) return confirmed(to);
  const since = failingSince ?? now;
  const disabledBecause = status === 410 ? 'gone' : now - since >= PATIENCE_S ? 'failing' : null;
  const delay = Math.min(FIRST_DELAY_S * 4 ** failures, LONGEST_DELAY_S);
  return {
    confirmedNumber,
    pendingNumber: to,
    enabled: disabledBecause === null,
    disabledBecause,
    failures: failures + 1,
    failingSince: since,
    nextAttemptAt: now + Math.round(delay * (1 + random / 4)),
  };
}

/** What follows when a webhook has received all news up to a number. */
export function confirmed(to: number): AfterCall {
  return {
    confirmedNumber: to,
    pendingNumber: null,
    enabled: true,
    disabledBecause: null,
    failures: 0,
    failingSince: null,
    nextAttemptAt: 0,
  };
}
