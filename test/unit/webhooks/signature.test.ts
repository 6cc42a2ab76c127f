import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newWebhookSecret, signed } from '../../../src/api/webhooks/call.ts';

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
    for (const secret of [first, second]) expect(verify(secret, BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => verify(other, BODY, headers)).toThrow('No matching signature');
  });

  test('invalid with another body, id or timestamp', () => {
    const headers = { ...signed('msg_1', now, BODY, [first]) };
    expect(() => verify(first, `${BODY} `, headers)).toThrow();
    expect(() => verify(first, BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
    expect(() => verify(first, BODY, { ...headers, 'webhook-timestamp': String(now - 1) })).toThrow();
  });
});

test('secrets: 32 bytes each, and all different', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
