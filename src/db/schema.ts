import { type NotNull, sql } from '#drizzle';
import { integer, real, sqliteTable, text } from '#drizzle/sqlite-core';
import type { EpochSeconds } from '../lib/time/time.ts';
import { FIELDS, type FieldColumn, type Fields, type FieldType } from '../portfolio/property-fields.ts';

/**
 * The tables of `migrations/` that drizzle's statements name. Constraints, generated expressions, triggers, and tables whose
 * statements are plain SQL are only there. Times are whole seconds since 1970-01-01 UTC, flags 0 or 1, and languages the codes
 * of `lib/languages.ts`.
 */

/** The columns with which most tables begin. */
export const OF_ACCOUNT = {
  id: integer().primaryKey({ autoIncrement: true }),
  accountId: integer('account_id').notNull(),
};
export const counter = (name: string) => integer(name).notNull().default(0);
export const flag = (name: string) => integer(name, { mode: 'boolean' }).notNull();
export const now = (name: string) => integer(name).notNull().default(sql`(unixepoch())`);

/** How the types of fields are stored. */
const BUILDERS = {
  text: (name: string) => text(name),
  lines: (name: string) => text(name),
  real: (name: string) => real(name),
  integer: (name: string) => integer(name),
  flag: (name: string) => integer(name).$type<0 | 1>(),
  time: (name: string) => integer(name),
  part: (name: string) => integer(name).$type<0 | 1>(),
} as const satisfies Record<FieldType, unknown>;

type Builder<Type extends FieldType> = ReturnType<(typeof BUILDERS)[Type]>;

/** The columns of the table of fields, by their names. */
type FieldColumns = {
  [Column in FieldColumn]: Fields[Column]['nullable'] extends true
    ? Builder<Fields[Column]['type']>
    : NotNull<Builder<Fields[Column]['type']>>;
};

function fieldColumns(): FieldColumns {
  const columns = FIELDS.map(([name, { type, nullable }]) => {
    const column = BUILDERS[type](name);
    return [name, nullable ? column : column.notNull()];
  });
  return Object.fromEntries(columns);
}

/** The revisions of each segment of an account, by the segment's number. */
type SegmentRevisions = Readonly<Record<string, readonly [sale: number, rental: number]>>;

/** What names in an account's files mean: the codes of built-in types and features, by name. */
export interface ImportNames {
  readonly types?: Readonly<Record<string, string>>;
  readonly features?: Readonly<Record<string, string>>;
}

/** What an account has stated for all readers of a format: a query, by the name of the format. */
export type FormatSettings = Readonly<Record<string, string>>;

export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey({ autoIncrement: true }),
  code: text().notNull(),
  name: text().notNull(),
  password: text().notNull(),
  disabled: flag('disabled').default(false),
  saleRevision: counter('sale_revision'),
  rentalRevision: counter('rental_revision'),
  vocabularyRevision: counter('vocabulary_revision'),
  saleChangedAt: now('sale_changed_at'),
  rentalChangedAt: now('rental_changed_at'),
  segments: text({ mode: 'json' }).$type<SegmentRevisions>().notNull().default({}),
  changeNumber: counter('change_number'),
  incarnation: counter('incarnation'),
  policy: text().notNull().default(''),
  developments: text({ mode: 'json' }).$type<SegmentRevisions>().notNull().default({}),
  developmentsChangedAt: counter('developments_changed_at'),
  placeSecret: text('place_secret').notNull().default(''),
  importNames: text('import_names', { mode: 'json' }).$type<ImportNames>().notNull().default({}),
  formatSettings: text('format_settings', { mode: 'json' }).$type<FormatSettings>().notNull().default({}),
});

export const propertyTypes = sqliteTable('property_types', { ...OF_ACCOUNT, code: text().notNull() });

export const propertyTypeLabels = sqliteTable('property_type_labels', {
  typeId: integer('type_id').notNull(),
  language: integer().notNull(),
  olderType: text('older_type').notNull(),
  olderSubtype: text('older_subtype'),
  type: text().notNull(),
  subtype: text(),
});

export const developments = sqliteTable('developments', {
  ...OF_ACCOUNT,
  identifier: text().notNull(),
  name: text().notNull(),
  details: text(),
});

