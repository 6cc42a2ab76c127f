import { DELIVERY_RECORDED_EVERY_SECONDS } from '../../db/readers/deliveries.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';

/** Writes from which an interval must have been learned. */
const MIN_INTERVALS = 3;

/** Usual intervals after whose number a reader is late. */
const LATE_AFTER = 3;

/** When a reader last requested a feed, and how often it usually does. */
interface Rhythm {
  readonly visitedAt: EpochSeconds;
  /** Seconds; `null` until it is known. */
  readonly usualInterval: number | null;
  /** From how many writes the interval was learned. */
  readonly intervals: number;
}

/**
 * Whether a reader is late: three of its usual intervals have passed without a visit. A visit may be recorded ten minutes
 * late.
 */
export function isLate({ visitedAt, usualInterval, intervals }: Rhythm, now: EpochSeconds): boolean {
  if (usualInterval === null || intervals < MIN_INTERVALS) return false;
  return now - visitedAt > LATE_AFTER * usualInterval + DELIVERY_RECORDED_EVERY_SECONDS;
}
