/**
 * Whether less than so many milliseconds have passed. Where a clock has gone back nobody knows how many have, so they
 * count as passed.
 */
export function isWithin(milliseconds: number, since: number, now: number): boolean {
  return now >= since && now - since < milliseconds;
}
