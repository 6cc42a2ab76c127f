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
import { byName, byNewName } from '../../http/schemas.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { existing, notFound, ProblemError } from '../../problem.ts';
import { channel, channelChangeBody, channelChanged, channelsPage } from './schemas.ts';

const CHANNELS = '/v1/channels';
const CHANNEL = `${CHANNELS}/{channel}` as const;
const CHANGE = json(channelChangeBody, 512 * 1024);
const READ = { middleware: requireScope('readers:read') };
const WRITE = { middleware: requireScope('readers:write'), limited: true } as const;

const params = byName('channel', 'coast');

/** Manages the channels of the account that the token belongs to. */
export const channels = new Api('Readers');

channels.write({
  method: 'post',
  path: `${CHANNEL}/add`,
  operationId: 'addToChannel',
  summary: 'Add properties to a channel',
  description: 'The channel is created if necessary. Readers with this channel get only its properties.',
  ...WRITE,
  request: { params: byNewName('channel', 'coast'), body: CHANGE },
  responses: { 200: ok(channelChanged, 'How many were added, and which do not exist.') },
  problems: {
    invalid_fields: {
      request: { body: { properties: [] } },
      errors: [{ pointer: '/properties', detail: 'must be an array of 1 to 1000 ids of properties' }],
    },
  },
  examples: {
    added: {
      request: { body: { properties: ['R4100001', 'R0'] } },
      body: { channel: 'coast', changed: 1, unknown_properties: ['R0'] },
    },
  },
  handle: async (c, { params: { channel: name }, body: { properties } }) => {
    const { accountId } = c.var.caller;
    return { body: await assigned(c, name, addToChannel(c.env.DB, { accountId, name }, properties)) };
  },
});

channels.write({
  method: 'post',
  path: `${CHANNEL}/remove`,
  operationId: 'removeFromChannel',
  summary: 'Remove properties from a channel',
  ...WRITE,
  request: { params, body: CHANGE },
  responses: { 200: ok(channelChanged, 'How many were removed, and which do not exist.') },
  examples: {
    removed: {
      request: { body: { properties: ['R4100001'] } },
      body: { channel: 'coast', changed: 1, unknown_properties: [] },
    },
  },
  handle: async (c, { params: { channel: name }, body: { properties } }) => {
    const channelId = await find(c, name);
    const removed = removeFromChannel(c.env.DB, c.var.caller.accountId, channelId, properties);
    return { body: await assigned(c, name, removed) };
  },
});

channels.list({
  path: CHANNELS,
  operationId: 'listChannels',
  summary: 'List channels',
  description: 'Ordered by name.',
  ...READ,
  responses: { 200: ok(channelsPage, 'The account’s channels.', 'Link') },
  examples: { channels: { body: { channels: [{ name: 'coast', properties: 0 }] } } },
  handle: async (c, _, after, limit) => {
    const found = await listChannels(c.env.DB, c.var.caller.accountId, after, limit);
    return found.map((one) => [one.name, one]);
  },
});

channels.read({
  path: CHANNEL,
  operationId: 'getChannel',
  summary: 'Get a channel',
  description: 'The ids of its properties.',
  ...READ,
  request: { params },
  responses: { 200: ok(channel, 'The channel.') },
  examples: { channel: { body: { name: 'coast', properties: [] } } },
  handle: async (c, { params: { channel: name } }) => {
    const channelId = await find(c, name);
    return { body: { name, properties: await channelProperties(c.env.DB, c.var.caller.accountId, channelId) } };
  },
});

channels.write({
  method: 'delete',
  path: CHANNEL,
  operationId: 'deleteChannel',
  summary: 'Delete a channel',
  description: 'Its properties stay. A channel that readers have cannot be deleted: they would get all properties.',
  ...WRITE,
  request: { params },
  responses: { 204: empty('The channel is deleted.') },
  problems: {
    channel_in_use: {
      description: 'the channel is in use.',
      detail: 'The channel "coast" is in use by: coastal.',
      request: {},
      when: 'a reader has the channel',
    },
  },
  examples: { deleted: { request: { path: { channel: 'inland' } }, when: 'the channel exists' } },
  handle: async (c, { params: { channel: name } }) => {
    const readers = await deleteChannel(c.env.DB, c.var.caller.accountId, await find(c, name));
    if (readers.length === 0) return {};
    const detail = `The channel ${JSON.stringify(name)} is in use by: ${readers.join(', ')}.`;
    throw new ProblemError({ code: 'channel_in_use', detail });
  },
});

/** What has changed in a channel. Even if D1 fails, the change may have been committed, and the feeds must show it. */
async function assigned(c: Context<CallerEnv>, name: string, change: Promise<Assigned>) {
  const { changed, unknown } = await change.finally(() =>
    invalidateFeeds(c.env, c.executionCtx, c.var.caller.accountId, Date.now()),
  );
  return { channel: name, changed, unknown_properties: [...unknown] };
}

/** @throws ProblemError if the account has no such channel */
async function find(c: Context<CallerEnv>, name: string): Promise<number> {
  const id = await findChannelId(c.env.DB, { accountId: c.var.caller.accountId, name });
  return existing(id, notFound('channel', name));
}
