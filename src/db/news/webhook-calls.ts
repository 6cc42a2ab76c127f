import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochMilliseconds, EpochSeconds } from '../../lib/time/time.ts';
import { listOf } from '../json-rows.ts';
import { ALL_STATES, type Audience, readTogether, visibilityOf } from './changes.ts';
import type { Attempt, WebhookAddress } from './webhooks.ts';

/** Calls of each webhook that its log contains. */
const MAX_ATTEMPTS = 100;

/** Days for which news are kept that are no change of a property or unit. */
const EVENT_DAYS = 30;

/** The right to call a webhook, and what the call needs. */
export interface Lease {
  readonly id: number;
  readonly accountId: number;
  /** The account's code. */
  readonly account: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly origin: string;
  /** Sealed. */
  readonly secret: string;
  /** Sealed; `null` unless it still signs. */
  readonly oldSecret: string | null;
  readonly confirmedNumber: number;
  /** The last number of a call that is repeated. */
  readonly pendingNumber: number | null;
  readonly replays: number;
  readonly incarnation: number;
  readonly failures: number;
  readonly failingSince: EpochSeconds | null;
  /** No other lease of the webhook has the same. */
  readonly sendingUntil: EpochMilliseconds;
}

const IS_DUE = (
  now: EpochMilliseconds,
): SQL => sql`w.enabled AND w.sending_until <= ${now} AND w.next_attempt_at <= ${now} / 1000
  AND EXISTS (SELECT 1 FROM accounts a
    WHERE a.id = w.account_id AND NOT a.disabled AND a.change_number > w.confirmed_number)`;

/** The webhooks of these accounts that have something to receive and are not being called. */
export async function listDueWebhooks(
  db: D1Database,
  accountIds: readonly number[],
  now: EpochMilliseconds,
): Promise<number[]> {
  const rows = await drizzle(db).all<{ id: number }>(
    sql`SELECT w.id FROM webhooks w WHERE w.account_id IN ${listOf(accountIds)} AND ${IS_DUE(now)} ORDER BY w.id`,
  );
  return rows.map(({ id }) => id);
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
  const [row] = await drizzle(db).all<Omit<Lease, 'events'> & { readonly events: string }>(sql`
    UPDATE webhooks AS w SET sending_until = ${until} WHERE w.id = ${id} AND ${IS_DUE(now)}
    RETURNING id, account_id AS "accountId", (SELECT code FROM accounts WHERE id = account_id) AS account, name, url, events,
      origin, secret, iif(old_secret_expires_at > ${now} / 1000, old_secret, NULL) AS "oldSecret",
      confirmed_number AS "confirmedNumber", pending_number AS "pendingNumber", replays,
      (SELECT incarnation FROM accounts WHERE id = account_id) AS incarnation, failures, failing_since AS "failingSince",
      sending_until AS "sendingUntil"`);
  return row === undefined ? null : { ...row, events: JSON.parse(row.events) };
}

/** Whom to call with a ping: a webhook with its sealed secrets; `null` if the account has none with this name. */
export async function findReceiver(
  db: D1Database,
  { accountId, name }: WebhookAddress,
  now: EpochSeconds,
): Promise<Pick<Lease, 'id' | 'accountId' | 'account' | 'name' | 'url' | 'secret' | 'oldSecret'> | null> {
  const [row] = await drizzle(db).all<NonNullable<Awaited<ReturnType<typeof findReceiver>>>>(sql`
    SELECT w.id, w.account_id AS "accountId", a.code AS account, w.name, w.url, w.secret,
           iif(w.old_secret_expires_at > ${now}, w.old_secret, NULL) AS "oldSecret"
      FROM webhooks w JOIN accounts a ON a.id = w.account_id
     WHERE w.account_id = ${accountId} AND w.name = ${name}`);
  return row ?? null;
}

