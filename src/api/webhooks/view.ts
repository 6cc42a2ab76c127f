import type * as z from 'zod';
import type { Attempt, Webhook } from '../../db/news/webhooks.ts';
import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import type { EVENTS } from './message.ts';
import type { webhook as webhookSchema } from './schemas.ts';

/** A webhook as represented in responses; times in ISO 8601, UTC. */
export function webhookView(webhook: Webhook, now: EpochSeconds): z.output<typeof webhookSchema> {
  const { name, url, events, enabled, disabledBecause, confirmedNumber, number } = webhook;
  const { createdAt, failingSince, nextAttemptAt, oldSecretExpiresAt } = webhook;
  const timeIf = (isShown: boolean, time: EpochSeconds | null) => (isShown && time !== null ? isoTime(time) : null);
  return {
    name,
    url,
    events: events as (typeof EVENTS)[number][],
    enabled,
    disabled_because: disabledBecause,
    created_at: isoTime(createdAt),
    confirmed_number: confirmedNumber,
    number,
    failing_since: timeIf(true, failingSince),
    next_attempt_at: timeIf(enabled && nextAttemptAt > now, nextAttemptAt),
    old_secret_expires_at: timeIf(oldSecretExpiresAt > now, oldSecretExpiresAt),
  };
}

/** A call of a webhook as represented in responses. */
export function attemptView({ attemptedAt, messageId, events, status, error, milliseconds, answer }: Attempt) {
  return { attempted_at: isoTime(attemptedAt), message_id: messageId, events, status, error, milliseconds, answer };
}
