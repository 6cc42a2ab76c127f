import { vi } from 'vitest';

const start = Date.now();
let advanced = 0;

/**
 * The time of the simulated platform, in milliseconds: the time that the test has set, otherwise one that stands still
 * unless it is {@link advance | advanced}. A busy machine does not change what happens.
 */
export function now(): number {
  return (vi.getMockedSystemTime()?.valueOf() ?? start) + advanced;
}

/** Lets time pass for the simulated platform alone. */
export function advance(milliseconds: number): void {
  advanced += milliseconds;
}
