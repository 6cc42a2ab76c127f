import { sql } from 'drizzle-orm';
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EpochSeconds } from '../lib/time/time.ts';
import type { PropertyDocument } from '../properties/documents.ts';

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
/** A column that the table generates, as 0 or 1. */
const generatedFlag = (name: string) =>
  integer(name).$type<0 | 1>().notNull().generatedAlwaysAs(sql`0`);
/** A column that the table generates, as a JSON array. */
const generatedNames = (name: string) =>
  text(name, { mode: 'json' }).$type<readonly string[]>().notNull().generatedAlwaysAs(sql`'[]'`);
export const now = (name: string) => integer(name).notNull().default(sql`(unixepoch())`);

/** The segments of an account that have a listed property: the number of its last change, and the bytes of these properties. */
type Segments = Readonly<Record<string, readonly [number: number, bytes: number]>>;

/** What names in an account's files mean: the codes of built-in types and features, by name. */
export interface ImportNames {
  readonly types?: Readonly<Record<string, string>>;
  readonly features?: Readonly<Record<string, string>>;
}

/** What an account has stated for all readers of a format: a query, by the name of the format. */
export type FormatSettings = Readonly<Record<string, string>>;

/** Views of the list of properties: queries by the names of the views. */
export type SavedViews = Readonly<Record<string, string>>;

export const accounts = sqliteTable('accounts', {
  id: integer().primaryKey({ autoIncrement: true }),
  code: text().notNull(),
  name: text().notNull(),
  password: text().notNull(),
  disabled: flag('disabled').default(false),
  changes: counter('changes'),
  changedAt: now('changed_at'),
  segments: text({ mode: 'json' }).$type<Segments>().notNull().default({}),
  /** The number of the last change of each development and of its units, by the development's id. */
  developments: text({ mode: 'json' })
    .$type<Readonly<Record<string, number>>>()
    .notNull()
    .default({}),
  vocabulary: counter('vocabulary'),
  unitsMoved: counter('units_moved'),
  incarnation: integer().notNull().default(1),
  frozen: flag('frozen').default(false),
  policy: text().notNull().default(''),
  placeSecret: text('place_secret').notNull().default(sql`(hex(randomblob(32)))`),
  importNames: text('import_names', { mode: 'json' }).$type<ImportNames>().notNull().default({}),
  formatSettings: text('format_settings', { mode: 'json' })
    .$type<FormatSettings>()
    .notNull()
    .default({}),
  views: text({ mode: 'json' }).$type<SavedViews>().notNull().default({}),
  timeZone: text('time_zone').notNull().default('Europe/Madrid'),
  /** The number of the last change that has deleted a property. */
  deleted: counter('deleted'),
});

export const vocabulary = sqliteTable('vocabulary', {
  ...OF_ACCOUNT,
  kind: text({ enum: ['type', 'category', 'feature'] }).notNull(),
  code: text().notNull(),
  document: text().notNull(),
});

export const developments = sqliteTable('developments', {
  ...OF_ACCOUNT,
  identifier: text().notNull(),
  name: text().notNull().generatedAlwaysAs(sql`''`),
  document: text().notNull(),
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
  change: counter('change'),
  /** What it was created together with. */
  createdIn: text('created_in'),
  feedStatus: text('feed_status').notNull().generatedAlwaysAs(sql`''`),
});

export const unitHistory = sqliteTable('unit_history', {
  unitId: integer('unit_id').notNull(),
  /** The unit's version with this change. */
  version: integer().notNull(),
  accountId: integer('account_id').notNull(),
  changedAt: now('changed_at'),
  /** Who made it, as `actorText` has it. */
  actor: text().notNull(),
  fromStatus: integer('from_status').notNull(),
  toStatus: integer('to_status').notNull(),
  fromPrice: real('from_price').notNull(),
  toPrice: real('to_price').notNull(),
  fromDirections: text('from_directions').notNull(),
  toDirections: text('to_directions').notNull(),
  /** What it was made together with. */
  batch: text(),
});

/** Numbers of properties per segment. The column `path` has the same; a test compares them. */
export const SEGMENT_SIZE = 500;