export const units = sqliteTable('units', {
  ...OF_ACCOUNT,
  developmentId: integer('development_id').notNull(),
  name: text().notNull(),
  status: integer().notNull(),
  price: real().notNull(),
  directions: text().notNull().default('[]'),
  version: integer().notNull().default(1),
  changedAt: now('changed_at'),
  feedStatus: text('feed_status').notNull().generatedAlwaysAs(sql`''`),
  changeNumber: counter('change_number'),
});

export const unitHistory = sqliteTable('unit_history', {
  ...OF_ACCOUNT,
  unitId: integer('unit_id').notNull(),
  changedAt: now('changed_at'),
  clientId: text('client_id').notNull(),
  /** The unit's version with this change. */
  version: integer().notNull(),
  fromStatus: integer('from_status').notNull(),
  toStatus: integer('to_status').notNull(),
  fromPrice: real('from_price').notNull(),
  toPrice: real('to_price').notNull(),
  fromDirections: text('from_directions').notNull(),
  toDirections: text('to_directions').notNull(),
});

export const properties = sqliteTable('properties', {
  ...OF_ACCOUNT,
  sequenceNumber: integer('sequence_number').notNull(),
  identifier: text().notNull(),
  typeId: integer('type_id').notNull(),
  unitId: integer('unit_id'),
  status: text().notNull(),
  listed: integer().notNull().generatedAlwaysAs(sql`0`),
  forRent: integer('for_rent').notNull().generatedAlwaysAs(sql`0`),
  saleUpdatedAt: counter('sale_updated_at'),
  rentalUpdatedAt: counter('rental_updated_at'),
  saleRevision: counter('sale_revision'),
  rentalRevision: counter('rental_revision'),
  features: text(),
  changeNumber: counter('change_number'),
  seen: text().notNull().default('{}'),
  version: counter('version'),
  ...fieldColumns(),
});

export const accountEvents = sqliteTable('account_events', {
  accountId: integer('account_id').notNull(),
  changeNumber: integer('change_number').notNull(),
  type: text().notNull(),
  subject: text(),
  happenedAt: now('happened_at'),
});

export const directory = sqliteTable('directory', { account: text().primaryKey(), database: text().notNull() });

export const directoryClients = sqliteTable('directory_clients', {
  client: text().primaryKey(),
  account: text().notNull(),
});

export const snapshots = sqliteTable('snapshots', {
  accountId: integer('account_id').notNull(),
  format: text().notNull(),
  parameters: text().notNull(),
  part: integer().notNull(),
  saleRevision: integer('sale_revision'),
  rentalRevision: integer('rental_revision'),
  channelId: integer('channel_id'),
  /** For a feed ordered by listing date: how many parts it has, and the JSON array of this part's sequence numbers. */
  parts: integer(),
  sequenceNumbers: text('sequence_numbers'),
  bytes: integer().notNull(),
  crc: integer().notNull(),
  /** Bytes before compression. */
  length: integer().notNull(),
  /** Records of the feed in it. */
  records: integer().notNull(),
  cachedAt: integer('cached_at').notNull(),
  lastUsedAt: integer('last_used_at').notNull(),
  incarnation: integer().notNull().default(1),
});

export const clients = sqliteTable('clients', {
  id: text().primaryKey(),
  accountId: integer('account_id').notNull(),
  secret: text().notNull(),
  scopes: text().notNull(),
  disabled: flag('disabled').default(false),
  createdAt: now('created_at'),
});

export const channels = sqliteTable('channels', {
  id: integer().notNull().default(sql`(random() & 0xfffffffffffff)`),
  accountId: integer('account_id').notNull(),
  name: text().notNull(),
  revision: counter('revision'),
  segments: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>().notNull().default({}),
  changedAt: now('changed_at'),
  developments: text({ mode: 'json' }).$type<Readonly<Record<string, number>>>().notNull().default({}),
});

export const propertyChannels = sqliteTable('property_channels', {
  accountId: integer('account_id').notNull(),
  sequenceNumber: integer('sequence_number').notNull(),
  channelId: integer('channel_id').notNull(),
  revision: counter('revision'),
});

