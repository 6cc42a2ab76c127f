import type { HeaderName } from './headers.ts';
import type { DocumentedResponse, ExampleRequest, Operation, Parameter } from './operation.ts';
import { LOGGED, methodNotAllowed, problem, tokenProblems } from './problems.ts';
import {
  channel,
  channelChange,
  channelChanged,
  channels,
  newReader,
  propertyDeliveries,
  readerRotation,
  readers,
  readerWithFeeds,
  readerWithKey,
} from './schemas.ts';
import { JSON_TYPE, PAGE, withBody } from './units.ts';

const READERS = '/v1/readers';
const READER = `${READERS}/{reader}`;
const MAX_KIBIBYTES = 16;
const UNAVAILABLE = 'Retry later.';

const NAME: Parameter = {
  name: 'reader',
  in: 'path',
  required: true,
  description: 'The reader’s name.',
  schema: { type: 'string', minLength: 1 },
  example: 'idealista',
};

const PROPERTY: Parameter = {
  name: 'property',
  in: 'path',
  required: true,
  description: 'The property’s identifier, percent-encoded.',
  schema: { type: 'string', minLength: 1 },
  example: 'R4100001',
};

const AT_PROPERTY = { path: { property: 'R4100001' } };
const AT = { path: { reader: 'idealista' } };
const MISSING = { path: { reader: 'nobody' } };

const CHANNEL = '/v1/channels/{channel}';

const CHANNEL_NAME: Parameter = {
  name: 'channel',
  in: 'path',
  required: true,
  description: 'The channel’s name.',
  schema: { type: 'string', minLength: 1 },
  example: 'coast',
};

const AT_CHANNEL = { path: { channel: 'coast' } };
const CHANNEL_CHANGE = { ...AT_CHANNEL, body: { properties: ['R4100001'] } };

const CREATED_AT = '2026-11-22T09:30:00Z';
const EXPIRES_AT = '2026-12-06T09:30:00Z';
const KEY = 'lindero_0123456789abcdefghijklmnopqrstuv';

const SUMMARY = {
  name: 'idealista',
  preset: 'FV=3&T=SALE',
  fixed: true,
  channel: null,
  disabled: false,
  created_at: CREATED_AT,
  keys: 1,
  old_keys_expire_at: null,
  last_visit_at: null,
  last_delivery_at: null,
  usual_interval: null,
  late: false,
};

const IDEALISTA = { ...SUMMARY, feeds: [] };
const CREATION = { body: { name: 'idealista', preset: 'FV=3&T=SALE', fixed: true } };
const ROTATION = { ...AT, body: { old_key_days: 14 } };

function noReader(request: ExampleRequest): DocumentedResponse {
  return problem('reader_not_found', 'the account has no such reader.', 'The account has no reader "nobody".', {
    name: 'readerNotFound',
    request,
  });
}

function noChannel(request: ExampleRequest): DocumentedResponse {
  return problem('channel_not_found', 'the account has no such channel.', 'The account has no channel "nowhere".', {
    name: 'channelNotFound',
    request,
  });
}

function tooMany(request: ExampleRequest): DocumentedResponse {
  return problem(
    'too_many_requests',
    'the client has changed too much in this minute.',
    'Retry after 60 seconds.',
    { name: 'tooManyRequests', request, when: 'a rate limit is exceeded' },
    ['Retry-After'],
  );
}

function ok(
  headers: readonly HeaderName[],
  content: Omit<DocumentedResponse, 'status' | 'headers'>,
): DocumentedResponse {
  return { status: 200, headers: ['Cache-Control', ...headers, ...LOGGED], ...content };
}

/** An operation without a body that changes a reader and responds with its current state. */
function change(operation: string, id: string, summary: string, description: string, after: object): Operation {
  return {
    path: `${READER}/${operation}`,
    method: 'post',
    id,
    tag: 'Readers',
    summary,
    description,
    security: ['readersWrite'],
    parameters: [NAME],
    responses: [
      ok([], {
        description: 'The reader’s current state.',
        content: { mediaType: JSON_TYPE, schema: readerWithFeeds },
        examples: [{ name: operation, request: AT, body: { ...IDEALISTA, ...after } }],
      }),
      ...tokenProblems('readers:write', AT, UNAVAILABLE),
      tooMany(AT),
      noReader(MISSING),
      methodNotAllowed('POST', AT),
    ],
  };
}

