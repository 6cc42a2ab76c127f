import { text } from 'node:stream/consumers';
import * as channels from '../../db/readers/channels.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { accountCommand, commandOn, group, type Scope } from '../command/command.ts';
import { EXIT, Failure, usageFailure } from '../command/failure.ts';
import { flag, texts } from '../command/options.ts';
import { count, list } from '../command/print.ts';

/** Maximum number of channels that are listed; an account has a handful. */
const MAX_CHANNELS = 10_000;

export async function channelOf({ db, accountId, existing }: Scope, name: string): Promise<number> {
  return existing(await channels.findChannelId(db, { accountId, name }), 'channel', name);
}

function assignment(verb: 'add' | 'remove', describe: string, done: string) {
  return accountCommand({
    command: `${verb} <channel>`,
    describe,
    options: { property: texts('The ids of properties'), stdin: flag('Read ids from standard input, one per line') },
    async run({ property = [], stdin, channel }, scope) {
      const { db, accountId } = scope;
      const lines = stdin ? (await text(scope.context.input)).split('\n').map((line) => line.trim()) : [];
      const ids = [...property, ...lines.filter((line) => line !== '')];
      if (ids.length === 0) throw usageFailure('No property is named: use --property or --stdin.');
      if (verb === 'add' && !isShortName(channel)) {
        throw usageFailure(`Invalid name: "${channel}". It must be ${SHORT_NAME_RULE}.`);
      }
      const { changed, unknown } = await (verb === 'add'
        ? channels.addToChannel(db, { accountId, name: channel }, ids, { kind: 'operator' })
        : channels.removeFromChannel(db, accountId, await channelOf(scope, channel), ids, { kind: 'operator' }));
      const missing = unknown.map((property) => `Property not found: ${property}\n`).join('');
      return {
        json: { channel, changed, unknown_properties: unknown },
        text: `${done.replace('…', count(changed, 'property', 'properties'))} channel ${channel}.\n${missing}`,
        exit: unknown.length === 0 ? EXIT.ok : EXIT.warnings,
      };
    },
  });
}

export const channel = group('channel', 'Manage channels: which properties a reader gets', [
  assignment(
    'add',
    'Add properties to a channel, which is created if necessary; feeds show it within a second',
    'Added … to',
  ),
  assignment('remove', 'Remove properties from a channel; feeds show it within a second', 'Removed … from'),
  accountCommand({
    command: 'list',
    describe: "List an account's channels and how many properties each has",
    run: async (_, { db, accountId }) =>
      list('channels', await channels.listChannels(db, accountId, null, MAX_CHANNELS), ['name', 'properties']),
  }),
  commandOn('show', 'channel', 'Print the ids of the properties in a channel, one per line', async (scope, channel) => {
    const properties = await channels.channelProperties(scope.db, scope.accountId, await channelOf(scope, channel));
    return { json: { channel, properties }, text: properties.map((id) => `${id}\n`).join('') };
  }),
  commandOn('delete', 'channel', 'Delete a channel without readers; its properties remain', async (scope, channel) => {
    const readers = await channels.deleteChannel(scope.db, scope.accountId, await channelOf(scope, channel), {
      kind: 'operator',
    });
    if (readers.length === 0) return { json: { channel, deleted: true } };
    const remedy = 'Move them to another channel with reader update, or delete them.';
    throw new Failure('channel_in_use', `The channel ${channel} is in use by: ${readers.join(', ')}. ${remedy}`);
  }),
]);
