import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { retryIdempotent } from '../../db/connection.ts';
import { accounts, counter, flag, now, OF_ACCOUNT } from '../../db/schema.ts';
import { type Address, change, remove, whereEquals } from '../../db/statements.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import type { CodedMessage } from '../../messages/messages.ts';

export const webhooks = sqliteTable('webhooks', {
  ...OF_ACCOUNT,
  name: text().notNull(),
  url: text().notNull(),
  /** The types of news that it receives. */
  events: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
  origin: text().notNull(),
  /** Sealed. */
  secret: text().notNull(),
  /** Sealed, the newest first, separated by spaces. */
  oldSecrets: text('old_secret'),
  oldSecretExpiresAt: counter('old_secret_expires_at'),
  createdAt: now('created_at'),
  enabled: flag('enabled').default(true),
  disabledBecause: text('disabled_because', { enum: ['gone', 'failing'] }),
  /** The account's news up to this number have been received. */
  confirmedNumber: integer('confirmed_number').notNull(),
  /** The last number of a call that is under way or repeated, and the call as JSON. */
  pendingNumber: integer('pending_number'),
  pendingCall: text('pending_call'),
  replays: counter('replays'),
  sendingUntil: counter('sending_until'),
  failures: counter('failures'),
  failingSince: integer('failing_since'),
  nextAttemptAt: counter('next_attempt_at'),
});

export const webhookAttempts = sqliteTable('webhook_attempts', {
  id: integer().primaryKey({ autoIncrement: true }),
  webhookId: integer('webhook_id').notNull(),
  attemptedAt: integer('attempted_at').notNull(),
  messageId: text('message_id').notNull(),
  /** How many news it contained. */
  events: integer().notNull(),
  /** `null` if there was no response; then the reason says why. */
  status: integer(),
  /** The same in English, of a call before reasons were stored. */
  error: text(),
  reason: text({ mode: 'json' }).$type<CodedMessage>(),
  milliseconds: integer().notNull(),
  /** The beginning of the response's body. */
  response: text().notNull().default(''),
});

export const MAX_WEBHOOKS = 1_000;

/** What an integrator sets for a webhook. */
type WebhookSettings = Readonly<Pick<typeof webhooks.$inferSelect, 'url' | 'events' | 'enabled'>>;

/** A webhook as its owner sees it. */
export interface Webhook
  extends Readonly<
    Pick<
      typeof webhooks.$inferSelect,
      | 'id'
      | 'name'
      | 'url'
      | 'events'
      | 'oldSecretExpiresAt'
      | 'createdAt'
      | 'enabled'
      | 'disabledBecause'
      | 'confirmedNumber'
      | 'failingSince'
      | 'nextAttemptAt'
    >
  > {
  /** The number of the account's last change. */
  readonly number: number;
}

function select(db: D1Database, condition: SQL | undefined, limit: number) {
  const {
    accountId,
    origin,
    secret,
    oldSecrets,
    pendingNumber,
    pendingCall,
    replays,
    sendingUntil,
    failures,
    ...shown
  } = getTableColumns(webhooks);
  return drizzle(db)
    .select({ ...shown, number: accounts.changes })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .where(condition)
    .orderBy(asc(webhooks.name))
    .limit(limit);
}

