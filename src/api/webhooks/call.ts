import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { Attempt } from '../../db/news/webhooks.ts';
import { ForbiddenAddress, fetchOutbound } from '../../http/outbound.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import type { Message } from './message.ts';

/** Milliseconds within which a receiver must answer. */
const TIMEOUT_MS = 10_000;

/** Bytes of an answer that the log contains. */
const ANSWER_BYTES = 1024;

/** Whom to call. */
export interface Receiver {
  readonly url: string;
  /** The secrets with which to sign; `null` if they cannot be decrypted. */
  readonly secrets: readonly string[] | null;
  /** Whether it may have a local address. */
  readonly local: boolean;
}

/**
 * Calls a webhook once, for ten seconds at most. A redirect is not followed: it is the answer.
 */
export async function callWebhook(
  { url, secrets, local }: Receiver,
  message: Message,
  now: EpochSeconds,
): Promise<Attempt> {
  const { id, body, events } = message;
  const attempt = { attemptedAt: now, messageId: id, events, status: null, answer: '' };
  if (secrets === null) {
    const error = 'The secret cannot be decrypted, because the setting SEALING_KEY has changed. Rotate the secret.';
    return { ...attempt, error, milliseconds: 0 };
  }
  const startedAt = Date.now();
  const ended = () => ({ milliseconds: Date.now() - startedAt });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = {
    ...signed(id, now, body, secrets),
    'Content-Type': 'application/json',
    'User-Agent': 'Lindero-Webhooks/1',
  };
  try {
    const response = await fetchOutbound(url, { local, redirects: 0, method: 'POST', headers, body, signal });
    const answer = await beginningOf(response);
    return { ...attempt, status: response.status, error: null, answer, ...ended() };
  } catch (error) {
    return { ...attempt, error: reasonOf(error, signal), ...ended() };
  }
}

/** The first kilobyte of an answer, or as much of it as arrives: what has been confirmed remains so. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= ANSWER_BYTES) break;
    }
  } catch {
    // The status has arrived.
  }
  return new TextDecoder().decode(concatenate(chunks).subarray(0, ANSWER_BYTES));
}

/** The runtime's own message can contain the address, with its query. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `There was no answer within ${TIMEOUT_MS / 1_000} seconds.`;
  return error instanceof ForbiddenAddress ? error.message : 'The connection failed.';
}

/** What secrets begin with. */
const PREFIX = 'whsec_';

/** A new secret: 32 random bytes in base64 after `whsec_`, as Standard Webhooks prescribes. */
export function newWebhookSecret(): string {
  return PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
}

/**
 * Signs a message as Standard Webhooks 1.0 prescribes: HMAC-SHA-256 of id, timestamp and body, once with each secret.
 *
 * @param timestamp of this attempt
 */
export function signed(id: string, timestamp: EpochSeconds, body: string, secrets: readonly string[]) {
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
