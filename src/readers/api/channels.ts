import type { Context } from 'hono';
import { clientWriter } from '../../accounts/actor.ts';
import { serveCollection } from '../../api/collection.ts';
import { NOT_CACHED } from '../../api/headers.ts';
import { json, KIB, limitChanges } from '../../api/requests.ts';
import { body, clientChanges, error, errors, missing, newName, ok } from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { byName, byNewName } from '../../api/schemas.ts';
import { writeThenInvalidate } from '../../feed/invalidation/invalidate.ts';
import { type CallerEnv, withScope } from '../../oauth/bearer.ts';
import { existing, notFound, ProblemError } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import * as store from '../channels.ts';
import { channel, channelChangeBody, channelChanged, channelEntry } from './schemas.ts';

const WRITE = { tags: ['Readers'], ...withScope('readers:write') };
const CHANNELS = '/v1/channels';
const CHANNEL = `${CHANNELS}/{channel}` as const;

/** Maximum size of a body, in bytes. */
const MAX_BYTES = 512 * KIB;

const CHANGE_ERRORS = clientChanges('readers:write');
const BY_NAME = byName('channel', 'sea-views');

/** Manages the channels of the account that the token belongs to. */
export const channels = new Router();

channels.use(`${CHANNELS}/*`, serves('readers'));

const addToChannel = createRoute({
  method: 'post',
  path: `${CHANNEL}/add`,
  operationId: 'addToChannel',
  summary: 'Add properties to a channel',
  description:
    'The channel is created if necessary. Readers with this channel get only its properties.',
  ...WRITE,
  request: {
    params: byNewName('channel', 'sea-views'),
    body: json(channelChangeBody, MAX_BYTES, { added: { properties: ['R4100001', 'R0'] } }),
  },
  responses: {
    200: ok(channelChanged, 'How many were added, and which do not exist.', {
      examples: { added: { channel: 'sea-views', changed: 1, unknown_properties: ['R0'] } },
    }),
    ...errors(CHANGE_ERRORS, newName('channel'), body(MAX_BYTES)),
  },
});

channels.openapi(addToChannel, async (c) => {
  const { channel: name } = c.req.valid('param');
  const { properties } = c.req.valid('json');
  await limitChanges(c);
  const { accountId, actor } = clientWriter(c.var.caller);
  const change = store.addToChannel(c.env.DB, { accountId, name }, properties, actor);
  return c.json(await assigned(c, name, change), 200, NOT_CACHED);
});

const removeFromChannel = createRoute({
  method: 'post',
  path: `${CHANNEL}/remove`,
  operationId: 'removeFromChannel',
  summary: 'Remove properties from a channel',
  ...WRITE,
  request: {
    params: BY_NAME,
    body: json(channelChangeBody, MAX_BYTES, { removed: { properties: ['R4100001'] } }),
  },
  responses: {
    200: ok(channelChanged, 'How many were removed, and which do not exist.', {
      examples: { removed: { channel: 'sea-views', changed: 1, unknown_properties: [] } },
    }),
    ...errors(CHANGE_ERRORS, missing('channel'), body(MAX_BYTES)),
  },
});

channels.openapi(removeFromChannel, async (c) => {
  const { channel: name } = c.req.valid('param');
  const { properties } = c.req.valid('json');
  await limitChanges(c);
  const { accountId, actor } = clientWriter(c.var.caller);
  const id = await channelIdOf(c, name);
  const change = store.removeFromChannel(c.env.DB, accountId, id, properties, actor);
  return c.json(await assigned(c, name, change), 200, NOT_CACHED);
});

serveCollection(channels, {
  kind: 'channel',
  tag: 'Readers',
  scope: 'readers',
  list: {
    entry: channelEntry,
    examples: [{ name: 'sea-views', properties: 0 }],
    read: (c, after, limit) => store.listChannels(c.env.DB, c.var.caller.accountId, after, limit),
  },
  get: {
    description: 'The ids of its properties.',
    schema: channel,
    example: { name: 'sea-views', properties: [] },
    async read(c, name) {
      const id = await channelIdOf(c, name);
      const properties = await store.channelProperties(c.env.DB, c.var.caller.accountId, id);
      return { name, properties };
    },
  },
  delete: {
    description:
      'Its properties stay. A channel that readers use cannot be deleted: they would get all ' +
      'properties.',
    errors: [error('channel_in_use', 'the channel is in use.', inUse('sea-views', ['coastal']))],
    async remove(c, name) {
      const { accountId, actor } = clientWriter(c.var.caller);
      const id = await channelIdOf(c, name);
      const change = store.deleteChannel(c.env.DB, accountId, id, actor);
      const users = await writeThenInvalidate(c, accountId, change);
      if (users.length > 0)
        throw new ProblemError({ code: 'channel_in_use', detail: inUse(name, users) });
      return true;
    },
  },
});

function inUse(name: string, users: readonly string[]): string {
  return `The channel ${JSON.stringify(name)} is in use by: ${users.join(', ')}.`;
}

async function assigned(c: Context<CallerEnv>, name: string, change: Promise<store.Assigned>) {
  const { changed, unknown } = await writeThenInvalidate(c, c.var.caller.accountId, change);
  return { channel: name, changed, unknown_properties: [...unknown] };
}

/** @throws ProblemError if the account has no such channel */
async function channelIdOf(c: Context<CallerEnv>, name: string): Promise<number> {
  const address = { accountId: c.var.caller.accountId, name };
  return existing(await store.findChannelId(c.env.DB, address), notFound('channel', name));
}
