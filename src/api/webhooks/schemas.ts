import * as z from 'zod';
import { ForbiddenAddress, outboundUrl } from '../../http/outbound.ts';
import { named, time } from '../../http/schemas.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { DEFAULT_OLD_SECRET_DAYS, MAX_OLD_SECRET_DAYS } from './manage.ts';
import { EVENTS } from './message.ts';

/** The characters of a URL, at most. */
const MAX_URL = 2_000;

/** The path of a webhook. */
export const byName = z.object({
  webhook: z.string().min(1).meta({ description: 'The webhook’s name.', example: 'crm' }),
});

/** The path of a webhook that may be created. */
export const byNewName = z.object({
  webhook: z
    .string()
    .refine(isShortName, `must consist of ${SHORT_NAME_RULE}`)
    .meta({ description: `The webhook’s name: ${SHORT_NAME_RULE}.`, example: 'crm' }),
});

const url = z
  .string()
  .max(MAX_URL)
  .meta({ format: 'uri', maxLength: MAX_URL, description: 'The https address to call.' });
const events = z.array(z.enum(EVENTS)).meta({ description: 'The news to report.' });

/** What an integrator determines of a webhook. */
export const webhookSettings = named(
  'WebhookSettings',
  z.strictObject({
    url,
    events: events.min(1).default([...EVENTS]),
    enabled: z.boolean().default(true).meta({ description: 'Whether it is called.' }),
  }),
);

/**
 * Why the Worker must not call a URL, or `null`.
 *
 * @param local whether local addresses are allowed
 */
export function urlError(text: string, local: boolean): string | null {
  try {
    const { username, password } = outboundUrl(text, local);
    return username === '' && password === '' ? null : 'must not contain a user name or password';
  } catch (error) {
    if (error instanceof ForbiddenAddress) return error.message;
    throw error;
  }
}

const shown = {
  name: z.string(),
  url,
  events,
  enabled: z.boolean(),
  disabled_because: z.enum(['gone', 'failing']).nullable().meta({
    description: 'Why the service has disabled it: it answered with 410, or no call has succeeded for three days.',
  }),
  created_at: time,
  confirmed_number: z.int().meta({ description: 'The account’s news up to this number have been received.' }),
  number: z.int().meta({ description: 'The number of the account’s last change.' }),
  failing_since: time.nullable(),
  next_attempt_at: time.nullable(),
  old_secret_expires_at: time
    .nullable()
    .meta({ description: 'Until then, calls are also signed with the old secret.' }),
};

export const webhook = named('Webhook', z.object(shown));

const secret = z
  .string()
  .meta({ description: 'Signs calls as Standard Webhooks prescribes. No later response has it.' });

export const webhookWithSecret = named('WebhookWithSecret', z.object({ ...shown, secret }));

export const webhookList = named('Webhooks', z.object({ webhooks: z.array(webhook) }));

export const rotation = named(
  'WebhookRotation',
  z.strictObject({
    old_secret_days: z
      .int()
      .min(0)
      .max(MAX_OLD_SECRET_DAYS)
      .default(DEFAULT_OLD_SECRET_DAYS)
      .meta({ description: 'Days for which calls are also signed with the old secret.' }),
  }),
);

export const replay = named(
  'WebhookReplay',
  z.strictObject({ from: z.int().min(1).meta({ description: 'The first number to be sent again.' }) }),
);

export const attempt = named(
  'WebhookAttempt',
  z.object({
    attempted_at: time,
    message_id: z.string().meta({ description: 'The `webhook-id` of the call.' }),
    events: z.int().meta({ description: 'How many events the call contained.' }),
    status: z.int().nullable().meta({ description: 'Of the answer; `null` without one.' }),
    error: z.string().nullable().meta({ description: 'Why there was no answer.' }),
    milliseconds: z.int(),
    answer: z.string().meta({ description: 'The first kilobyte of the answer.' }),
  }),
);

export const attempts = named('WebhookAttempts', z.object({ attempts: z.array(attempt) }));
