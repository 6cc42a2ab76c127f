import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../../db/json-rows.ts';
import { accounts } from '../../db/schema.ts';
import { type Address, runBatch, whereEquals } from '../../db/statements.ts';
import type { EpochMilliseconds, EpochSeconds } from '../../lib/time/time.ts';
import { ALL_LISTED, listedIn, wasShownIn } from '../../readers/selection.ts';
import { type Audience, removedProperties, removedUnits } from '../changes.ts';
import type { WebhookEvent } from './events.ts';
import { type Attempt, webhooks } from './webhooks.ts';

/** Calls of each webhook that its log contains. */
const MAX_ATTEMPTS = 100;

const isDue = (
  now: EpochMilliseconds,
) => sql`enabled AND sending_until <= ${now} AND next_attempt_at <= ${now} / 1000
  AND EXISTS (SELECT 1 FROM accounts a
    WHERE a.id = webhooks.account_id AND NOT a.disabled AND NOT a.frozen AND a.changes > webhooks.confirmed_number)`;

/** The webhooks of these accounts that have something to receive and are not being called. */
export async function listDueWebhooks(
  db: D1Database,
  accountIds: readonly number[],
  now: EpochMilliseconds,
) {
  const query = drizzle(db).select({ id: webhooks.id }).from(webhooks);
  const isOwn = whereEquals(webhooks, { accountId: accountIds });
  const rows = await query.where(and(isOwn, isDue(now))).orderBy(asc(webhooks.id));
  return rows.map(({ id }) => id);
}

const ofAccount = <Value>(column: string) =>
  sql<Value>`(SELECT ${sql.raw(column)} FROM accounts WHERE accounts.id = account_id)`;

/** The sealed secrets that also sign after a rotation; `null` if they no longer do. */
const oldSecretsAt = (now: SQL) =>
  sql<string | null>`iif(${webhooks.oldSecretExpiresAt} > ${now}, ${webhooks.oldSecrets}, NULL)`;

/** The right to call a webhook, and what the call needs. */
export interface Lease
  extends Readonly<
    Omit<
      typeof webhooks.$inferSelect,
      'oldSecretExpiresAt' | 'enabled' | 'disabledBecause' | 'nextAttemptAt'
    >
  > {
  /** The code of its account. */
  readonly account: string;
  readonly incarnation: number;
}

/**
 * Takes the right to call a webhook, which nobody else has until it is released or expires.
 *
 * @param until when it expires
 * @returns `null` if another call is under way, or there is nothing to send or not yet
 */
export async function takeLease(
  db: D1Database,
  id: number,
  now: EpochMilliseconds,
  until: EpochMilliseconds,
): Promise<Lease | null> {
  const { oldSecretExpiresAt, enabled, disabledBecause, nextAttemptAt, ...own } =
    getTableColumns(webhooks);
  const update = drizzle(db).update(webhooks).set({ sendingUntil: until });
  const [lease] = await update.where(and(eq(webhooks.id, id), isDue(now))).returning({
    ...own,
    account: ofAccount<string>('code').as('account'),
    incarnation: ofAccount<number>('incarnation').as('incarnation'),
    oldSecrets: oldSecretsAt(sql`${now} / 1000`).as('valid_secrets'),
  });
  return lease ?? null;
}

/** Whom to call with a ping: a webhook with its sealed secrets; `null` if the account has none with this name. */
export async function findReceiver(
  db: D1Database,
  { accountId, name }: Address,
  now: EpochSeconds,
) {
  const { id, url, secret } = webhooks;
  const columns = {
    id,
    accountId: webhooks.accountId,
    name: webhooks.name,
    url,
    secret,
    account: accounts.code,
  };
  const found = await drizzle(db)
    .select({ ...columns, oldSecrets: oldSecretsAt(sql`${now}`) })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .where(whereEquals(webhooks, { accountId, name }))
    .get();
  return found ?? null;
}

export interface News {
  readonly type: WebhookEvent;
  readonly number: number;
  /** The id of a property, the name of a unit or reader. */
  readonly id: string | null;
  /** The development of a unit. */
  readonly development: string | null;
}

/**
 * Up to `limit` news for a webhook after the confirmed number, in the order of their numbers.
 *
 * @returns `to`: up to this number there are no others
 */
