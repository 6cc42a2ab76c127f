import {
  findReceiver,
  type Lease,
  listDueWebhooks,
  readNews,
  recordAttempt,
  recordCall,
  takeLease,
} from '../../db/news/webhook-calls.ts';
import type { Attempt, WebhookAddress } from '../../db/news/webhooks.ts';
import type { Env } from '../../env.ts';
import { mayCallLocal } from '../../http/outbound.ts';
import { log } from '../../lib/log.ts';
import { open, seal } from '../../lib/secrets/sealed.ts';
import type { EpochMilliseconds, EpochSeconds } from '../../lib/time/time.ts';
import { sendTask, sendTasks } from '../../tasks/tasks.ts';
import { afterCall, confirmed } from './after-call.ts';
import { callWebhook, type Receiver } from './call.ts';
import { newsMessage, pingMessage } from './message.ts';

/** The news in a call, at most. */
const MAX_NEWS = 100;

/** Milliseconds for which nobody else calls the webhook: longer than a call with its statements takes. */
const LEASE_MS = 60_000;

/** Milliseconds after which the rest is left to another task. */
const TASK_MS = 60_000;

export type Clock = () => EpochMilliseconds;

/** Tells each webhook of these accounts that has something to receive: one task for each. */
export async function deliverAll(env: Env, accountIds: readonly number[], clock: Clock = Date.now): Promise<void> {
  const due = await listDueWebhooks(env.DB, accountIds, clock());
  const [only] = due;
  if (due.length === 1 && accountIds.length === 1) return deliver(env, only!, clock);
  await sendTasks(
    env,
    due.map((id) => ({ kind: 'webhook', id })),
  );
}

/**
 * Calls a webhook with the account's news, in the order of their numbers, until it has received all of them or a call fails.
 * It does nothing while another call is under way.
 */
export async function deliver(env: Env, id: number, clock: Clock = Date.now): Promise<void> {
  const end = clock() + TASK_MS;
  for (let more = true; more; ) {
    if (clock() >= end) return sendTask(env, { kind: 'webhook', id });
    const lease = await takeLease(env.DB, id, clock(), clock() + LEASE_MS);
    if (lease === null) return;
    more = await deliverOnce(env, lease, clock);
  }
}

/** Makes one call, and returns whether there is more to send. */
async function deliverOnce(env: Env, lease: Lease, clock: Clock): Promise<boolean> {
  const { news, to } = await readNews(env.DB, lease, MAX_NEWS);
  if (news.length === 0) return recordCall(env.DB, lease, confirmed(to), null);
  const now = Math.floor(clock() / 1_000);
  const message = newsMessage(lease, env.PUBLIC_ORIGIN ?? lease.origin, news, to, now);
  const attempt = await callWebhook(await receiverOf(env, lease), message, now);
  const after = afterCall(lease, to, attempt.status, Math.floor(clock() / 1_000), Math.random());
  const more = await recordCall(env.DB, lease, after, attempt);
  const { id, account, name } = lease;
  const { status, milliseconds, events } = attempt;
  log('info', 'webhook.called', { account, webhook: name, status, milliseconds, events });
  if (after.disabledBecause !== null) {
    log('warn', 'webhook.disabled', { account, webhook: name, reason: after.disabledBecause });
  } else if (after.failures > 0) {
    await sendTask(env, { kind: 'webhook', id }, after.nextAttemptAt - Math.floor(clock() / 1_000) + 1);
  }
  return more;
}

/** Calls a webhook with a ping, whether it is enabled or not, and adds the call to its log. `null` if it does not exist. */
export async function pingWebhook(env: Env, address: WebhookAddress, now: EpochSeconds): Promise<Attempt | null> {
  const found = await findReceiver(env.DB, address, now);
  if (found === null) return null;
  const attempt = await callWebhook(await receiverOf(env, found), pingMessage(found.account, now), now);
  await recordAttempt(env.DB, found.id, attempt);
  return attempt;
}

/** Whom to call, with the decrypted secrets. */
async function receiverOf(
  env: Env,
  { accountId, name, url, secret, oldSecret }: Pick<Lease, 'accountId' | 'name' | 'url' | 'secret' | 'oldSecret'>,
): Promise<Receiver> {
  const sealed = oldSecret === null ? [secret] : [secret, oldSecret];
  const context = sealingContext({ accountId, name });
  const opened = await Promise.all(sealed.map((text) => open(text, env.SEALING_KEY ?? '', context)));
  const secrets = opened.filter((text) => text !== null);
  return { url, secrets: opened[0] === null ? null : secrets, local: mayCallLocal(env) };
}

/** The secret of a webhook as it is stored. */
export function sealSecret(env: Env, address: WebhookAddress, secret: string): Promise<string> {
  return seal(secret, env.SEALING_KEY ?? '', sealingContext(address));
}

/** What the secrets of a webhook are sealed for. */
export function sealingContext({ accountId, name }: WebhookAddress): string {
  return `webhook:${accountId}:${name}`;
}
