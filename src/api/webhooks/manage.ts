import { findReceiver, recordAttempt } from '../../db/news/webhook-calls.ts';
import {
  type Attempt,
  putWebhook,
  replayWebhook,
  rotateWebhook,
  type WebhookAddress,
  type WebhookSettings,
} from '../../db/news/webhooks.ts';
import type { Env } from '../../env.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { callWebhook } from './call.ts';
import { receiverOf, sealingContext } from './deliver.ts';
import { pingMessage } from './message.ts';
import { newWebhookSecret } from './signature.ts';

const DAY_SECONDS = 86_400;

/** Days for which the old secret also signs after a rotation, unless stated otherwise; and the most that can be stated. */
export const DEFAULT_OLD_SECRET_DAYS = 1;
export const MAX_OLD_SECRET_DAYS = 30;

/**
 * Creates or changes a webhook.
 *
 * @param origin of this service, for the URLs in calls
 * @returns the secret of a new webhook, which is not shown again; `null` if it existed
 */
export async function saveWebhook(
  env: Env,
  address: WebhookAddress,
  settings: WebhookSettings,
  origin: string,
): Promise<{ readonly secret: string | null } | 'too many webhooks'> {
  const secret = newWebhookSecret();
  const isNew = await putWebhook(env.DB, address, settings, origin, await sealed(env, address, secret));
  if (isNew === null) return 'too many webhooks';
  // A webhook that is enabled again may have something to receive.
  if (!isNew) await sendTask(env, { kind: 'webhooks', accountId: address.accountId });
  return { secret: isNew ? secret : null };
}

/**
 * Creates another secret. Calls are signed with both until the old one expires.
 *
 * @returns the new secret; `null` if the webhook does not exist
 */
export async function rotateSecret(
  env: Env,
  address: WebhookAddress,
  oldSecretDays: number,
  now: EpochSeconds,
): Promise<string | null> {
  const secret = newWebhookSecret();
  const isRotated = await rotateWebhook(
    env.DB,
    address,
    await sealed(env, address, secret),
    oldSecretDays * DAY_SECONDS,
    now,
  );
  return isRotated ? secret : null;
}

/** Calls a webhook with a ping, whether it is enabled or not, and adds the call to its log. `null` if it does not exist. */
export async function pingWebhook(env: Env, address: WebhookAddress, now: EpochSeconds): Promise<Attempt | null> {
  const receiver = await findReceiver(env.DB, address, now);
  if (receiver === null) return null;
  const attempt = await callWebhook(await receiverOf(env, receiver), pingMessage(receiver.account, now), now);
  await recordAttempt(env.DB, receiver.id, attempt);
  return attempt;
}

/** Sends all news from a number on again. Returns whether the webhook exists. */
export async function replayFrom(env: Env, address: WebhookAddress, number: number): Promise<boolean> {
  const exists = await replayWebhook(env.DB, address, number);
  if (exists) await sendTask(env, { kind: 'webhooks', accountId: address.accountId });
  return exists;
}

function sealed(env: Env, address: WebhookAddress, secret: string): Promise<string> {
  return seal(secret, env.SEALING_KEY ?? '', sealingContext(address));
}
