import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { counter, flag, now, OF_ACCOUNT } from '../schema.ts';

export const webhooks = sqliteTable('webhooks', {
  ...OF_ACCOUNT,
  name: text().notNull(),
  url: text().notNull(),
  /** The types of news that it receives. */
  events: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
  origin: text().notNull(),
  /** Sealed. */
  secret: text().notNull(),
  oldSecret: text('old_secret'),
  oldSecretExpiresAt: counter('old_secret_expires_at'),
  createdAt: now('created_at'),
  enabled: flag('enabled').default(true),
  disabledBecause: text('disabled_because', { enum: ['gone', 'failing'] }),
  /** The account's news up to this number have been received. */
  confirmedNumber: integer('confirmed_number').notNull(),
  /** The last number of a call that is repeated. */
  pendingNumber: integer('pending_number'),
  replays: counter('replays'),
  sendingUntil: counter('sending_until'),
  failures: counter('failures'),
  failingSince: integer('failing_since'),
  nextAttemptAt: counter('next_attempt_at'),
});

/** The last calls of each webhook. */
export const webhookAttempts = sqliteTable('webhook_attempts', {
  id: integer().primaryKey({ autoIncrement: true }),
  webhookId: integer('webhook_id').notNull(),
  attemptedAt: integer('attempted_at').notNull(),
  messageId: text('message_id').notNull(),
  /** How many news it contained. */
  events: integer().notNull(),
  /** `null` if there was no answer; then the error says why. */
  status: integer(),
  error: text(),
  milliseconds: integer().notNull(),
  /** The beginning of the answer. */
  answer: text().notNull().default(''),
});