/** One piece of news. */
export interface News {
  readonly type: string;
  readonly number: number;
  /** The id of a property, the name of a unit or reader. */
  readonly id: string | null;
  /** Of a unit. */
  readonly development: string | null;
}

/**
 * Up to `limit` news for a webhook after the confirmed number, in the order of their numbers.
 *
 * @returns `to`: up to this number there are no others
 */
export async function readNews(
  db: D1Database,
  { accountId, events, confirmedNumber, pendingNumber }: Lease,
  limit: number,
): Promise<{ readonly news: readonly News[]; readonly to: number }> {
  const audience: Audience = { accountId, states: ALL_STATES, channel: null, kind: null };
  const { isVisible, wasVisible } = visibilityOf(audience);
  const page = (column: SQL): SQL =>
    sql`${column} > ${confirmedNumber} AND ${column} <= ${pendingNumber ?? Number.MAX_SAFE_INTEGER}
        AND type IN ${listOf(events)} ORDER BY ${column} LIMIT ${limit + 1}`;
  const [[state], ...found] = await readTogether<[{ number: number }, News, News, News, News, News]>(db, [
    sql`SELECT change_number AS number FROM accounts WHERE id = ${accountId}`,
    sql`
      SELECT iif(${isVisible}, 'property.changed', 'property.removed') AS type, p.change_number AS number,
             p.identifier AS id, NULL AS development
        FROM properties p
       WHERE p.account_id = ${accountId} AND (${isVisible} OR ${wasVisible}) AND p.change_number > 0
         AND ${page(sql`p.change_number`)}`,
    sql`
      SELECT 'property.removed' AS type, r.change_number AS number, r.identifier AS id, NULL AS development
        FROM removed_properties r
       WHERE r.account_id = ${accountId} AND ${wasVisible}
         AND NOT EXISTS (SELECT 1 FROM properties p WHERE p.account_id = r.account_id AND p.identifier = r.identifier
           AND (${isVisible} OR ${wasVisible}))
         AND ${page(sql`r.change_number`)}`,
    sql`
      SELECT 'unit.changed' AS type, u.change_number AS number, u.name AS id, d.identifier AS development
        FROM units u JOIN developments d ON d.id = u.development_id
       WHERE u.account_id = ${accountId} AND ${page(sql`u.change_number`)}`,
    sql`
      SELECT 'unit.changed' AS type, r.change_number AS number, r.name AS id, r.development
        FROM removed_units r
       WHERE r.account_id = ${accountId}
         AND NOT EXISTS (SELECT 1 FROM units u JOIN developments d ON d.id = u.development_id
           WHERE d.account_id = r.account_id AND d.identifier = r.development AND u.name = r.name)
         AND ${page(sql`r.change_number`)}`,
    sql`
      SELECT e.type, e.change_number AS number, e.subject AS id, NULL AS development
        FROM account_events e
       WHERE e.account_id = ${accountId} AND ${page(sql`e.change_number`)}`,
  ]);
  const all = found.flat().sort((a, b) => a.number - b.number);
  const last = pendingNumber ?? state?.number ?? confirmedNumber;
  if (all.length <= limit) return { news: all, to: last };
  // A unit and its property have the same number, which one call contains.
  const end = all[limit]!.number;
  const news = all.slice(0, limit).filter(({ number }) => number < end);
  return { news, to: news.at(-1)!.number };
}

/** What follows from a call. */
export interface AfterCall {
  readonly confirmedNumber: number;
  /** The last number of the call if it is repeated. */
  readonly pendingNumber: number | null;
  readonly enabled: boolean;
  readonly disabledBecause: 'gone' | 'failing' | null;
  readonly failures: number;
  readonly failingSince: EpochSeconds | null;
  readonly nextAttemptAt: EpochSeconds;
}

/**
 * Records what follows from a call, unless the lease has expired or the webhook has been set back since, and releases the
 * lease.
 *
 * @param attempt `null` if there was nothing to send
 * @returns whether there is more to send
 */
