import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { retryIdempotent } from '../connection.ts';

/** The webhooks of an account, at most. */
export const MAX_WEBHOOKS = 1_000;

/** A webhook of an account. */
export interface WebhookAddress {
  readonly accountId: number;
  readonly name: string;
}

/** What an integrator determines of a webhook. */
export interface WebhookSettings {
  readonly url: string;
  /** The types of news that it receives. */
  readonly events: readonly string[];
  readonly enabled: boolean;
}

/** A webhook as its owner sees it. */
export interface Webhook extends WebhookSettings {
  readonly id: number;
  readonly name: string;
  readonly createdAt: EpochSeconds;
  readonly disabledBecause: 'gone' | 'failing' | null;
  /** The account's news up to this number have been received. */
  readonly confirmedNumber: number;
  /** The number of the account's last change. */
  readonly number: number;
  readonly failingSince: EpochSeconds | null;
  readonly nextAttemptAt: EpochSeconds;
  readonly oldSecretExpiresAt: EpochSeconds;
}

type WebhookRow = Omit<Webhook, 'events' | 'enabled'> & { readonly events: string; readonly enabled: 0 | 1 };

const SELECT_WEBHOOK = sql`
  SELECT w.id, w.name, w.url, w.events, w.enabled, w.created_at AS "createdAt", w.disabled_because AS "disabledBecause",
         w.confirmed_number AS "confirmedNumber", a.change_number AS number, w.failing_since AS "failingSince",
         w.next_attempt_at AS "nextAttemptAt", w.old_secret_expires_at AS "oldSecretExpiresAt"
    FROM webhooks w JOIN accounts a ON a.id = w.account_id`;

/** The webhooks of an account by name, after a name. */
export async function listWebhooks(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<Webhook[]> {
  const rows = await drizzle(db).all<WebhookRow>(
    sql`${SELECT_WEBHOOK} WHERE w.account_id = ${accountId} AND w.name > ${after ?? ''} ORDER BY w.name LIMIT ${limit}`,
  );
  return rows.map(webhookOf);
}

/** A webhook; `null` if the account has none with this name. */
export async function findWebhook(db: D1Database, address: WebhookAddress): Promise<Webhook | null> {
  const { accountId, name } = address;
  const [row] = await drizzle(db).all<WebhookRow>(
    sql`${SELECT_WEBHOOK} WHERE w.account_id = ${accountId} AND w.name = ${name}`,
  );
  return row === undefined ? null : webhookOf(row);
}

function webhookOf({ events, enabled, ...row }: WebhookRow): Webhook {
  return { ...row, events: JSON.parse(events), enabled: enabled === 1 };
}

/**
 * Creates a webhook, which receives the account's news from now on, or changes one. Another address, or enabling it, ends the
 * delay after failures.
 *
 * @param origin the origin of this service in the URLs that calls contain
 * @param secret sealed; only a new webhook gets it
 * @returns whether it is new; `null` if the account has as many as it may
 */
export async function putWebhook(
  db: D1Database,
  { accountId, name }: WebhookAddress,
  { url, events, enabled }: WebhookSettings,
  origin: string,
  secret: string,
): Promise<boolean | null> {
  const isSame = sql`(url, enabled) IS (excluded.url, excluded.enabled)`;
  const [row] = await retryIdempotent(() =>
    drizzle(db).all<{ secret: string }>(sql`
      INSERT INTO webhooks (account_id, name, url, events, origin, enabled, secret, confirmed_number)
      SELECT a.id, ${name}, ${url}, ${JSON.stringify(events)}, ${origin}, ${enabled ? 1 : 0}, ${secret}, a.change_number
        FROM accounts a
       WHERE a.id = ${accountId}
         AND ((SELECT count(*) FROM webhooks w WHERE w.account_id = a.id) < ${MAX_WEBHOOKS}
           OR EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = a.id AND w.name = ${name}))
          ON CONFLICT (account_id, name) DO UPDATE
         SET failures = iif(${isSame}, failures, 0), failing_since = iif(${isSame}, failing_since, NULL),
             next_attempt_at = iif(${isSame}, next_attempt_at, 0),
             disabled_because = iif(${isSame}, disabled_because, NULL),
             url = excluded.url, events = excluded.events, origin = excluded.origin, enabled = excluded.enabled
      RETURNING secret`),
  );
  return row === undefined ? null : row.secret === secret;
}

/** Replaces the sealed secret of a webhook; the old one also signs for some seconds. Returns whether the webhook exists. */
export function rotateWebhook(
  db: D1Database,
  address: WebhookAddress,
  secret: string,
  oldFor: number,
  now: EpochSeconds,
): Promise<boolean> {
  return change(
    db,
    address,
    sql`UPDATE webhooks SET old_secret = iif(secret = ${secret}, old_secret, secret),
    old_secret_expires_at = ${now + oldFor}, secret = ${secret}`,
  );
}

/** Begins again with a number, or if it lies in the future, with the next change. Returns whether the webhook exists. */
export function replayWebhook(db: D1Database, address: WebhookAddress, number: number): Promise<boolean> {
  return change(
    db,
    address,
    sql`UPDATE webhooks SET pending_number = NULL, replays = replays + 1,
      confirmed_number = (SELECT min(${number - 1}, a.change_number) FROM accounts a WHERE a.id = account_id),
      failures = 0, failing_since = NULL, next_attempt_at = 0`,
  );
}

/** Deletes a webhook with its log. Returns whether it existed. */
export function deleteWebhook(db: D1Database, address: WebhookAddress): Promise<boolean> {
  return change(db, address, sql`DELETE FROM webhooks`);
}

async function change(db: D1Database, { accountId, name }: WebhookAddress, statement: SQL): Promise<boolean> {
  const rows = await drizzle(db).all(sql`${statement} WHERE account_id = ${accountId} AND name = ${name} RETURNING id`);
  return rows.length > 0;
}

/** A call of a webhook. */
export interface Attempt {
  readonly attemptedAt: EpochSeconds;
  readonly messageId: string;
  /** How many news it contained. */
  readonly events: number;
  /** `null` if there was no answer; then the error says why. */
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  /** The beginning of the answer. */
  readonly answer: string;
}

/** The last calls of a webhook, the latest first. */
export function listAttempts(db: D1Database, { accountId, name }: WebhookAddress): Promise<Attempt[]> {
  return drizzle(db).all<Attempt>(sql`
    SELECT t.attempted_at AS "attemptedAt", t.message_id AS "messageId", t.events, t.status, t.error, t.milliseconds, t.answer
      FROM webhook_attempts t JOIN webhooks w ON w.id = t.webhook_id
     WHERE w.account_id = ${accountId} AND w.name = ${name} ORDER BY t.id DESC LIMIT 100`);
}
