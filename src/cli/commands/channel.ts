import { text } from 'node:stream/consumers';
import {
  type Assigned,
  addToChannel,
  channelProperties,
  deleteChannel,
  findChannelId,
  listChannels,
  removeFromChannel,
} from '../../db/readers/channels.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { accountCommand, type Scope } from '../command/account.ts';
import { group } from '../command/command.ts';
import { EXIT, Failure, usageFailure } from '../command/failure.ts';
import { flag, texts } from '../command/options.ts';
import { count, list } from '../command/print.ts';

const AT_ONCE = 1_000;

/** Maximum number of channels that are listed; an account has a handful. */
const MAX_CHANNELS = 10_000;

/** The id of a channel of an account. */
export async function channelOf({ db, accountId, notFound }: Scope, channel: string): Promise<number> {
  const id = await findChannelId(db, { accountId, name: channel.toLowerCase() });
  if (id === null) throw notFound('channel', channel);
  return id;
}

/** Assigns properties to a channel, or ends their assignment. */
type Assign = (identifiers: readonly string[]) => Promise<Assigned>;

/** @param done what the command has done, around the number of properties */
function assignment(
  verb: 'add' | 'remove',
  describe: string,
  [done, preposition]: readonly [string, string],
  prepare: (scope: Scope, channel: string) => Promise<Assign>,
) {
  return accountCommand({
    command: `${verb} <channel>`,
    describe,
    options: {
      property: texts('The ids of properties'),
      stdin: flag('Read ids from the standard input, one on each line'),
    },
    async run({ property = [], stdin, channel }, scope) {
      const ids = [...property, ...(stdin ? await linesOf(scope.context.input) : [])];
      if (ids.length === 0) throw usageFailure('No property is named: use --property or --stdin.');
      const assign = await prepare(scope, channel);
      const steps: Assigned[] = [];
      for (let start = 0; start < ids.length; start += AT_ONCE) {
        steps.push(await assign(ids.slice(start, start + AT_ONCE)));
      }
      const changed = steps.reduce((sum, step) => sum + step.changed, 0);
      const unknown = steps.flatMap((step) => step.unknown);
      const name = channel.toLowerCase();
      const missing = unknown.map((id) => `Property not found: ${id}\n`).join('');
      return {
        json: { channel: name, changed, unknown_properties: unknown },
        text: `${done} ${count(changed, 'property', 'properties')} ${preposition} channel ${name}.\n${missing}`,
        exit: unknown.length === 0 ? EXIT.ok : EXIT.warnings,
      };
    },
  });
}

async function linesOf(input: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines = (await text(input)).split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

export const channel = group('channel', 'Manage channels: which properties a reader gets', [
  assignment(
    'add',
    'Add properties to a channel, which is created if necessary; feeds show it within a second',
    ['Added', 'to'],
    async ({ db, accountId }, channel) => {
      const name = channel.toLowerCase();
      if (!isShortName(name)) throw usageFailure(`Invalid name: "${channel}". It must be ${SHORT_NAME_RULE}.`);
      return (identifiers) => addToChannel(db, { accountId, name }, identifiers);
    },
  ),
  assignment(
    'remove',
    'Remove properties from a channel; feeds show it within a second',
    ['Removed', 'from'],
    async (scope, channel) => {
      const channelId = await channelOf(scope, channel);
      return (identifiers) => removeFromChannel(scope.db, scope.accountId, channelId, identifiers);
    },
  ),
  accountCommand({
    command: 'list',
    describe: "List an account's channels with their numbers of properties",
    run: async (_, { db, accountId }) =>
      list('channels', await listChannels(db, accountId, null, MAX_CHANNELS), {
        CHANNEL: ({ name }) => name,
        PROPERTIES: ({ properties }) => properties,
      }),
  }),
  accountCommand({
    command: 'show <channel>',
    describe: 'Print the ids of the properties of a channel, one on each line',
    async run({ channel }, scope) {
      const properties = await channelProperties(scope.db, scope.accountId, await channelOf(scope, channel));
      const json = { channel: channel.toLowerCase(), properties };
      return { json, text: properties.map((id) => `${id}\n`).join('') };
    },
  }),
  accountCommand({
    command: 'delete <channel>',
    describe: 'Delete a channel that no reader has; its properties stay',
    async run({ channel }, scope) {
      const name = channel.toLowerCase();
      const readers = await deleteChannel(scope.db, scope.accountId, await channelOf(scope, channel));
      if (readers.length === 0) return { json: { channel: name, deleted: true }, text: `Deleted channel ${name}.\n` };
      throw new Failure(
        'channel_in_use',
        `The channel ${name} is in use by: ${readers.join(', ')}. Move them to another channel with reader update, or ` +
          'delete them.',
      );
    },
  }),
]);
