import { clientWriter } from '../../accounts/actor.ts';
import { ok } from '../../api/operation.ts';
import { type Caller, Resource } from '../../api/resource.ts';
import type { Address } from '../../db/statements.ts';
import { writeThenInvalidate } from '../../feed/invalidation/invalidate.ts';
import { existing, notFound, ProblemError } from '../../problem.ts';
import * as store from '../channels.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { channel, channelChangeBody, channelChanged, channelEntry } from './schemas.ts';

/** Manages the channels of the account that the token belongs to. */
export const channels = new Resource(
  'Readers',
  {
    kind: 'channel',
    scope: 'readers',
    schema: channel,
    example: { name: 'coast', properties: [] },
    entry: { schema: channelEntry, example: { name: 'coast', properties: 0 } },
    contents: 'The ids of its properties.',
    list: ({ env }, account, after, limit) => store.listChannels(env.DB, account, after, limit),
    find: async ({ env }, address) => {
      const id = await store.findChannelId(env.DB, address);
      if (id === null) return null;
      return {
        name: address.name,
        properties: await store.channelProperties(env.DB, address.accountId, id),
      };
    },
    remove: async (c, address) => {
      const { accountId, actor } = clientWriter(c.var.caller);
      const deletion = store.deleteChannel(
        c.env.DB,
        accountId,
        await channelIdOf(c, address),
        actor,
      );
      const readers = await writeThenInvalidate(c, accountId, deletion);
      if (readers.length === 0) return true;
      const detail = `The channel ${JSON.stringify(address.name)} is in use by: ${readers.join(', ')}.`;
      throw new ProblemError({ code: 'channel_in_use', detail });
    },
  },
  EXAMPLES,
);

channels.action('add', {
  operationId: 'addToChannel',
  summary: 'Add properties to a channel',
  description:
    'The channel is created if necessary. Readers with this channel get only its properties.',
  creates: true,
  body: channelChangeBody,
  maxBytes: 512 * 1024,
  responses: { 200: ok(channelChanged, 'How many were added, and which do not exist.') },
  handle: (c, address, { properties }) => {
    const { actor } = clientWriter(c.var.caller);
    return assigned(c, address, store.addToChannel(c.env.DB, address, properties, actor));
  },
});

channels.action('remove', {
  operationId: 'removeFromChannel',
  summary: 'Remove properties from a channel',
  body: channelChangeBody,
  maxBytes: 512 * 1024,
  responses: { 200: ok(channelChanged, 'How many were removed, and which do not exist.') },
  handle: async (c, address, { properties }) => {
    const { accountId, actor } = clientWriter(c.var.caller);
    const id = await channelIdOf(c, address);
    return assigned(
      c,
      address,
      store.removeFromChannel(c.env.DB, accountId, id, properties, actor),
    );
  },
});

channels.reads();

channels.deletes({
  description:
    'Its properties stay. A channel that readers use cannot be deleted: they would get all properties.',
});

async function assigned(c: Caller, { accountId, name }: Address, change: Promise<store.Assigned>) {
  const { changed, unknown } = await writeThenInvalidate(c, accountId, change);
  return { body: { channel: name, changed, unknown_properties: [...unknown] } };
}

/** @throws ProblemError if the account has no such channel */
async function channelIdOf(c: Caller, address: Address): Promise<number> {
  return existing(await store.findChannelId(c.env.DB, address), notFound('channel', address.name));
}
