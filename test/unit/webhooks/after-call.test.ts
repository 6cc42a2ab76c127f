import { describe, expect, test } from 'vitest';
import { afterCall } from '../../../src/api/webhooks/deliver.ts';
import type { Lease } from '../../../src/db/news/webhook-calls.ts';

const NOW = 1_800_000_000;
const HOUR = 3_600;

const lease = (failures: number, failingSince: number | null): Lease =>
  ({ confirmedNumber: 5, failures, failingSince }) as Lease;

describe('a call with news up to number 9', () => {
  test.each([200, 201, 204, 299])('answered with %d: confirmed, and the failures are forgotten', (status) => {
    expect(afterCall(lease(3, NOW - HOUR), 9, status, NOW, 0)).toEqual({
      confirmedNumber: 9,
      pendingNumber: null,
      enabled: true,
      disabledBecause: null,
      failures: 0,
      failingSince: null,
      nextAttemptAt: 0,
    });
  });

  test('answered with 410: disabled', () => {
    expect(afterCall(lease(0, null), 9, 410, NOW, 0)).toMatchObject({
      confirmedNumber: 5,
      enabled: false,
      disabledBecause: 'gone',
    });
  });

  test.each([null, 100, 301, 302, 307, 400, 404, 429, 500, 503])('answered with %s: repeated', (status) => {
    expect(afterCall(lease(0, null), 9, status, NOW, 0)).toEqual({
      confirmedNumber: 5,
      pendingNumber: 9,
      enabled: true,
      disabledBecause: null,
      failures: 1,
      failingSince: NOW,
      nextAttemptAt: NOW + 5,
    });
  });
});

test('without a success: repeated after seconds, minutes and hours, and disabled after three days', () => {
  let [failures, since, now]: [number, number | null, number] = [0, null, NOW];
  const delays: number[] = [];
  for (;;) {
    const after = afterCall(lease(failures, since), 9, 500, now, 0);
    if (!after.enabled) {
      expect(after.disabledBecause).toBe('failing');
      break;
    }
    delays.push(after.nextAttemptAt - now);
    [failures, since, now] = [after.failures, after.failingSince, after.nextAttemptAt];
  }
  expect(delays.slice(0, 8)).toEqual([5, 20, 80, 320, 1_280, 5_120, 4 * HOUR, 4 * HOUR]);
  expect(now - NOW).toBeGreaterThanOrEqual(72 * HOUR);
  expect(now - NOW).toBeLessThan(77 * HOUR);
});

test('repeated calls are spread: up to a quarter later', () => {
  expect(afterCall(lease(4, NOW), 9, 500, NOW, 0.999).nextAttemptAt).toBe(NOW + 1_600);
});
