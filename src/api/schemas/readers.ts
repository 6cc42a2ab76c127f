import { z } from 'zod';
import { holdings } from '../../deliveries/schemas.ts';
import { named, time } from '../../http/schemas.ts';
import { SHORT_NAME_PATTERN } from '../../lib/short-name.ts';
import { MAX_OLD_KEY_DAYS } from '../../readers/new-reader.ts';
import { MAX_PROPERTIES } from '../../readers/request.ts';

export const propertyDeliveries = named('PropertyDeliveries', z.object({ property: z.string(), deliveries: holdings }));

const shortName = z.string().meta({ pattern: SHORT_NAME_PATTERN.source });

const preset = z
  .string()
  .meta({ description: 'Feed parameters that apply unless a request gives others, as a query; empty for none.' });

const fixed = z.boolean().meta({ description: 'Whether a request must not contradict the preset.' });

const channelName = shortName.meta({ description: 'The channel whose properties the reader gets; null for all.' });

const propertyIds = z.array(z.string()).min(1).max(MAX_PROPERTIES);

export const channelChange = named('ChannelChange', z.strictObject({ properties: propertyIds }));

export const channelChanged = named(
  'ChannelChanged',
  z.object({ channel: z.string(), changed: z.int(), unknown_properties: z.array(z.string()) }),
);

export const channels = named(
  'Channels',
  z.object({ channels: z.array(z.object({ name: z.string(), properties: z.int() })) }),
);

export const channel = named('Channel', z.object({ name: z.string(), properties: z.array(z.string()) }));

export const newReader = named(
  'NewReader',
  z.strictObject({
    name: shortName,
    preset: preset.optional(),
    fixed: fixed.optional(),
    channel: channelName.nullable().optional(),
  }),
);

export const readerChange = named('ReaderChange', newReader.omit({ name: true }));

export const readerRotation = named(
  'ReaderRotation',
  z.strictObject({ old_key_days: z.int().min(0).max(MAX_OLD_KEY_DAYS).optional() }),
);

const readerShape = {
  name: shortName,
  preset,
  fixed,
  channel: channelName.nullable(),
  disabled: z.boolean(),
  created_at: time,
  keys: z.int().meta({ description: 'How many are valid.' }),
  old_keys_expire_at: time.nullable(),
  last_visit_at: time.nullable().meta({ description: 'Recorded at most once in ten minutes.' }),
  last_delivery_at: time.nullable().meta({ description: 'When a feed was last taken completely.' }),
  usual_interval: z.int().nullable().meta({ description: 'Seconds between visits, once known.' }),
  late: z.boolean().meta({ description: 'Whether three usual intervals have passed without a visit.' }),
};

export const reader = named('Reader', z.object(readerShape));

export const readers = named('Readers', z.object({ readers: z.array(reader) }));

const readerFeed = named(
  'ReaderFeed',
  z.object({
    feed: z.string().meta({ description: 'The format and its parameters.' }),
    last_delivery: z
      .object({
        at: time,
        sale_revision: z.int().nullable(),
        rental_revision: z.int().nullable(),
        status: z.union([z.literal(200), z.literal(304)]),
        bytes: z.int(),
        origin: z.enum(['hit', 'partial', 'miss', 'not modified']),
        confirmed_at: time
          .nullable()
          .meta({ description: 'When the reader first came back with its ETag or Last-Modified.' }),
      })
      .nullable(),
    last_visit_at: time,
    days: z
      .array(z.object({ date: z.string(), full: z.int(), not_modified: z.int() }))
      .meta({ description: '200s (`full`) and 304s of the last 90 days, newest first.' }),
  }),
);

const feeds = z
  .array(readerFeed)
  .meta({ description: 'What the reader was given; the feed visited last comes first.' });

export const readerWithFeeds = named('ReaderWithFeeds', z.object({ ...readerShape, feeds }));

export const readerWithKey = named(
  'ReaderWithKey',
  z.object({ ...readerShape, feeds, key: z.string().meta({ description: 'Not shown again.' }) }),
);
