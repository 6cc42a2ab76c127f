import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { EpochSeconds } from '../../lib/time/time.ts';

/** What secrets begin with. */
const PREFIX = 'whsec_';

/** A new secret: 32 random bytes in base64 after `whsec_`, as Standard Webhooks prescribes. */
export function newWebhookSecret(): string {
  return PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
}

/** The headers of a message. */
export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Signs a message as Standard Webhooks 1.0 prescribes: HMAC-SHA-256 of id, timestamp and body, once with each secret.
 *
 * @param timestamp of this attempt
 */
export function signed(id: string, timestamp: EpochSeconds, body: string, secrets: readonly string[]): SignedHeaders {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'));
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest().toString('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