export const readers = sqliteTable('readers', {
  ...OF_ACCOUNT,
  name: text().notNull(),
  /** Feed parameters that apply unless a request gives others, as a query. */
  preset: text().notNull().default(''),
  fixed: flag('fixed').default(false),
  parameters: text(),
  channelId: integer('channel_id'),
  disabled: flag('disabled').default(false),
  createdAt: now('created_at'),
  /** What it may see, as `policyText` has it. */
  policy: text().notNull().default(''),
  /** Which portal it is, as the console lists portals, and what people call it. */
  portal: text(),
  title: text(),
});

export const readerKeys = sqliteTable('reader_keys', {
  digest: text().primaryKey(),
  readerId: integer('reader_id').notNull(),
  createdAt: now('created_at'),
  expiresAt: integer('expires_at'),
});

/** Sessions of the console that have ended before they expire. */
export const endedSessions = sqliteTable('ended_sessions', {
  id: text().primaryKey(),
  accountId: integer('account_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
});

/** People who sign in to the console. */
export const people = sqliteTable('people', {
  ...OF_ACCOUNT,
  name: text().notNull(),
  role: text({ enum: ['owner', 'editor', 'viewer'] }).notNull(),
  /** As in accounts; `null` until an invitation is accepted. */
  password: text(),
  /** Sealed; `null` without a second factor. */
  totpSecret: text('totp_secret'),
  totpStep: counter('totp_step'),
  totpFailures: counter('totp_failures'),
  totpLockedUntil: counter('totp_locked_until'),
  invitation: text(),
  invitationExpiresAt: integer('invitation_expires_at'),
  createdAt: now('created_at'),
});

/** Who did what in the console. */
export const activity = sqliteTable('activity', {
  ...OF_ACCOUNT,
  happenedAt: now('happened_at'),
  /** Empty for the account's password. */
  person: text().notNull(),
  action: text().notNull(),
  subject: text().notNull().default(''),
});

/** Changes of the status and the prices of properties. */
export const propertyHistory = sqliteTable('property_history', {
  ...OF_ACCOUNT,
  propertyId: integer('property_id').notNull(),
  changedAt: now('changed_at'),
  field: text({ enum: ['status', 'sale_price', 'monthly_rent', 'low_season_rent', 'high_season_rent'] }).notNull(),
  before: text(),
  after: text(),
});

export const reportSettings = sqliteTable('report_settings', {
  accountId: integer('account_id').primaryKey(),
  portals: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
  muted: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
});

/** Properties whose price has changed by a factor of three or more, and has not come back. */
export const priceJumps = sqliteTable('price_jumps', {
  propertyId: integer('property_id').primaryKey(),
  accountId: integer('account_id').notNull(),
  before: real('price_before').notNull(),
  after: real('price_after').notNull(),
  changedAt: now('changed_at'),
});

export const deliveries = sqliteTable('deliveries', {
  readerId: integer('reader_id').notNull(),
  feed: text().notNull(),
  deliveredAt: integer('delivered_at'),
  saleRevision: integer('sale_revision'),
  rentalRevision: integer('rental_revision'),
  channelRevision: integer('channel_revision'),
  status: integer(),
  bytes: integer(),
  origin: text(),
  lastSeenAt: integer('last_seen_at').notNull(),
  usualInterval: real('usual_interval'),
  intervals: counter('intervals'),
  overdueLogged: flag('late_logged').default(false),
  days: text({ mode: 'json' }).$type<DayCounts>().notNull().default({}),
  history: text({ mode: 'json' }).$type<readonly DeliveredRevisions[]>().notNull().default([]),
  confirmedAt: integer('confirmed_at'),
});

/** The 200s and the 304s of each day, by its date. */
export type DayCounts = Readonly<Record<string, readonly [full: number, notModified: number]>>;

/**
 * When a feed was delivered, and the revisions of the account and of the reader's channel that it showed at least; and when the
 * reader confirmed it.
 */
export type DeliveredRevisions = readonly [
  at: EpochSeconds,
  sale: number | null,
  rental: number | null,
  channel: number | null,
  confirmedAt: EpochSeconds | null,
];

/** The values of a property in these columns of the table of fields. */
export type FieldRow<Columns extends FieldColumn = FieldColumn> = Readonly<
  Pick<typeof properties.$inferSelect, Columns>
>;
