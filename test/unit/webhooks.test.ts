import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newsMessage, newWebhookSecret, signed } from '../../src/changes/webhooks/call.ts';
import { afterCall } from '../../src/changes/webhooks/deliver.ts';
import type { Lease } from '../../src/changes/webhooks/webhook-calls.ts';

const NOW = 1_800_000_000;
const HOUR = 3_600;

const lease = (failures: number, failingSince: number | null): Lease =>
  ({ confirmedNumber: 5, failures, failingSince }) as Lease;

describe('a call with news up to number 9', () => {
  const ENABLED = { enabled: true, disabledBecause: null };

  test.each([200, 299])('answered with %d: confirmed, and the failures are forgotten', (status) => {
    const forgotten = { failures: 0, failingSince: null, nextAttemptAt: 0 };
    const after = {
      ...ENABLED,
      ...forgotten,
      confirmedNumber: 9,
      pendingNumber: null,
      pendingCall: null,
    };
    expect(afterCall(lease(3, NOW - HOUR), 9, status, NOW, 0)).toEqual(after);
  });

  test('answered with 410: disabled', () => {
    const after = { confirmedNumber: 5, enabled: false, disabledBecause: 'gone' };
    expect(afterCall(lease(0, null), 9, 410, NOW, 0)).toMatchObject(after);
  });

  test.each([null, 100, 301, 400, 500])('answered with %s: repeated', (status) => {
    const failing = { failures: 1, failingSince: NOW, nextAttemptAt: NOW + 5 };
    const after = { ...ENABLED, ...failing, confirmedNumber: 5 };
    expect(afterCall(lease(0, null), 9, status, NOW, 0)).toEqual(after);
  });
});

test('calls of two services with the same numbers: messages with different ids', () => {
  const first = {
    ...lease(0, null),
    id: 1,
    createdAt: NOW,
    incarnation: 1,
    replays: 0,
    account: 'COSTA',
    accountId: 1,
  };
  const ids = [first, { ...first, createdAt: NOW + 1 }].map(
    (one) => newsMessage(one, 'https://x', [], 9, NOW).id,
  );
  expect(ids[0]).not.toBe(ids[1]);
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

const BODY = '{"type":"ping","timestamp":"2026-11-24T09:30:00Z","data":{"account":"Añil ✓"}}';

describe('a signed message, checked with the library of Standard Webhooks', () => {
  const now = Math.floor(Date.now() / 1_000);
  const [first, second, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const verify = (secret: string, body: string, headers: object) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);

  test('valid with its secret', () => {
    expect(verify(first, BODY, signed('msg_1', now, BODY, [first]))).toEqual(JSON.parse(BODY));
  });

  test('while a secret is rotated: valid with each of the two, and with no other', () => {
    const headers = { ...signed('msg_1', now, BODY, [first, second]) };
    for (const secret of [first, second])
      expect(verify(secret, BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => verify(other, BODY, headers)).toThrow('No matching signature');
  });

  test('invalid with another body, id or timestamp', () => {
    const headers = { ...signed('msg_1', now, BODY, [first]) };
    expect(() => verify(first, `${BODY} `, headers)).toThrow();
    expect(() => verify(first, BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    expect(() =>
      verify(first, BODY, { ...headers, 'webhook-timestamp': String(now - 1) }),
    ).toThrow();
  });
});

test('secrets: 32 bytes each, and all different', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
