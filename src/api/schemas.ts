import { z } from 'zod';
import { FEED_ERROR_STATUS } from '../feed/error-document.ts';
import { SCOPES } from '../oauth/scopes.ts';
import { TOKEN_ERRORS } from '../oauth/token-request.ts';
import { PROBLEMS } from '../problem.ts';
import { MAX_OLD_KEY_DAYS } from '../readers/new-reader.ts';
import { MAX_PROPERTIES } from '../readers/request.ts';
import { MAX_CODE_LENGTH, MAX_CODES, MAX_NAME_LENGTH } from '../units/change.ts';
import { MAX_UPDATES } from '../units/update-many.ts';
import { PORTALS } from '../validator/portals.ts';

/** The named schemas, in the order in which the document lists them. */
export const NAMED = z.registry<{ id: string }>();

function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  NAMED.add(schema, { id });
  return schema;
}

/** Characters, not UTF-16 code units; and lone surrogates cannot be stored. */
function text(maxLength: number) {
  return z
    .string()
    .refine((value) => value.isWellFormed() && [...value].length <= maxLength)
    .meta({ maxLength });
}

const unitName = z
  .string()
  .refine((value) => value.isWellFormed() && [...value.normalize('NFC')].length <= MAX_NAME_LENGTH)
  .meta({ maxLength: MAX_NAME_LENGTH, description: 'Compared exactly, after Unicode NFC normalisation.' });

const status = z
  .union([z.literal(1), z.literal(2), z.literal(4), z.literal(8)])
  .meta({ description: '1 available, 2 hold, 4 sold, 8 reserved; any status may follow any other.' });

const price = z.number().meta({ description: 'Any number that a double-precision number represents as written.' });

const directionCode = text(MAX_CODE_LENGTH).refine((code) => !/\p{Cc}/u.test(code));

const directions = z
  .array(z.union([directionCode, z.array(directionCode)]))
  .max(MAX_CODES)
  .refine((entries) => entries.flat().length <= MAX_CODES)
  .meta({ description: `Text codes without control characters, or lists of them; at most ${MAX_CODES} in total.` });

const time = z
  .string()
  .refine((value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value))
  .meta({ format: 'date-time', description: 'ISO 8601, UTC.' });

const VALUES = { UntStatus: status, UntPrice: price, UntDirections: directions };

/** What `parseChange` of `units/change.ts` accepts; a test compares the two. */
export const unitUpdate = named('UnitUpdate', z.object({ UntName: unitName, ...VALUES }));

export const unitUpdates = named('UnitUpdates', z.array(unitUpdate).max(MAX_UPDATES));

const unitShape = {
  development_id: z.string(),
  ...unitUpdate.shape,
  version: z.int().min(1).meta({ description: 'Incremented by every change; the ETag is derived from it.' }),
  changed_at: time,
};

export const unit = named('Unit', z.object(unitShape));

const unitValues = named('UnitValues', z.object(VALUES));

const unitChange = named(
  'UnitChange',
  z.object({ changed_at: time, client_id: z.string(), from: unitValues, to: unitValues }),
);

const holding = named(
  'ReaderHolding',
  z.object({
    reader: z.string(),
    feed: z.string().nullable().meta({ description: 'The format and its parameters; null if it has requested none.' }),
    state: z.enum(['current', 'outdated', 'never delivered', 'not in its channel']),
    since: time.optional().meta({ description: 'Since when it has had the current state.' }),
    delivered_at: time.optional().meta({ description: 'When the outdated state that it still has was delivered.' }),
  }),
);

const holdings = z.array(holding).meta({ description: 'For each reader and feed: whether it has the current state.' });

export const propertyDeliveries = named('PropertyDeliveries', z.object({ property: z.string(), deliveries: holdings }));

export const unitWithChanges = named(
  'UnitWithChanges',
  z.object({
    ...unitShape,
    changes: z.array(unitChange).meta({ description: 'The last changes, newest first.' }),
    deliveries: holdings.optional().meta({ description: 'Only with a token that also has the scope `readers:read`.' }),
  }),
);

export const units = named('Units', z.object({ units: z.array(unit) }));

const development = named(
  'Development',
  z.object({ development_id: z.string(), name: z.string(), units: z.int().meta({ description: 'How many it has.' }) }),
);

export const developments = named('Developments', z.object({ developments: z.array(development) }));

const readerName = z.string().meta({ pattern: '^[a-z0-9._-]{1,40}$' });

const preset = z
  .string()
  .meta({ description: 'Feed parameters that apply unless a request gives others, as a query; empty for none.' });

const fixed = z.boolean().meta({ description: 'Whether a request must not contradict the preset.' });

const channelName = readerName.meta({ description: 'The channel whose properties the reader gets; null for all.' });

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
    name: readerName,
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
  name: readerName,
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
      })
      .nullable(),
    last_visit_at: time,
    days: z
      .array(z.object({ date: z.string(), complete: z.int(), not_modified: z.int() }))
      .meta({ description: 'Complete 200s and 304s of the last 90 days, newest first.' }),
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

