import type { DocumentedResponse, ExampleRequest, Operation, Parameter } from './operation.ts';
import { LOGGED, methodNotAllowed, problem, RETRY, tokenProblems } from './problems.ts';
import { badPage, invalidFields, JSON_TYPE, ok, PAGE, withBody } from './responses.ts';
import { channel, channelChange, channelChanged, channels } from './schemas/readers.ts';

const CHANNELS = '/v1/channels';
const CHANNEL = `${CHANNELS}/{channel}`;
const MAX_KIBIBYTES = 512;

const NAME: Parameter = {
  name: 'channel',
  in: 'path',
  required: true,
  description: 'The channel’s name.',
  schema: { type: 'string', minLength: 1 },
  example: 'coast',
};

const AT = { path: { channel: 'coast' } };
const MISSING = { path: { channel: 'nowhere' } };
const CHANGE = { ...AT, body: { properties: ['R4100001'] } };

function noChannel(request: ExampleRequest): DocumentedResponse {
  return problem('channel_not_found', 'the account has no such channel.', 'The account has no channel "nowhere".', {
    name: 'channelNotFound',
    request,
  });
}

/** Operations of channels. */
export const CHANNEL_OPERATIONS: readonly Operation[] = [
  {
    path: `${CHANNEL}/add`,
    method: 'post',
    id: 'addToChannel',
    tag: 'Readers',
    summary: 'Add properties to a channel',
    description: 'The channel is created if necessary. Readers with this channel get only its properties.',
    security: ['readersWrite'],
    parameters: [NAME],
    body: { schema: channelChange, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'How many were added, and which do not exist.',
        content: { mediaType: JSON_TYPE, schema: channelChanged },
        examples: [
          {
            name: 'added',
            request: { ...AT, body: { properties: ['R4100001', 'R0'] } },
            body: { channel: 'coast', changed: 1, unknown_properties: ['R0'] },
          },
        ],
      }),
      ...tokenProblems('readers:write', CHANGE, RETRY),
      ...withBody(CHANGE, MAX_KIBIBYTES),
      invalidFields(
        { ...AT, body: { properties: [] } },
        { pointer: '/properties', detail: 'must be an array of 1 to 1000 ids of properties' },
      ),
      methodNotAllowed('POST', AT),
    ],
  },
  {
    path: `${CHANNEL}/remove`,
    method: 'post',
    id: 'removeFromChannel',
    tag: 'Readers',
    summary: 'Remove properties from a channel',
    security: ['readersWrite'],
    parameters: [NAME],
    body: { schema: channelChange, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'How many were removed, and which do not exist.',
        content: { mediaType: JSON_TYPE, schema: channelChanged },
        examples: [
          { name: 'removed', request: CHANGE, body: { channel: 'coast', changed: 1, unknown_properties: [] } },
        ],
      }),
      ...tokenProblems('readers:write', CHANGE, RETRY),
      noChannel({ ...MISSING, body: { properties: ['R4100001'] } }),
      methodNotAllowed('POST', AT),
    ],
  },
  {
    path: CHANNELS,
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
      badPage({}),
      ...tokenProblems('readers:read', {}, RETRY),
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
    parameters: [NAME],
    responses: [
      ok([], {
        description: 'The channel.',
        content: { mediaType: JSON_TYPE, schema: channel },
        examples: [{ name: 'channel', request: AT, body: { name: 'coast', properties: [] } }],
      }),
      ...tokenProblems('readers:read', AT, RETRY),
      noChannel(MISSING),
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
    parameters: [NAME],
    responses: [
      problem('channel_in_use', 'the channel is in use.', 'The channel "coast" is in use by: coastal.', {
        name: 'channelInUse',
        request: AT,
        when: 'a reader has the channel',
      }),
      {
        status: 204,
        description: 'The channel is deleted.',
        headers: LOGGED,
        examples: [{ name: 'deleted', request: { path: { channel: 'inland' } }, when: 'the channel exists' }],
      },
      ...tokenProblems('readers:write', AT, RETRY),
      noChannel(MISSING),
    ],
  },
];
