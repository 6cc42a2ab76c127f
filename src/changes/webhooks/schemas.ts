import * as z from 'zod';
import {
  url as anyUrl,
  messageFields,
  namedObject,
  namedStrictObject,
  shown,
  time,
} from '../../api/schemas.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { inEnglish } from '../../messages/messages.ts';
import { EVENTS } from './events.ts';
import type { Attempt, Webhook } from './webhooks.ts';

/** Days for which old secrets also sign after a rotation: by default, and at most. */
export const DEFAULT_OLD_SECRET_DAYS = 1;
const MAX_OLD_SECRET_DAYS = 30;

const url = anyUrl.describe('The https address to call.');
const events = z.array(z.enum(EVENTS)).describe('The news to report.');

export const webhookSettings = namedStrictObject('WebhookSettings', {
  url,
  events: events.min(1).default([...EVENTS]),
  enabled: z.boolean().default(true).describe('Whether it is called.'),
});

export const webhook = namedObject('Webhook', {
  name: z.string(),
  url,
  events,
  enabled: z.boolean(),
  disabled_because: z
    .enum(['gone', 'failing'])
    .nullable()
    .describe(
      'Why the service has disabled it: the address answered with 410, or no call has succeeded ' +
        'for three days.',
    ),
  created_at: time,
  confirmed_number: z
    .int()
    .describe('The webhook has received the account’s news up to this number.'),
  number: z.int().describe('The number of the account’s last change.'),
  failing_since: time.nullable(),
  next_attempt_at: time.nullable(),
  old_secret_expires_at: time
    .nullable()
    .describe('Until then, calls are also signed with the old secrets.'),
});

export const webhookWithSecret = namedObject('WebhookWithSecret', {
  ...webhook.shape,
  secret: z
    .string()
    .describe('Signs calls as Standard Webhooks prescribes. No later response has it.'),
});

export const rotation = namedStrictObject('WebhookRotation', {
  old_secret_days: z
    .int()
    .min(0)
    .max(MAX_OLD_SECRET_DAYS)
    .default(DEFAULT_OLD_SECRET_DAYS)
    .describe('Days for which calls are also signed with the old secrets.'),
});

export const replay = namedStrictObject('WebhookReplay', {
  from: z.int().min(1).describe('The number of the first change to send again.'),
});

export const attempt = namedObject('WebhookAttempt', {
  attempted_at: time,
  message_id: z.string().describe('The `webhook-id` of the call.'),
  events: z.int().describe('How many events the call contained.'),
  status: z.int().nullable().describe('The status of the response; `null` if there was none.'),
  error: z.string().nullable().describe('Why there was no response, in English.'),
  reason: messageFields.code.nullable().describe('The same as a code. Stable: branch on it.'),
  milliseconds: z.int(),
  response: z.string().describe('The first kilobyte of the response.'),
});

export const attempts = namedObject('WebhookAttempts', { attempts: z.array(attempt) });

/** A call as responses show it. */
export function attemptView({ reason, error, ...stored }: Attempt): z.output<typeof attempt> {
  const stated =
    reason === null ? { error, reason } : { error: inEnglish(reason), reason: reason.code };
  return shown(attempt, { ...stored, ...stated });
}

/** A webhook as responses show it. */
export function webhookView(
  { nextAttemptAt, oldSecretExpiresAt, ...stored }: Webhook,
  now: EpochSeconds,
) {
  return shown(webhook, {
    ...stored,
    nextAttemptAt: stored.enabled && nextAttemptAt > now ? nextAttemptAt : null,
    oldSecretExpiresAt: oldSecretExpiresAt > now ? oldSecretExpiresAt : null,
  });
}