/** The webhooks of an account by name, after a name. */
export function listWebhooks(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<Webhook[]> {
  return select(
    db,
    and(whereEquals(webhooks, { accountId }), gt(webhooks.name, after ?? '')),
    limit,
  );
}

/** A webhook; `null` if the account has none with this name. */
export async function findWebhook(
  db: D1Database,
  { accountId, name }: Address,
): Promise<Webhook | null> {
  return (await select(db, whereEquals(webhooks, { accountId, name }), 1))[0] ?? null;
}

/**
 * Creates a webhook, which receives the account's news from now on, or changes one. Another address, or enabling it, ends the
 * delay after failures.
 *
 * @param origin the origin of this service in the URLs that calls contain
 * @param secret sealed; only a new webhook gets it
 * @returns whether it is new; `null` if the account already has the maximum number
 */
export async function putWebhook(
  db: D1Database,
  { accountId, name }: Address,
  { url, events, enabled }: WebhookSettings,
  origin: string,
  secret: string,
): Promise<boolean | null> {
  const isSame = sql`(url, enabled) IS (excluded.url, excluded.enabled)`;
  const [row] = await retryIdempotent(() =>
    drizzle(db).all<{ secret: string }>(sql`
      INSERT INTO webhooks (account_id, name, url, events, origin, enabled, secret, confirmed_number)
      SELECT a.id, ${name}, ${url}, ${JSON.stringify(events)}, ${origin}, ${enabled ? 1 : 0}, ${secret}, a.changes
        FROM accounts a
       WHERE a.id = ${accountId}
         AND ((SELECT count(*) FROM webhooks w WHERE w.account_id = a.id) < ${MAX_WEBHOOKS}
           OR EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = a.id AND w.name = ${name}))
          ON CONFLICT (account_id, name) DO UPDATE
         SET failures = iif(${isSame}, failures, 0), failing_since = iif(${isSame}, failing_since, NULL),
             next_attempt_at = iif(${isSame}, next_attempt_at, 0),
             disabled_because = iif(${isSame}, disabled_because, NULL),
             replays = replays + ((url, events) IS NOT (excluded.url, excluded.events)),
             url = excluded.url, events = excluded.events, origin = excluded.origin, enabled = excluded.enabled
      RETURNING secret`),
  );
  return row === undefined ? null : row.secret === secret;
}

/** Switches a webhook on, without a delay after failures, or off. Returns whether it exists. */
export function switchWebhook(
  db: D1Database,
  { accountId, name }: Address,
  enabled: boolean,
): Promise<boolean> {
  return change(
    db,
    webhooks,
    { accountId, name },
    { enabled, disabledBecause: null, ...UNDELAYED },
  );
}

const UNDELAYED = { failures: 0, failingSince: null, nextAttemptAt: 0 };

/** A rotation retains old secrets of fewer characters than this, sealed: about ten. */
const MAX_RETAINED = 1_000;

/**
 * Replaces the sealed secret of a webhook. The old one also signs for `oldFor` seconds, and so do
 * older ones that have not expired: if the response to an earlier rotation was lost, the receiver
 * still has the secret before it. The webhook no longer waits: its calls may have failed for the
 * old secret.
 *
 * @returns whether the webhook exists
 */
export function rotateWebhook(
  db: D1Database,
  { accountId, name }: Address,
  secret: string,
  oldFor: number,
  now: EpochSeconds,
): Promise<boolean> {
  const isRetained = sql`old_secret_expires_at > ${now} AND length(old_secret) < ${MAX_RETAINED}`;
  const oldSecrets = sql`secret || iif(${isRetained}, ' ' || old_secret, '')`;
  return change(
    db,
    webhooks,
    { accountId, name },
    { oldSecrets, oldSecretExpiresAt: now + oldFor, secret, ...UNDELAYED },
  );
}

/** Nothing is under way or repeated. */
export const NO_CALL = { pendingNumber: null, pendingCall: null };

/** Begins again with a number, at most that of the next change. Returns whether the webhook exists, and the number is allowed. */
export function replayWebhook(
  db: D1Database,
  { accountId, name }: Address,
  number: number,
): Promise<boolean> {
  const exists = sql`${number - 1} <= (SELECT a.changes FROM accounts a WHERE a.id = account_id)`;
  const replayed = { ...NO_CALL, replays: sql`replays + 1`, confirmedNumber: number - 1 };
  return change(db, webhooks, { accountId, name }, { ...replayed, ...UNDELAYED }, exists);
}

/** Deletes a webhook with its log. Returns whether it existed. */
export function deleteWebhook(db: D1Database, { accountId, name }: Address): Promise<boolean> {
  return remove(db, webhooks, { accountId, name });
}

const { id, webhookId, ...ATTEMPT } = getTableColumns(webhookAttempts);

export type Attempt = Readonly<Omit<typeof webhookAttempts.$inferSelect, 'id' | 'webhookId'>>;

/** The last calls of a webhook, the latest first. */
export function listAttempts(db: D1Database, { accountId, name }: Address): Promise<Attempt[]> {
  return drizzle(db)
    .select(ATTEMPT)
    .from(webhookAttempts)
    .innerJoin(webhooks, eq(webhooks.id, webhookAttempts.webhookId))
    .where(whereEquals(webhooks, { accountId, name }))
    .orderBy(desc(webhookAttempts.id))
    .limit(100);
}
