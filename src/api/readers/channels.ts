import type { Context } from 'hono';
import {
  type Assigned,
  addToChannel,
  channelProperties,
  deleteChannel,
  findChannelId,
  listChannels,
  removeFromChannel,
} from '../../db/readers/channels.ts';
import { invalidateFeeds } from '../../feed/invalidation/invalidate.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { NOT_CACHED, pageOf, pageQuery, REVALIDATED } from '../../http/page.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { ProblemError } from '../../problem.ts';
import { AT_CHANNEL, NO_CHANNEL } from './examples.ts';
import { byChannel, byNewChannel, channel, channelChangeBody, channelChanged, channelsPage } from './schemas.ts';

const CHANNELS = '/v1/channels';
const CHANNEL = `${CHANNELS}/{channel}` as const;
const CHANGE = json(channelChangeBody, 512 * 1024);

/** Manages the channels of the account that the token belongs to. */
export const channels = new Api('Readers');

channels.operation(
  {
    method: 'post',
    path: `${CHANNEL}/add`,
    operationId: 'addToChannel',
    summary: 'Add properties to a channel',
    description: 'The channel is created if necessary. Readers with this channel get only its properties.',
    middleware: requireScope('readers:write'),
    limited: true,
    request: { params: byNewChannel, body: CHANGE },
    responses: { 200: ok(channelChanged, 'How many were added, and which do not exist.') },
    problems: {
      invalid_fields: {
        request: { ...AT_CHANNEL, body: { properties: [] } },
        errors: [{ pointer: '/properties', detail: 'must be an array of 1 to 1000 ids of properties' }],
      },
    },
    examples: {
      added: {
        request: { ...AT_CHANNEL, body: { properties: ['R4100001', 'R0'] } },
        body: { channel: 'coast', changed: 1, unknown_properties: ['R0'] },
      },
    },
  },
  async (c) => {
    const { properties } = c.req.valid('json');
    const { channel: name } = c.req.valid('param');
    const { accountId } = c.var.caller;
    const added = await assigning(c, () => addToChannel(c.env.DB, { accountId, name }, properties));
    return c.json({ channel: name, ...added }, 200, NOT_CACHED);
  },
);

channels.operation(
  {
    method: 'post',
    path: `${CHANNEL}/remove`,
    operationId: 'removeFromChannel',
    summary: 'Remove properties from a channel',
    middleware: requireScope('readers:write'),
    limited: true,
    request: { params: byChannel, body: CHANGE },
    responses: { 200: ok(channelChanged, 'How many were removed, and which do not exist.') },
    problems: { channel_not_found: NO_CHANNEL },
    examples: {
      removed: {
        request: { ...AT_CHANNEL, body: { properties: ['R4100001'] } },
        body: { channel: 'coast', changed: 1, unknown_properties: [] },
      },
    },
  },
  async (c) => {
    const { properties } = c.req.valid('json');
    const { channel: name } = c.req.valid('param');
    const channelId = await find(c, name);
    const { accountId } = c.var.caller;
    const removed = await assigning(c, () => removeFromChannel(c.env.DB, accountId, channelId, properties));
    return c.json({ channel: name, ...removed }, 200, NOT_CACHED);
  },
);

channels.operation(
  {
    method: 'get',
    path: CHANNELS,
    operationId: 'listChannels',
    summary: 'List channels',
    description: 'Ordered by name. HEAD works as well.',
    middleware: requireScope('readers:read'),
    request: { query: pageQuery },
    responses: { 200: ok(channelsPage, 'The account’s channels.', 'Link') },
    examples: { channels: { body: { channels: [{ name: 'coast', properties: 0 }] } } },
  },
  async (c) => {
    const page = c.req.valid('query');
    const { accountId } = c.var.caller;
    const found = await listChannels(c.env.DB, accountId, page.cursor, page.limit + 1);
    const { entries, headers } = pageOf(c.req.url, page, found, (last) => last.name);
    return c.json({ channels: entries }, 200, headers);
  },
);

channels.operation(
  {
    method: 'get',
    path: CHANNEL,
    operationId: 'getChannel',
    summary: 'Get a channel',
    description: 'The ids of its properties. HEAD works as well.',
    middleware: requireScope('readers:read'),
    request: { params: byChannel },
    responses: { 200: ok(channel, 'The channel.') },
    problems: { channel_not_found: NO_CHANNEL },
    examples: { channel: { request: AT_CHANNEL, body: { name: 'coast', properties: [] } } },
  },
  async (c) => {
    const { channel: name } = c.req.valid('param');
    const channelId = await find(c, name);
    const found = channelProperties(c.env.DB, c.var.caller.accountId, channelId);
    return c.json({ name, properties: await found }, 200, REVALIDATED);
  },
);

channels.operation(
  {
    method: 'delete',
    path: CHANNEL,
    operationId: 'deleteChannel',
    summary: 'Delete a channel',
    description: 'Its properties stay. A channel that readers have cannot be deleted: they would get all properties.',
    middleware: requireScope('readers:write'),
    limited: true,
    request: { params: byChannel },
    responses: { 204: empty('The channel is deleted.') },
    problems: {
      channel_not_found: NO_CHANNEL,
      channel_in_use: {
        description: 'the channel is in use.',
        detail: 'The channel "coast" is in use by: coastal.',
        request: AT_CHANNEL,
        when: 'a reader has the channel',
      },
    },
    examples: { deleted: { request: { path: { channel: 'inland' } }, when: 'the channel exists' } },
  },
  async (c) => {
    const { channel: name } = c.req.valid('param');
    const channelId = await find(c, name);
    const readers = await deleteChannel(c.env.DB, c.var.caller.accountId, channelId);
    if (readers.length === 0) return c.body(null, 204);
    const detail = `The channel ${JSON.stringify(name)} is in use by: ${readers.join(', ')}.`;
    throw new ProblemError({ code: 'channel_in_use', detail });
  },
);

/** Changes which properties are in a channel, and returns how many it has changed. */
async function assigning(c: Context<CallerEnv>, change: () => Promise<Assigned>) {
  try {
    const { changed, unknown } = await change();
    return { changed, unknown_properties: [...unknown] };
  } finally {
    // Even if D1 fails: the write may have been committed.
    invalidateFeeds(c.env, c.executionCtx, c.var.caller.accountId, Date.now());
  }
}

/**
 * The id of a channel of the account.
 *
 * @throws ProblemError the same for channels of other accounts as for those that do not exist
 */
async function find(c: Context<CallerEnv>, name: string): Promise<number> {
  const address = { accountId: c.var.caller.accountId, name };
  const id = await findChannelId(c.env.DB, address);
  if (id !== null) return id;
  throw new ProblemError({ code: 'channel_not_found', detail: `The account has no channel ${JSON.stringify(name)}.` });
}
