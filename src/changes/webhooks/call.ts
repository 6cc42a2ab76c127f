import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { Address } from '../../db/statements.ts';
import type { Env } from '../../env.ts';
import { ForbiddenAddress, fetchOutbound, mayCallLocal } from '../../http/outbound.ts';
import { open } from '../../lib/secrets/sealed.ts';
import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import { type CodedMessage, message } from '../../messages/messages.ts';
import { ALL_LISTED } from '../../readers/selection.ts';
import { encodeCursor, propertiesScope, unitsScope } from '../cursor.ts';
import type { CallBody } from './events.ts';
import type { Call, Lease, News, Pending } from './webhook-calls.ts';
import type { Attempt } from './webhooks.ts';

/** Milliseconds within which a receiver must respond. */
const TIMEOUT_MS = 10_000;

/** Characters of a response that are recorded. */
const MAX_RESPONSE_LENGTH = 1024;

/** The call that is repeated; `null` if there is none, or it would not be sent like this any more. */
export function pendingOf(lease: Lease): Pending | null {
  const { pendingNumber: to, pendingCall } = lease;
  if (to === null || pendingCall === null) return null;
  const call = JSON.parse(pendingCall) as Call;
  return call.id === idOf(lease, to) ? { call, to } : null;
}

/** The id has the time of the webhook's creation, so that it differs from those of other services. */
function idOf({ id, createdAt, incarnation, replays }: Lease, to: number): string {
  return `msg_${[createdAt, incarnation, id, replays, to].join('_')}`;
}

/**
 * The message with some news: what has changed, and where to read it.
 *
 * @param to the number up to which it contains all news
 */
export function newsMessage(
  lease: Lease,
  origin: string,
  news: readonly News[],
  to: number,
  now: EpochSeconds,
): Call {
  const { incarnation, account, accountId, confirmedNumber } = lease;
  const after = { incarnation, number: confirmedNumber, loadedAt: 0 };
  const audience = { accountId, listing: ALL_LISTED, channel: null };
  const properties = encodeCursor({ ...after, scope: propertiesScope(audience) });
  const units = encodeCursor({ ...after, scope: unitsScope(accountId) });
  const events = news.map(({ type, number, id, development }) => ({
    type,
    number,
    ...(development !== null && { development_id: development }),
    id,
  }));
  const body = bodyOf({
    type: 'events',
    timestamp: isoTime(now),
    data: {
      account,
      changes_url: `${origin}/v1/changes?after=${properties}`,
      unit_changes_url: `${origin}/v1/units/changes?after=${units}`,
      events,
    },
  });
  return { id: idOf(lease, to), body, events: news.length };
}

/** The message of a test, which contains no news. */
export function pingMessage(account: string, now: EpochSeconds): Call {
  return {
    id: `msg_ping_${crypto.randomUUID()}`,
    body: bodyOf({ type: 'ping', timestamp: isoTime(now), data: { account } }),
    events: 0,
  };
}

function bodyOf(body: CallBody): string {
  return JSON.stringify(body);
}

/** Whom to call; the secrets are sealed. */
type Receiver = Pick<Lease, 'accountId' | 'name' | 'url' | 'secret' | 'oldSecrets'>;

/** Calls a webhook once, for at most ten seconds. A redirect counts as the response and is not followed. */
export async function callWebhook(
  env: Env,
  { url, secret: sealed, oldSecrets, ...address }: Receiver,
  { id, body, events }: Call,
  now: EpochSeconds,
): Promise<Attempt> {
  const attempt = {
    attemptedAt: now,
    messageId: id,
    events,
    status: null,
    error: null,
    reason: null,
    response: '',
  };
  const unseal = (text: string) => open(text, env.SEALING_KEY, sealingContext(address));
  const secret = await unseal(sealed);
  const old = await Promise.all((oldSecrets?.split(' ') ?? []).map(unseal));
  if (secret === null) return { ...attempt, reason: message('sealed_secret'), milliseconds: 0 };
  const startedAt = Date.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = {
    ...signed(id, now, body, [secret, ...old.filter((one) => one !== null)]),
    'Content-Type': 'application/json',
    'User-Agent': 'Lindero-Webhooks/1',
  };
  const request = { local: mayCallLocal(env), redirects: 0, method: 'POST', headers, body, signal };
  const result = await fetchOutbound(url, request).then(
    async (response) => ({ status: response.status, response: await beginningOf(response) }),
    (error) => ({ reason: reasonOf(error, signal) }),
  );
  return { ...attempt, ...result, milliseconds: Date.now() - startedAt };
}

/** The first kilobyte of a response, or as much as arrives: its status counts even if it is truncated. */
async function beginningOf({ body }: Response): Promise<string> {
  let text = '';
  try {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.length >= MAX_RESPONSE_LENGTH) break;
    }
  } catch {
    // The status has arrived.
  }
  return text.slice(0, MAX_RESPONSE_LENGTH);
}

/** The runtime's own message can contain the address, with its query. */
function reasonOf(error: unknown, signal: AbortSignal): CodedMessage {
  if (signal.aborted) return message('no_response', { seconds: TIMEOUT_MS / 1_000 });
  return error instanceof ForbiddenAddress ? error.reason : message('connection_failed');
}

/** What the secrets of a webhook are sealed for. */
export function sealingContext({ accountId, name }: Address): string {
  return `webhook:${accountId}:${name}`;
}

const SECRET_PREFIX = 'whsec_';

/** A new secret: 32 random bytes in base64 after `whsec_`, as Standard Webhooks prescribes. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
}

/**
 * Signs a message as Standard Webhooks 1.0 prescribes: HMAC-SHA-256 of id, timestamp and body, once with each secret.
 *
 * @param timestamp of this attempt
 */
export function signed(
  id: string,
  timestamp: EpochSeconds,
  body: string,
  secrets: readonly string[],
) {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest().toString('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
