import type { Address } from '../../db/statements.ts';
import type { Env } from '../../env.ts';
import { log } from '../../lib/log.ts';
import { DAY_SECONDS, type EpochMilliseconds, type EpochSeconds } from '../../lib/time/time.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { callWebhook, newsMessage, pendingOf, pingMessage } from './call.ts';
import { MAX_NEWS } from './events.ts';
import * as calls from './webhook-calls.ts';
import { type Attempt, NO_CALL } from './webhooks.ts';

/** Milliseconds for which nobody else calls the webhook: longer than a call with its statements takes. */
const LEASE_MS = 60_000;

/** Milliseconds after which the rest is left to another task. */
const TASK_MS = 60_000;

/** Seconds before a call is repeated: four times as long after each failure, up to the longest. */
const FIRST_DELAY_S = 5;
const MAX_DELAY_S = 4 * 3_600;

/** Seconds of failures after which a webhook is disabled. */
const DISABLED_AFTER_S = 3 * DAY_SECONDS;

type Clock = () => EpochMilliseconds;

/** Tells each webhook of these accounts that has something to receive: one task for each. */
export async function deliverAll(
  env: Env,
  accountIds: readonly number[],
  clock: Clock = Date.now,
): Promise<void> {
  const due = await calls.listDueWebhooks(env.DB, accountIds, clock());
  if (due.length === 1 && accountIds.length === 1) return deliver(env, due[0]!, clock);
  await Promise.all(due.map((id) => sendTask(env, { kind: 'webhook', id })));
}

/**
 * Calls a webhook with the account's news, in the order of their numbers, until it has received all of them or a call fails.
 * It does nothing while another call is under way.
 */
export async function deliver(env: Env, id: number, clock: Clock = Date.now): Promise<void> {
  const end = clock() + TASK_MS;
  while (clock() < end) {
    const lease = await calls.takeLease(env.DB, id, clock(), clock() + LEASE_MS);
    if (lease === null || !(await deliverOnce(env, lease, clock))) return;
  }
  await sendTask(env, { kind: 'webhook', id });
}

/** Makes one call, and returns whether there is more to send. */
async function deliverOnce(env: Env, lease: calls.Lease, clock: Clock): Promise<boolean> {
  const { id, account, name: webhook } = lease;
  const now = () => Math.floor(clock() / 1_000);
  const pending = pendingOf(lease) ?? (await newCall(env, lease, now()));
  const { call, to } = pending;
  if (call.events === 0) return calls.recordCall(env.DB, lease, confirmed(to), null);
  if (!(await calls.beginCall(env.DB, lease, pending))) return false;
  const attempt = await callWebhook(env, lease, call, now());
  const { status, milliseconds, events } = attempt;
  const after = afterCall(lease, to, status, now(), Math.random());
  const more = await calls.recordCall(env.DB, lease, after, attempt);
  log('info', 'webhook.called', { account, webhook, status, milliseconds, events });
  if (after.disabledBecause !== null) {
    log('warn', 'webhook.disabled', { account, webhook, reason: after.disabledBecause });
  } else if (after.failures > 0) {
    await sendTask(env, { kind: 'webhook', id }, after.nextAttemptAt - now() + 1);
  }
  return more;
}

async function newCall(env: Env, lease: calls.Lease, now: EpochSeconds): Promise<calls.Pending> {
  const { news, to } = await calls.readNews(env.DB, lease, MAX_NEWS);
  return { call: newsMessage(lease, env.PUBLIC_ORIGIN ?? lease.origin, news, to, now), to };
}

/**
 * What follows from a call: 2xx confirms, 410 disables, everything else is repeated for three days.
 *
 * @param to the number up to which the call contained all news
 * @param status of the response; `null` if there was none
 * @param random from 0 to 1; spreads repeated calls
 */
export function afterCall(
  { confirmedNumber, failures, failingSince }: calls.Lease,
  to: number,
  status: number | null,
  now: EpochSeconds,
  random: number,
): calls.AfterCall {
  if (status !== null && status >= 200 && status < 300) return confirmed(to);
  const since = failingSince ?? now;
  const disabledBecause =
    status === 410 ? 'gone' : now - since >= DISABLED_AFTER_S ? 'failing' : null;
  const delay = Math.min(FIRST_DELAY_S * 4 ** failures, MAX_DELAY_S);
  return {
    confirmedNumber,
    enabled: disabledBecause === null,
    disabledBecause,
    failures: failures + 1,
    failingSince: since,
    nextAttemptAt: now + Math.round(delay * (1 + random / 4)),
  };
}

/** What follows when a webhook has received all news up to a number. */
function confirmed(to: number): calls.AfterCall {
  const healthy = {
    enabled: true,
    disabledBecause: null,
    failures: 0,
    failingSince: null,
    nextAttemptAt: 0,
  };
  return { confirmedNumber: to, ...NO_CALL, ...healthy };
}

/** Calls a webhook with a ping, whether it is enabled or not, and adds the call to its log. `null` if it does not exist. */
export async function pingWebhook(
  env: Env,
  address: Address,
  now: EpochSeconds,
): Promise<Attempt | null> {
  const found = await calls.findReceiver(env.DB, address, now);
  if (found === null) return null;
  const attempt = await callWebhook(env, found, pingMessage(found.account, now), now);
  await calls.recordAttempt(env.DB, found.id, attempt);
  return attempt;
}