/** Operations of readers. */
export const READER_OPERATIONS: readonly Operation[] = [
  {
    path: READERS,
    method: 'post',
    id: 'createReader',
    tag: 'Readers',
    summary: 'Create a reader',
    description:
      'A portal or program that fetches the account’s feed, with a key that it uses in place of the account’s password. ' +
      'The response contains the key; no later one does.',
    security: ['readersWrite'],
    body: { schema: newReader, mediaTypes: [JSON_TYPE] },
    responses: [
      {
        status: 201,
        description: 'The reader with its key.',
        headers: ['Cache-Control', 'Location', ...LOGGED],
        content: { mediaType: JSON_TYPE, schema: readerWithKey },
        examples: [{ name: 'created', request: CREATION, body: { ...IDEALISTA, key: KEY } }],
      },
      ...tokenProblems('readers:write', CREATION, UNAVAILABLE),
      ...withBody({ body: { name: 'fotocasa' } }, MAX_KIBIBYTES),
      problem('reader_in_use', 'the name is in use.', 'The account already has a reader idealista.', {
        name: 'readerInUse',
        request: CREATION,
      }),
      problem(
        'invalid_fields',
        '`errors` lists the invalid fields.',
        'See errors for the invalid fields.',
        { name: 'invalidFields', request: { body: { name: 'fotocasa', presets: 'FV=3' } } },
        [],
        [{ pointer: '/presets', detail: 'is not a known field' }],
      ),
    ],
  },
  {
    path: READERS,
    method: 'get',
    id: 'listReaders',
    tag: 'Readers',
    summary: 'List readers',
    description: 'Ordered by name. HEAD works as well.',
    security: ['readersRead'],
    parameters: PAGE,
    responses: [
      ok(['Link'], {
        description: 'The account’s readers.',
        content: { mediaType: JSON_TYPE, schema: readers },
        examples: [{ name: 'readers', body: { readers: [SUMMARY] } }],
      }),
      problem('bad_parameter', '`limit` or `cursor` is invalid.', 'limit must be an integer from 1 to 500.', {
        name: 'badParameter',
        request: { query: { limit: '0' } },
      }),
      ...tokenProblems('readers:read', {}, UNAVAILABLE),
      problem(
        'method_not_allowed',
        'another method.',
        'Use GET, HEAD, POST.',
        { name: 'methodNotAllowed', request: { method: 'PUT' } },
        ['Allow'],
      ),
    ],
  },
  {
    path: READER,
    method: 'get',
    id: 'getReader',
    tag: 'Readers',
    summary: 'Get a reader',
    description: 'With what it was given of each feed that it has requested. HEAD works as well.',
    security: ['readersRead'],
    parameters: [NAME],
    responses: [
      ok([], {
        description: 'The reader.',
        content: { mediaType: JSON_TYPE, schema: readerWithFeeds },
        examples: [{ name: 'reader', request: AT, body: IDEALISTA }],
      }),
      ...tokenProblems('readers:read', AT, UNAVAILABLE),
      noReader(MISSING),
      problem(
        'method_not_allowed',
        'another method.',
        'Use GET, HEAD, DELETE.',
        { name: 'methodNotAllowed', request: { ...AT, method: 'PUT' } },
        ['Allow'],
      ),
    ],
  },
  {
    path: `${READER}/rotate`,
    method: 'post',
    id: 'rotateReader',
    tag: 'Readers',
    summary: 'Create another key',
    description: 'The old keys stay valid for `old_key_days` days, 14 unless stated, or until they are revoked.',
    security: ['readersWrite'],
    parameters: [NAME],
    body: { schema: readerRotation, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'The reader with its new key.',
        content: { mediaType: JSON_TYPE, schema: readerWithKey },
        examples: [
          {
            name: 'rotated',
            request: ROTATION,
            body: { ...IDEALISTA, keys: 2, old_keys_expire_at: EXPIRES_AT, key: KEY },
          },
        ],
      }),
      ...tokenProblems('readers:write', ROTATION, UNAVAILABLE),
      ...withBody(ROTATION, MAX_KIBIBYTES),
      noReader({ ...MISSING, body: {} }),
      methodNotAllowed('POST', AT),
      problem(
        'invalid_fields',
        '`errors` lists the invalid fields.',
        'See errors for the invalid fields.',
        { name: 'invalidFields', request: { ...AT, body: { old_key_days: 366 } } },
        [],
        [{ pointer: '/old_key_days', detail: 'must be an integer from 0 to 365' }],
      ),
    ],
  },
  {
    path: '/v1/properties/{property}/deliveries',
    method: 'get',
    id: 'getPropertyDeliveries',
    tag: 'Readers',
    summary: 'Which readers have a property',
    description:
      'For each reader and feed: since when it has the current state of the property, or when the state that it still has ' +
      'was delivered. HEAD works as well.',
    security: ['readersRead'],
    parameters: [PROPERTY],
    responses: [
      ok([], {
        description: 'What each reader has.',
        content: { mediaType: JSON_TYPE, schema: propertyDeliveries },
        examples: [
          {
            name: 'deliveries',
            request: AT_PROPERTY,
            body: {
              property: 'R4100001',
              deliveries: [{ reader: 'idealista', feed: null, state: 'never delivered' }],
            },
          },
        ],
      }),
      ...tokenProblems('readers:read', AT_PROPERTY, UNAVAILABLE),
      problem('property_not_found', 'the account has no such property.', 'The account has no property "R0".', {
        name: 'propertyNotFound',
        request: { path: { property: 'R0' } },
      }),
      methodNotAllowed('GET, HEAD', AT_PROPERTY),
    ],
  },
  {
    path: `${CHANNEL}/add`,
    method: 'post',
    id: 'addToChannel',
    tag: 'Readers',
    summary: 'Add properties to a channel',
    description: 'The channel is created if necessary. Readers with this channel get only its properties.',
    security: ['readersWrite'],
    parameters: [CHANNEL_NAME],
    body: { schema: channelChange, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'How many were added, and which do not exist.',
        content: { mediaType: JSON_TYPE, schema: channelChanged },
        examples: [
          {
            name: 'added',
            request: { ...AT_CHANNEL, body: { properties: ['R4100001', 'R0'] } },
            body: { channel: 'coast', changed: 1, unknown_properties: ['R0'] },
          },
        ],
      }),
      ...tokenProblems('readers:write', CHANNEL_CHANGE, UNAVAILABLE),
      ...withBody(CHANNEL_CHANGE, 512),
      problem(
        'invalid_fields',
        '`errors` lists the invalid fields.',
        'See errors for the invalid fields.',
        { name: 'invalidFields', request: { ...AT_CHANNEL, body: { properties: [] } } },
        [],
        [{ pointer: '/properties', detail: 'must be an array of 1 to 1000 ids of properties' }],
      ),
      methodNotAllowed('POST', AT_CHANNEL),
    ],
  },
  {
    path: `${CHANNEL}/remove`,
    method: 'post',
    id: 'removeFromChannel',
    tag: 'Readers',
    summary: 'Remove properties from a channel',
    security: ['readersWrite'],
    parameters: [CHANNEL_NAME],
    body: { schema: channelChange, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'How many were removed, and which do not exist.',
        content: { mediaType: JSON_TYPE, schema: channelChanged },
        examples: [
          { name: 'removed', request: CHANNEL_CHANGE, body: { channel: 'coast', changed: 1, unknown_properties: [] } },
        ],
      }),
      ...tokenProblems('readers:write', CHANNEL_CHANGE, UNAVAILABLE),
      noChannel({ path: { channel: 'nowhere' }, body: { properties: ['R4100001'] } }),
      methodNotAllowed('POST', AT_CHANNEL),
    ],
  },
  {
    path: '/v1/channels',
    method: 'get',
    id: 'listChannels',
    tag: 'Readers',
    summary: 'List channels',
    description: 'Ordered by name. HEAD works as well.',
    security: ['readersRead'],
    parameters: PAGE,
    responses: [
      ok(['Link'], {
        description: 'The account’s channels.',
        content: { mediaType: JSON_TYPE, schema: channels },
        examples: [{ name: 'channels', body: { channels: [{ name: 'coast', properties: 0 }] } }],
      }),
      ...tokenProblems('readers:read', {}, UNAVAILABLE),
      methodNotAllowed('GET, HEAD', {}),
    ],
  },
  {
    path: CHANNEL,
    method: 'get',
    id: 'getChannel',
    tag: 'Readers',
    summary: 'Get a channel',
    description: 'The ids of its properties. HEAD works as well.',
    security: ['readersRead'],
    parameters: [CHANNEL_NAME],
    responses: [
      ok([], {
        description: 'The channel.',
        content: { mediaType: JSON_TYPE, schema: channel },
        examples: [{ name: 'channel', request: AT_CHANNEL, body: { name: 'coast', properties: [] } }],
      }),
      ...tokenProblems('readers:read', AT_CHANNEL, UNAVAILABLE),
      noChannel({ path: { channel: 'nowhere' } }),
    ],
  },
  {
    path: CHANNEL,
    method: 'delete',
    id: 'deleteChannel',
    tag: 'Readers',
    summary: 'Delete a channel',
    description: 'Its properties stay. A channel that readers have cannot be deleted: they would get all properties.',
    security: ['readersWrite'],
    parameters: [CHANNEL_NAME],
    responses: [
      problem('channel_in_use', 'readers have the channel.', 'Readers have the channel "coast": coastal.', {
        name: 'channelInUse',
        request: AT_CHANNEL,
        when: 'a reader has the channel',
      }),
      {
        status: 204,
        description: 'The channel is deleted.',
        headers: LOGGED,
        examples: [{ name: 'deleted', request: { path: { channel: 'inland' } }, when: 'there is such a channel' }],
      },
      ...tokenProblems('readers:write', AT_CHANNEL, UNAVAILABLE),
      noChannel({ path: { channel: 'nowhere' } }),
    ],
  },
  change('revoke', 'revokeOldKeys', 'Revoke old keys', 'All but the newest are rejected within a second.', {}),
  change('disable', 'disableReader', 'Disable a reader', 'Its keys are rejected within a second.', { disabled: true }),
  change('enable', 'enableReader', 'Enable a reader', 'Its keys are accepted again.', {}),
  {
    path: READER,
    method: 'delete',
    id: 'deleteReader',
    tag: 'Readers',
    summary: 'Delete a reader',
    description: 'Its keys are rejected within a second.',
    security: ['readersWrite'],
    parameters: [NAME],
    responses: [
      {
        status: 204,
        description: 'The reader is deleted.',
        headers: LOGGED,
        examples: [{ name: 'deleted', request: AT }],
      },
      ...tokenProblems('readers:write', AT, UNAVAILABLE),
      tooMany(AT),
      noReader(MISSING),
    ],
  },
];
