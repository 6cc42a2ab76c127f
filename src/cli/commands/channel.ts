import {
  type Assigned,
  addToChannel,
  channelProperties,
  deleteChannel,
  listChannels,
  openChannel,
  removeFromChannel,
} from '../../db/channels.ts';
import type { Env } from '../../env.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { ACCOUNT, accountOf, command, group, withEnv } from '../command/command.ts';
import type { Target } from '../command/context.ts';
import { EXIT, Failure, usageFailure } from '../command/failure.ts';
import { count, table } from '../command/print.ts';
import { CHANNEL, channelOf } from './channel-option.ts';

/** Properties of one statement. */
const AT_ONCE = 1_000;

const addToChannelCommand = assignment(
  'add',
  'Add properties to a channel, which is created if necessary; feeds show it within a second',
  'to',
  async (env, accountId, args) => {
    const name = args.channel.toLowerCase();
    if (!isShortName(name)) throw usageFailure(`Invalid name: "${args.channel}". It must be ${SHORT_NAME_RULE}.`);
    const channelId = await openChannel(env.DB, { accountId, name });
    return (ids) => addToChannel(env.DB, accountId, channelId, ids);
  },
);

const removeFromChannelCommand = assignment(
  'remove',
  'Remove properties from a channel; feeds show it within a second',
  'from',
  async (env, accountId, args) => {
    const channelId = await channelOf(env, accountId, args);
    return (ids) => removeFromChannel(env.DB, accountId, channelId, ids);
  },
);

type Change = (identifiers: readonly string[]) => Promise<Assigned>;

function assignment(
  verb: 'add' | 'remove',
  describe: string,
  preposition: string,
  prepare: (
    env: Env,
    accountId: number,
    args: { account: string; channel: string } & Pick<Target, 'remote'>,
  ) => Promise<Change>,
) {
  const done = verb === 'add' ? 'Added' : 'Removed';
  return command({
    command: `${verb} <channel>`,
    describe,
    examples: [
      [`channel ${verb} idealista --account COSTA --property R1 R2`, `Two properties`],
      [`channel ${verb} idealista --account COSTA --stdin < ids.txt`, 'Those of a file with an id on each line'],
    ],
    positionals: { channel: CHANNEL },
    options: {
      account: ACCOUNT,
      property: { type: 'string', array: true, requiresArg: true, describe: 'The ids of properties' },
      stdin: { type: 'boolean', default: false, describe: 'Read ids from the standard input, one on each line' },
    },
    async run(args, context) {
      const ids = [...(args.property ?? []), ...(args.stdin ? await linesOf(context.input) : [])];
      if (ids.length === 0) throw usageFailure('No property is named: use --property or --stdin.');
      const { changed, unknown } = await withEnv(context, args, async (env) => {
        const change = await prepare(env, await accountOf(env, args.account, args), args);
        return inSteps(ids, change);
      });
      const name = args.channel.toLowerCase();
      const missing = unknown.map((id) => `Property not found: ${id}\n`).join('');
      return {
        json: { channel: name, changed, unknown_properties: unknown },
        text: `${done} ${count(changed, 'property', 'properties')} ${preposition} channel ${name}.\n${missing}`,
        exit: unknown.length === 0 ? EXIT.ok : EXIT.warnings,
      };
    },
  });
}

async function inSteps(ids: readonly string[], change: Change): Promise<Assigned> {
  let changed = 0;
  const unknown: string[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const step = await change(ids.slice(start, start + AT_ONCE));
    changed += step.changed;
    unknown.push(...step.unknown);
  }
  return { changed, unknown };
}

async function linesOf(input: AsyncIterable<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) text += decoder.decode(chunk, { stream: true });
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Channels of one account, which has a handful. */
const MAX_CHANNELS = 10_000;

const listChannelsCommand = command({
  command: 'list',
  describe: "List an account's channels with their numbers of properties",
  examples: [['channel list --account COSTA', 'The channels of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const channels = await withEnv(context, args, async (env) =>
      listChannels(env.DB, await accountOf(env, args.account, args), null, MAX_CHANNELS),
    );
    return {
      json: { channels },
      text: table(
        ['CHANNEL', 'PROPERTIES'],
        channels.map(({ name, properties }) => [name, properties]),
      ),
    };
  },
});

const showChannelCommand = command({
  command: 'show <channel>',
  describe: 'Print the ids of the properties of a channel, one on each line',
  examples: [['channel show idealista --account COSTA > ids.txt', 'To be edited, and read by channel add --stdin']],
  positionals: { channel: CHANNEL },
  options: { account: ACCOUNT },
  async run(args, context) {
    const properties = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      return channelProperties(env.DB, accountId, await channelOf(env, accountId, args));
    });
    const name = args.channel.toLowerCase();
    return { json: { channel: name, properties }, text: properties.map((id) => `${id}\n`).join('') };
  },
});

const deleteChannelCommand = command({
  command: 'delete <channel>',
  describe: 'Delete a channel that no reader has; its properties stay',
  examples: [['channel delete idealista --account COSTA', 'Delete the channel idealista']],
  positionals: { channel: CHANNEL },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.channel.toLowerCase();
    const readers = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      return deleteChannel(env.DB, accountId, await channelOf(env, accountId, args));
    });
    if (readers.length > 0) {
      throw new Failure(
        'channel_in_use',
        `The channel ${name} is in use by: ${readers.join(', ')}. Move them to another channel with reader update, or delete them.`,
      );
    }
    return { json: { channel: name, deleted: true }, text: `Deleted channel ${name}.\n` };
  },
});

export const channel = group('channel', 'Manage channels: which properties a reader gets', [
  addToChannelCommand,
  removeFromChannelCommand,
  listChannelsCommand,
  showChannelCommand,
  deleteChannelCommand,
]);