const fieldError = named(
  'FieldError',
  z.object({
    pointer: z.string().meta({ description: 'RFC 6901 JSON Pointer to the invalid field.' }),
    detail: z.string(),
  }),
);

const problemCode = z
  .enum(Object.keys(PROBLEMS) as [keyof typeof PROBLEMS])
  .meta({ description: 'Stable: branch on it.' });

const why = {
  code: problemCode,
  detail: z.string().meta({ description: 'What is wrong with this request, in English. May change.' }),
  errors: z.array(fieldError).optional(),
};

export const problem = named(
  'Problem',
  z
    .object({ type: z.literal('about:blank'), title: z.string(), status: z.int(), ...why })
    .meta({ description: 'A problem document (RFC 9457).' }),
);

const updated = z.object({ status: z.literal(200), code: z.enum(['changed', 'unchanged']), unit });

const notUpdated = z.object({ status: z.int(), ...why });

export const updateResults = named(
  'UpdateResults',
  z.object({ results: z.array(z.union([updated, notUpdated])) }).meta({ description: 'A result for each update.' }),
);

/** What `parseTokenRequest` of `oauth/token-request.ts` accepts as parameters. */
export const tokenRequest = named(
  'TokenRequest',
  z.object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().optional().meta({ description: 'Unless HTTP Basic is used.' }),
    client_secret: z.string().optional().meta({ description: 'Unless HTTP Basic is used.' }),
    scope: z
      .string()
      .optional()
      .meta({ description: `Scopes separated by spaces (${SCOPES.join(', ')}); all of the client by default.` }),
  }),
);

export const tokenResponse = named(
  'TokenResponse',
  z.object({
    access_token: z.string().meta({ description: 'A signed JWT (RFC 9068).' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    scope: z.string(),
  }),
);

export const tokenError = named(
  'TokenError',
  z
    .object({ error: z.enum(TOKEN_ERRORS), error_description: z.string() })
    .meta({ description: 'RFC 6749 section 5.2.' }),
);

export const keySet = named(
  'KeySet',
  z.object({
    keys: z.array(
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  }),
);

export const issuerMetadata = named(
  'IssuerMetadata',
  z
    .object({
      issuer: z.url(),
      token_endpoint: z.url(),
      jwks_uri: z.url(),
      scopes_supported: z.array(z.enum(SCOPES)),
      response_types_supported: z.array(z.string()),
      grant_types_supported: z.array(z.string()),
      token_endpoint_auth_methods_supported: z.array(z.string()),
    })
    .meta({ description: 'RFC 8414 section 2.' }),
);

export const directory = named(
  'Directory',
  z.object({
    service: z.string(),
    documentation: z.string(),
    feed: z.string().meta({ description: 'An RFC 6570 template.' }),
    kyero: z.string().meta({ description: 'The same for the Kyero format.' }),
    schemas: z.array(z.string()),
    developments: z.string(),
    token_metadata: z.string().optional().meta({ description: 'Absent if another issuer issues the tokens.' }),
  }),
);

export const health = named(
  'Health',
  z.object({
    status: z.enum(['ok', 'unavailable']),
    late_readers: z.array(reader).optional().meta({
      description: 'Only with a token with the scope `readers:read`: the readers of its account that are late.',
    }),
  }),
);

/** The XML of a feed, an error or a schema. */
export const feedDocument = named(
  'Feed',
  z.string().meta({
    description: 'XML; the schemas are at `/schemas/feed-v1.xsd` to `/schemas/feed-v3.xsd` and `/schemas/kyero.xsd`.',
  }),
);

export const feedError = named(
  'FeedError',
  z.string().meta({
    description:
      'XML: `<root><error><code/><message/></error></root>`, with its schema at `/schemas/error.xsd`. Codes: ' +
      `${Object.keys(FEED_ERROR_STATUS).join(', ')}.`,
  }),
);

export const xmlSchema = named('XmlSchema', z.string().meta({ description: 'An XML Schema.' }));

const finding = named(
  'Finding',
  z.object({
    rule: z.string().meta({ description: 'The code of the rule.' }),
    node: z.string().meta({ description: 'The node of the version 3 feed.' }),
    value: z.string().meta({ description: 'Its value, shortened.' }),
  }),
);

const count = z.int().min(0);

export const report = named(
  'Report',
  z.object({
    account: z.string(),
    summary: z.object({
      properties: count.meta({ description: 'Properties checked.' }),
      properties_with_errors: count,
      error: count,
      warning: count,
      info: count,
      languages: z.array(z.string()).meta({ description: 'Those that every description is expected in.' }),
    }),
    rules: z
      .array(
        z.object({
          code: z.string(),
          severity: z.enum(['error', 'warning', 'info']),
          explanation: z.string(),
          fix: z.string(),
          portals: z.array(z.enum(Object.keys(PORTALS))).meta({ description: 'Empty for all.' }),
          findings: count,
          properties: count,
        }),
      )
      .meta({ description: 'Those with findings, the most severe first.' }),
    properties: z.array(z.object({ id: z.string(), findings: z.array(finding) })),
  }),
);
