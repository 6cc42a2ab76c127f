import { type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Actor } from '../../accounts/actor.ts';
import { counter, flag, now, OF_ACCOUNT } from '../../db/schema.ts';
import type { CodedMessage } from '../../messages/messages.ts';

export interface ImportOptions {
  /** Who has begun it. */
  readonly actor: Actor;
  /** Detected unless given. */
  readonly format: string | null;
  readonly strict: boolean;
  /** Whether listed properties that are not in the file are withdrawn. */
  readonly replace: boolean;
  /** The maximum share of the listed properties, in percent, that may be withdrawn. */
  readonly maxWithdrawn: number;
  /** What people call its file: its name, or its address without credentials. */
  readonly fileName?: string;
  /** Whether it only reports what would change. */
  readonly dryRun?: boolean;
  /** Whether the file of a dry run is kept for some days, so that it can be imported as it was reported. */
  readonly keepsFile?: boolean;
  /** Whether someone has approved what it would withdraw. */
  readonly approved?: boolean;
  /** The channel of the properties that the file has. */
  readonly channel: string | null;
}

/** Whether a source's file is still read in this way. If not, it is read again even if it is the same. */
export function readsAs({
  format,
  strict,
  channel,
}: Pick<ImportOptions, 'format' | 'strict' | 'channel'>): SQL {
  return sql`(format, strict, channel) IS (${format}, ${Number(strict)}, ${channel})`;
}

export const imports = sqliteTable('imports', {
  ...OF_ACCOUNT,
  sourceId: integer('source_id'),
  state: text({
    enum: [
      'receiving',
      'fetching',
      'validating',
      'applying',
      'held',
      'finished',
      'unchanged',
      'failed',
      'cancelled',
    ],
  }).notNull(),
  options: text({ mode: 'json' }).$type<ImportOptions>().notNull(),
  /** The sealed URL of its file; `null` if the file was sent, and for a source until its file has been fetched. */
  url: text(),
  createdAt: now('created_at'),
  endedAt: integer('ended_at'),
  bytes: counter('bytes'),
  /** How many records the file has, once it has been validated. */
  records: integer(),
  /** What the server stated about the file. */
  etag: text(),
  lastModified: text('last_modified'),
  /** Where the plan is in the bucket. */
  plan: text(),
  /** How far the plan has been applied; JSON, `{}` before. */
  progress: text().notNull().default('{}'),
  lease: text(),
  leasedUntil: counter('leased_until'),
  attempts: counter('attempts'),
  hasReport: flag('has_report').default(false),
  /** Why it has failed or is held. */
  code: text(),
  reason: text({ mode: 'json' }).$type<CodedMessage>(),
  /** The same in English, of an import that ended before reasons were stored. */
  detail: text(),
});

/** How far an import is. */
export type ImportState = (typeof imports.$inferSelect)['state'];

export const sources = sqliteTable('sources', {
  ...OF_ACCOUNT,
  name: text().notNull(),
  url: text().notNull(),
  /** Without credentials. */
  shownUrl: text('shown_url').notNull(),
  /** The name of one of the formats in `formats/formats.ts`, which the API checks. */
  format: text(),
  every: text({ enum: ['hour', 'day', 'week'] }).notNull(),
  /** `HH:MM`, for a week after the name of a day. */
  at: text().notNull(),
  /** In which `at` is meant. */
  timeZone: text('time_zone').notNull().default('UTC'),
  maxWithdrawn: integer('max_withdrawn').notNull(),
  strict: flag('strict'),
  channel: text(),
  enabled: flag('enabled'),
  /** Whether pictures of its properties that are elsewhere are copied, and the origin of the addresses that they get. */
  copyPictures: flag('copy_pictures').default(false),
  origin: text().notNull().default(''),
  createdAt: now('created_at'),
  etag: text(),
  lastModified: text('last_modified'),
  failures: counter('failures'),
  nextRunAt: integer('next_run_at').notNull(),
});