export async function recordCall(
  db: D1Database,
  { id, sendingUntil, replays, url }: Lease,
  after: AfterCall,
  attempt: Attempt | null,
): Promise<boolean> {
  const { confirmedNumber, pendingNumber, enabled, disabledBecause, failures, failingSince, nextAttemptAt } = after;
  const isUnchanged = sql`replays = ${replays} AND url = ${url}`;
  const [[row]] = await readTogether<[{ more: 0 | 1 }]>(db, [
    sql`
      UPDATE webhooks
         SET sending_until = 0,
             confirmed_number = iif(${isUnchanged}, ${confirmedNumber}, confirmed_number),
             pending_number = iif(${isUnchanged}, ${pendingNumber}, pending_number),
             enabled = iif(${isUnchanged}, enabled AND ${enabled ? 1 : 0}, enabled),
             disabled_because = iif(${isUnchanged} AND enabled, ${disabledBecause}, disabled_because),
             failures = iif(${isUnchanged}, ${failures}, failures),
             failing_since = iif(${isUnchanged}, ${failingSince}, failing_since),
             next_attempt_at = iif(${isUnchanged}, ${nextAttemptAt}, next_attempt_at)
       WHERE id = ${id} AND sending_until = ${sendingUntil}
      RETURNING enabled AND next_attempt_at = 0
        AND confirmed_number < (SELECT change_number FROM accounts WHERE accounts.id = account_id) AS more`,
    ...(attempt === null ? [] : attemptStatements(id, attempt)),
  ]);
  return row?.more === 1;
}

/** Adds a call to the log of a webhook without any other effect. */
export async function recordAttempt(db: D1Database, id: number, attempt: Attempt): Promise<void> {
  await readTogether(db, attemptStatements(id, attempt));
}

/** Nothing is added for a webhook that has been deleted. */
function attemptStatements(id: number, attempt: Attempt): SQL[] {
  const { attemptedAt, messageId, events, status, error, milliseconds, answer } = attempt;
  return [
    sql`
      INSERT INTO webhook_attempts (webhook_id, attempted_at, message_id, events, status, error, milliseconds, answer)
      SELECT w.id, ${attemptedAt}, ${messageId}, ${events}, ${status}, ${error}, ${milliseconds}, ${answer}
        FROM webhooks w WHERE w.id = ${id}`,
    sql`
      DELETE FROM webhook_attempts WHERE webhook_id = ${id} AND id <= (
        SELECT t.id FROM webhook_attempts t WHERE t.webhook_id = ${id} ORDER BY t.id DESC LIMIT 1 OFFSET ${MAX_ATTEMPTS})`,
  ];
}

/** The types of news that are no change of a property or unit. */
type EventType = 'import.finished' | 'import.failed' | 'reader.overdue';

/** Adds news of an account that are no change of a property or unit. */
export async function recordEvent(db: D1Database, accountId: number, type: EventType, subject: string): Promise<void> {
  await readTogether(db, eventStatements(accountId, type, subject, sql`1`));
}

/** The statements of {@link recordEvent}, for a batch, which have no effect unless the condition is met. */
export function eventStatements(accountId: number, type: EventType, subject: string, condition: SQL): SQL[] {
  return [
    sql`UPDATE accounts SET change_number = change_number + 1 WHERE id = ${accountId} AND ${condition}`,
    sql`
      INSERT INTO account_events (account_id, change_number, type, subject)
      SELECT id, change_number, ${type}, ${subject} FROM accounts WHERE id = ${accountId} AND ${condition}`,
  ];
}

/** Deletes old news of these accounts that are no change of a property or unit. */
export async function sweepEvents(db: D1Database, accountIds: readonly number[]): Promise<void> {
  await drizzle(db).run(sql`
    DELETE FROM account_events WHERE account_id IN ${listOf(accountIds)}
       AND happened_at < unixepoch() - ${EVENT_DAYS * 86_400}`);
}