/** The documents are JSON without what has a column of its own: see `properties/store/property-rows.ts`. */
export const properties = sqliteTable('properties', {
  ...OF_ACCOUNT,
  number: integer().notNull(),
  path: text().notNull().generatedAlwaysAs(sql`''`),
  identifier: text().notNull(),
  unitId: integer('unit_id'),
  change: counter('change'),
  changedAt: counter('changed_at'),
  shownTo: text('shown_to', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
  reference: text().notNull().generatedAlwaysAs(sql`''`),
  type: text().notNull().generatedAlwaysAs(sql`''`),
  status: text().$type<PropertyDocument['status']>().notNull().generatedAlwaysAs(sql`''`),
  listed: generatedFlag('listed'),
  rented: generatedFlag('rented'),
  onWebsites: generatedFlag('on_websites'),
  forSale: generatedFlag('for_sale'),
  forLongTerm: generatedFlag('for_long_term'),
  forShortTerm: generatedFlag('for_short_term'),
  salePrice: real('sale_price').generatedAlwaysAs(sql`0`),
  rent: real().generatedAlwaysAs(sql`0`),
  town: text().notNull().generatedAlwaysAs(sql`''`),
  area: text().generatedAlwaysAs(sql`''`),
  listedAt: text('listed_at').notNull().generatedAlwaysAs(sql`''`),
  channels: generatedNames('channels'),
  restrictions: generatedNames('restrictions'),
  bytes: integer().notNull().generatedAlwaysAs(sql`0`),
  document: text().notNull(),
  pictures: text().notNull().default('[]'),
  texts: text().notNull().default('{}'),
  // These are not stored: SQLite reads documents for them.
  monthlyRent: real('monthly_rent').generatedAlwaysAs(sql`0`),
  weeklyRent: real('weekly_rent').generatedAlwaysAs(sql`0`),
  features: generatedNames('features'),
  photographs: integer().notNull().generatedAlwaysAs(sql`0`),
});

/** What lists search and filter by that the columns of `properties` before the documents lack. */
export const propertySearch = sqliteTable('property_search', {
  propertyId: integer('property_id').primaryKey(),
  beds: integer().notNull(),
  features: text().notNull(),
  text: text().notNull(),
  createdIn: text('created_in'),
});

/** What properties were before each change; pictures and texts are `null` if it left them as they were. */
export const propertyHistory = sqliteTable('property_history', {
  propertyId: integer('property_id').notNull(),
  /** The number of the change with which this state began. */
  change: integer().notNull(),
  accountId: integer('account_id').notNull(),
  /** When this state ended. */
  changedAt: now('changed_at'),
  /** Who ended it, as `actorText` has it. */
  actor: text().notNull(),
  document: text().notNull(),
  pictures: text(),
  texts: text(),
  batch: text(),
});

/** News of an account other than changes of its properties and units, numbered with these. */
export const accountEvents = sqliteTable('account_events', {
  accountId: integer('account_id').notNull(),
  change: integer().notNull(),
  type: text().notNull(),
  subject: text(),
  happenedAt: now('happened_at'),
});

export const directory = sqliteTable('directory', {
  account: text().primaryKey(),
  database: text().notNull(),
});

export const directoryClients = sqliteTable('directory_clients', {
  client: text().primaryKey(),
  account: text().notNull(),
});

export const snapshots = sqliteTable('snapshots', {
  accountId: integer('account_id').notNull(),
  format: text().notNull(),
  parameters: text().notNull(),
  part: integer().notNull(),
  incarnation: integer().notNull(),
  revision: integer().notNull(),
  /** For a feed ordered by listing date: how many parts it has, and the JSON array of the numbers of this part's properties. */
  parts: integer(),
  numbers: text(),
  bytes: integer().notNull(),
  crc: integer().notNull(),
  /** Bytes before compression. */
  length: integer().notNull(),
  /** Records of the feed in it. */
  records: integer().notNull(),
  cachedAt: integer('cached_at').notNull(),
  lastUsedAt: integer('last_used_at').notNull(),
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
  /** What it may see, as `policyText` has it, and of that the rules, as JSON. */
  policy: text().notNull().default(''),
  selection: text().generatedAlwaysAs(sql`NULL`),
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

/** Sessions of the console that have not ended. */
export const sessions = sqliteTable('sessions', {
  id: text().primaryKey(),
  accountId: integer('account_id').notNull(),
  subject: text().notNull(),
  signedWith: text('signed_with').notNull(),
  browser: text().notNull(),
  startedAt: integer('started_at').notNull(),
  lastUsedAt: integer('last_used_at').notNull(),
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
  /** Digests of the codes that sign in once instead of the second factor. */
  recoveryCodes: text('recovery_codes', { mode: 'json' })
    .$type<readonly string[]>()
    .notNull()
    .default([]),
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
  /** What it has changed. */
  details: text({ mode: 'json' }).$type<readonly Detail[]>(),
});

/** A field of what an action has changed, by its name, with its values as people see them, or `null`. */
export type Detail = readonly [field: string, before: string | null, after: string | null];

export const reportSettings = sqliteTable('report_settings', {
  accountId: integer('account_id').primaryKey(),
  portals: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
  muted: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
});

/** Pictures that are elsewhere, and whether they could be fetched. */
export const pictureChecks = sqliteTable('picture_checks', {
  accountId: integer('account_id').notNull(),
  address: text().notNull(),
  checkedAt: counter('checked_at'),
  failures: counter('failures'),
  failingSince: integer('failing_since'),
  status: integer(),
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
  revision: integer(),
  status: integer(),
  bytes: integer(),
  origin: text(),
  lastSeenAt: integer('last_seen_at').notNull(),
  usualInterval: real('usual_interval'),
  intervals: counter('intervals'),
  overdueLogged: flag('late_logged').default(false),
  days: text({ mode: 'json' }).$type<DayCounts>().notNull().default({}),
  history: text({ mode: 'json' }).$type<readonly DeliveredRevision[]>().notNull().default([]),
  confirmedAt: integer('confirmed_at'),
  visits: text({ mode: 'json' }).$type<readonly StoredVisit[]>().notNull().default([]),
});

/** Requests that got the same answer, as `readers/visits.ts` describes them. */
export type StoredVisit = readonly [
  at: EpochSeconds,
  until: EpochSeconds,
  count: number,
  answered: readonly [
    answer: 'full' | 'not_modified' | 'refused' | 'failed' | 'interrupted' | 'no_feed',
    status: number,
    records: number | null,
    bytes: number,
    program: string,
  ],
];

/** The 200s and the 304s of each day, by its date. */
export type DayCounts = Readonly<Record<string, readonly [full: number, notModified: number]>>;

/** When a feed was delivered, the number of the account's last change that it showed, and when the reader confirmed it. */
export type DeliveredRevision = readonly [
  at: EpochSeconds,
  revision: number | null,
  confirmedAt: EpochSeconds | null,
];