export async function readNews(
  db: D1Database,
  { accountId, events, confirmedNumber }: Lease,
  limit: number,
): Promise<{ readonly news: readonly News[]; readonly to: number }> {
  const audience: Audience = { accountId, listing: ALL_LISTED, channel: null };
  const select = (number: SQL, type: SQL, id: SQL, development: SQL, from: SQL) => sql`
    SELECT ${type} AS type, ${number} AS number, ${id} AS id, ${development} AS development
      FROM ${from} AND ${number} > ${confirmedNumber} AND ${number} > 0 AND ${type} IN ${listOf(events)} ORDER BY ${number} LIMIT ${limit + 1}`;
  const changed = sql`iif(${listedIn(ALL_LISTED, null)}, 'property.changed', 'property.removed')`;
  const shown = sql`properties p LEFT JOIN units u ON u.id = p.unit_id
    WHERE p.account_id = ${accountId} AND ${wasShownIn(audience, sql`p.shown_to`, sql`0`)}`;
  const units = sql`units u JOIN developments d ON d.id = u.development_id WHERE u.account_id = ${accountId}`;
  const others = sql`account_events e WHERE e.account_id = ${accountId}`;
  const none = sql`NULL`;
  const [[state], ...found] = await runBatch<[{ number: number }, ...News[]]>(db, [
    sql`SELECT changes AS number FROM accounts WHERE id = ${accountId}`,
    select(sql`p.change`, changed, sql`p.identifier`, none, shown),
    select(
      sql`r.change`,
      sql`'property.removed'`,
      sql`r.identifier`,
      none,
      removedProperties(audience),
    ),
    select(sql`u.change`, sql`'unit.changed'`, sql`u.name`, sql`d.identifier`, units),
    select(
      sql`r.change`,
      sql`'unit.removed'`,
      sql`r.name`,
      sql`r.development`,
      removedUnits(accountId),
    ),
    select(sql`e.change`, sql`e.type`, sql`e.subject`, none, others),
  ]);
  const all = found.flat().sort((a, b) => a.number - b.number);
  if (all.length <= limit) return { news: all, to: state?.number ?? confirmedNumber };
  // A unit and its property have the same number, which one call contains.
  const end = all[limit]!.number;
  const news = all.slice(0, limit).filter(({ number }) => number < end);
  return { news, to: news.at(-1)!.number };
}

/** What a call says, with the number of its news. */
export interface Call {
  readonly id: string;
  readonly body: string;
  readonly events: number;
}

/** A call that has been begun, and the number up to which it contains all news. */
export interface Pending {
  readonly call: Call;
  readonly to: number;
}

/**
 * Stores a call before it is made: whatever happens to this attempt, the next one says the same.
 *
 * @returns whether it may be made: the lease has not expired, and the webhook has not been replayed or changed
 */
export async function beginCall(
  db: D1Database,
  { id, sendingUntil, replays }: Lease,
  { call, to }: Pending,
): Promise<boolean> {
  const update = drizzle(db)
    .update(webhooks)
    .set({ pendingNumber: to, pendingCall: JSON.stringify(call) });
  const begun = update.where(whereEquals(webhooks, { id, sendingUntil, replays }));
  return (await begun.returning({ id: webhooks.id })).length === 1;
}

/** What follows from a call. One that is repeated stays as it is stored. */
export interface AfterCall
  extends Readonly<
    Pick<
      typeof webhooks.$inferSelect,
      | 'confirmedNumber'
      | 'enabled'
      | 'disabledBecause'
      | 'failures'
      | 'failingSince'
      | 'nextAttemptAt'
    > &
      Partial<Pick<typeof webhooks.$inferSelect, 'pendingNumber' | 'pendingCall'>>
  > {}

/**
 * Records what follows from a call, unless the lease has expired, or the webhook has been replayed or changed since, and
 * releases the lease.
 *
 * @param attempt `null` if there was nothing to send
 * @returns whether there is more to send
 */
export async function recordCall(
  db: D1Database,
  { id, sendingUntil, replays }: Lease,
  after: AfterCall,
  attempt: Attempt | null,
): Promise<boolean> {
  const isUnchanged = sql`replays = ${replays}`;
  const given = {
    ...after,
    enabled: sql`enabled AND ${Number(after.enabled)}`,
    disabledBecause: sql`iif(enabled, ${after.disabledBecause}, disabled_because)`,
  };
  const values = Object.entries(given).map(([name, value]) => {
    const column = webhooks[name as keyof AfterCall];
    return [name, sql`iif(${isUnchanged}, ${value}, ${column})`];
  });
  const released = { sendingUntil: 0, ...Object.fromEntries(values) };
  const update = drizzle(db).update(webhooks).set(released);
  const [[row]] = await runBatch<[{ more: 0 | 1 }]>(db, [
    update.where(whereEquals(webhooks, { id, sendingUntil })).returning({
      more: sql`enabled AND next_attempt_at = 0 AND confirmed_number < ${ofAccount('changes')}`.as(
        'more',
      ),
    }),
    ...(attempt === null ? [] : attemptStatements(id, attempt)),
  ]);
  return row?.more === 1;
}

/** Adds a call to the log of a webhook without any other effect. */
export async function recordAttempt(db: D1Database, id: number, attempt: Attempt): Promise<void> {
  await runBatch(db, attemptStatements(id, attempt));
}

/** Nothing is added for a webhook that has been deleted. */
function attemptStatements(id: number, attempt: Attempt): SQL[] {
  const { attemptedAt, messageId, events, status, reason, milliseconds, response } = attempt;
  return [
    sql`
      INSERT INTO webhook_attempts (webhook_id, attempted_at, message_id, events, status, reason, milliseconds, response)
      SELECT w.id, ${attemptedAt}, ${messageId}, ${events}, ${status}, ${reason && JSON.stringify(reason)}, ${milliseconds}, ${response}
        FROM webhooks w WHERE w.id = ${id}`,
    sql`
      DELETE FROM webhook_attempts WHERE webhook_id = ${id} AND id <= (
        SELECT t.id FROM webhook_attempts t WHERE t.webhook_id = ${id} ORDER BY t.id DESC LIMIT 1 OFFSET ${MAX_ATTEMPTS})`,
  ];
}
