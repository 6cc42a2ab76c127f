import * as z from 'zod';
import { named, namedObject, namedStrictObject, shortName, time } from '../../api/schemas.ts';
import { SHORT_NAME_PATTERN } from '../../lib/short-name.ts';
import { because, message } from '../../messages/messages.ts';
import { fieldError } from '../../problem.ts';
import { READER_KINDS } from '../../properties/restrictions.ts';
import { selectionChange, selectionRules } from '../../properties/selection/schema.ts';
import { PLACES, WITHHOLDABLE } from '../policy.ts';
import { ANSWERS } from '../visits.ts';
import { deliveredStates } from './delivered-state.ts';
import { DEFAULT_OLD_KEY_DAYS, MAX_OLD_KEY_DAYS } from './reader.ts';

/** Maximum number of properties in a request. */
const MAX_PROPERTIES = 1_000;

const pattern = SHORT_NAME_PATTERN.source;

/** The path of a property. */
export const byProperty = z.object({
  property: z
    .string()
    .meta({ description: 'The property’s identifier, percent-encoded.', example: 'R4100001' }),
});

const preset = z
  .string()
  .describe(
    'Feed parameters that apply unless a request gives others, as a query; empty for none.',
  );

const fixed = z.boolean().describe('Whether a request must not contradict the preset.');

const channelName = z
  .string()
  .nullable()
  .describe('The channel whose properties the reader gets; null for all.');

const withhold = z
  .array(z.enum(WITHHOLDABLE as [string, ...string[]]))
  .describe('What the reader never gets: in feeds, changes, reports and previews.');

const place = z
  .enum(PLACES)
  .describe('Where properties are shown: at their places, 200 to 400 m away, or nowhere.');

const kind = z
  .enum(READER_KINDS)
  .nullable()
  .describe(
    'The kind of reader. It gets only the listings that may go to such readers; null for all ' +
      'listings.',
  );

/** Why `fixed` needs a preset. */
export const FIXED_WITHOUT_PRESET = fieldError('/fixed', message('fixed_without_preset'));

const selection = selectionRules
  .nullable()
  .describe(
    'The rules by which the reader’s listings are selected; null for all. Of properties that they ' +
      'have never selected, it learns nothing.',
  );

const settings = { preset, fixed, channel: channelName, withhold, place, kind, selection };

// A misspelt field would otherwise be ignored, and the reader get more than was meant.
export const newReaderBody = named(
  'NewReader',
  z
    .strictObject({
      name: shortName.meta({ pattern }),
      preset: preset.default(''),
      fixed: fixed.default(false),
      channel: channelName.default(null),
      withhold: withhold.optional().describe('By default, what the account’s policy withholds.'),
      place: place.optional().describe('By default, as in the account’s policy.'),
      kind: kind.default(null),
      selection: selection.default(null),
    })
    .refine((body) => !body.fixed || body.preset !== '', {
      path: ['fixed'],
      ...because('fixed_without_preset'),
    }),
);

export const readerChangeBody = named(
  'ReaderChange',
  z
    .strictObject({
      ...settings,
      selection: selectionChange
        .nullable()
        .describe('The rules that change: null removes one, or all; one that is not given stays.'),
    })
    .partial(),
);

export const readerRotationBody = namedStrictObject('ReaderRotation', {
  old_key_days: z.int().min(0).max(MAX_OLD_KEY_DAYS).default(DEFAULT_OLD_KEY_DAYS),
});

export const channelChangeBody = namedStrictObject('ChannelChange', {
  properties: z.array(z.string().normalize('NFC')).min(1).max(MAX_PROPERTIES),
});

/** A reader in responses and in the output of commands. */
export const reader = namedObject('Reader', {
  name: z.string().meta({ pattern }),
  ...settings,
  disabled: z.boolean(),
  created_at: time,
  keys: z.int().describe('How many are valid.'),
  old_keys_expire_at: time.nullable(),
  last_seen_at: time.nullable().describe('Recorded at most once in ten minutes.'),
  last_delivery_at: time.nullable().describe('When a feed was last taken completely.'),
  usual_interval: z.int().nullable().describe('Seconds between requests, once known.'),
  overdue: z.boolean().describe('Whether three usual intervals have passed without a request.'),
});

export const lastDelivery = z.object({
  at: time,
  revision: z.int().describe('The number of the account’s last change that it showed.'),
  status: z.literal([200, 304]).meta({ enum: [200, 304] }),
  bytes: z.int(),
  origin: z.enum(['hit', 'partial', 'miss', 'not modified']),
  confirmed_at: time
    .nullable()
    .describe('When the reader first came back with its ETag or Last-Modified.'),
});

/** What a reader was given of one feed. */
export const readerFeed = namedObject('ReaderFeed', {
  feed: z.string().describe('The format and its parameters.'),
  last_delivery: lastDelivery.nullable(),
  last_seen_at: time,
  days: z
    .array(z.object({ date: z.string(), full: z.int(), not_modified: z.int() }))
    .describe('200s (`full`) and 304s of the last 90 days, newest first.'),
});

/** Requests of a reader that got the same answer. */
export const visit = namedObject('Visit', {
  at: time.describe('When the first of them ended.'),
  until: time.describe('When the last of them ended.'),
  requests: z
    .int()
    .describe('How many followed each other, at most an hour and a half apart, with this answer.'),
  answer: z
    .enum(ANSWERS)
    .describe(
      'full: the whole feed. not_modified: nothing, since the reader has the present state. ' +
        'refused: an error, because of the request. failed: an error, or half a feed, because the ' +
        'service failed. interrupted: the reader disconnected before the end. no_feed: headers alone, ' +
        'or a page after the first.',
    ),
  status: z.int(),
  records: z
    .int()
    .nullable()
    .describe('How many records the feed had; null if it was not sent, or that is not known.'),
  bytes: z.int().describe('The size of the body as it was sent.'),
  program: z.string().describe('What the program calls itself, in up to 80 characters.'),
  feed: z
    .string()
    .nullable()
    .describe('The format and its parameters; null if the request contradicts the preset.'),
});

export const visits = namedObject('Visits', { visits: z.array(visit) });

export const readerWithFeeds = namedObject('ReaderWithFeeds', {
  ...reader.shape,
  feeds: z
    .array(readerFeed)
    .describe('What the reader was given; the most recently requested feed comes first.'),
  format_settings: z
    .record(z.string(), z.string())
    .describe(
      'The parameters that the account has set for all readers of a format, as a query, by the ' +
        'format’s name.',
    ),
});

export const readerWithKey = namedObject('ReaderWithKey', {
  ...readerWithFeeds.shape,
  key: z.string().describe('Not shown again.'),
});

export const propertyDeliveries = namedObject('PropertyDeliveries', {
  property: z.string(),
  deliveries: deliveredStates,
});

export const channelChanged = namedObject('ChannelChanged', {
  channel: z.string(),
  changed: z.int(),
  unknown_properties: z.array(z.string()),
});

/** A channel in lists. */
export const channelEntry = z.object({ name: z.string(), properties: z.int() });

export const channel = namedObject('Channel', {
  name: z.string(),
  properties: z.array(z.string()),
});
