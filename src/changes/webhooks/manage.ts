import type * as z from 'zod';
import type { Address } from '../../db/statements.ts';
import type { Env } from '../../env.ts';
import { checkUrl } from '../../http/outbound.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import { DAY_SECONDS, type EpochSeconds } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import { fieldError, invalidFields, ProblemError } from '../../problem.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { newWebhookSecret, sealingContext } from './call.ts';
import type { webhookSettings } from './schemas.ts';
import * as store from './webhooks.ts';

export const TOO_MANY = `An account has at most ${store.MAX_WEBHOOKS} webhooks.`;

/**
 * Creates a webhook, or changes one, which may then have something to receive.
 *
 * @param origin the origin of this service in the URLs that calls contain
 * @returns the secret of a new one
 * @throws ProblemError if its address must not be called, or the account has the maximum number
 */
export async function saveWebhook(
  env: Env,
  address: Address,
  { events, ...settings }: z.output<typeof webhookSettings>,
  origin: string,
): Promise<string | null> {
  const { username, password } = new URL(checkUrl(env, settings.url));
  if (username !== '' || password !== '')
    throw new ProblemError(invalidFields([fieldError('/url', message('has_credentials'))]));
  const { secret, sealed } = await newSecret(env, address);
  const unique = { ...settings, events: [...new Set(events)] };
  const isNew = await store.putWebhook(env.DB, address, unique, origin, sealed);
  if (isNew === null) throw new ProblemError({ code: 'too_many_webhooks', detail: TOO_MANY });
  if (isNew) return secret;
  await sendTask(env, { kind: 'webhooks', accountId: address.accountId });
  return null;
}

/** Gives a webhook another secret, and returns it: the old one signs as well for `days`. */
export async function rotateSecret(
  env: Env,
  address: Address,
  days: number,
  now: EpochSeconds,
): Promise<string> {
  const { secret, sealed } = await newSecret(env, address);
  await store.rotateWebhook(env.DB, address, sealed, days * DAY_SECONDS, now);
  await sendTask(env, { kind: 'webhooks', accountId: address.accountId });
  return secret;
}

async function newSecret(env: Env, address: Address) {
  const secret = newWebhookSecret();
  return { secret, sealed: await seal(secret, env.SEALING_KEY, sealingContext(address)) };
}
