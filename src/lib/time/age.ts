/**
 * Whether less than `milliseconds` has elapsed since `since`. False if the clock was set back, since the elapsed time is
 * then unknown.
 */
export function isWithin(milliseconds: number, since: number, now: number): boolean {
  return now >= since && now - since < milliseconds;
}
