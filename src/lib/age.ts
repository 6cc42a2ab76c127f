/**
 * Whether fewer than so many milliseconds have passed since a time. False if the clock was set back: the time that has
 * passed is then unknown.
 */
export function isWithin(milliseconds: number, since: number, now: number): boolean {
  return now >= since && now - since < milliseconds;
}
