import { text } from 'node:stream/consumers';
import {
  type Assigned,
  addToChannel,
  channelProperties,
  deleteChannel,
  findChannelId,
  listChannels,
  removeFromChannel,
} from '../../db/channels.ts';
import type { Env } from '../../env.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { ACCOUNT, type AccountArguments, inAccount, notFound } from '../command/account.ts';
import { command, group } from '../command/command.ts';
import { EXIT, Failure, usageFailure } from '../command/failure.ts';
import { count, table } from '../command/print.ts';

/** Properties of one statement. */
const AT_ONCE = 1_000;

/** The positional argument that names a channel. */
const CHANNEL = { type: 'string', demandOption: true, describe: "The channel's name" } as const;

type ChannelArguments = Pick<AccountArguments, 'account' | 'remote'> & { readonly channel: string };

/**
 * The id of a channel of an account.
 *
 * @throws Failure `no_channel` if there is none
 */
export async function channelOf(env: Env, accountId: number, args: ChannelArguments): Promise<number> {
  const id = await findChannelId(env.DB, { accountId, name: args.channel.toLowerCase() });
  if (id === null) throw notFound('channel', args.channel, args);
  return id;
}

/** Assigns properties to a channel, or ends their assignment. */
type Assign = (identifiers: readonly string[]) => Promise<Assigned>;

const addToChannelCommand = assignment(
  { verb: 'add', done: 'Added', preposition: 'to' },
  'Add properties to a channel, which is created if necessary; feeds show it within a second',
  async ({ DB }, accountId, { channel }) => {
    const name = channel.toLowerCase();
    if (!isShortName(name)) throw usageFailure(`Invalid name: "${channel}". It must be ${SHORT_NAME_RULE}.`);
    return (identifiers) => addToChannel(DB, { accountId, name }, identifiers);
  },
);

const removeFromChannelCommand = assignment(
  { verb: 'remove', done: 'Removed', preposition: 'from' },
  'Remove properties from a channel; feeds show it within a second',
  async (env, accountId, args) => {
    const channelId = await channelOf(env, accountId, args);
    return (identifiers) => removeFromChannel(env.DB, accountId, channelId, identifiers);
  },
);

function assignment(
  { verb, done, preposition }: Readonly<Record<'verb' | 'done' | 'preposition', string>>,
  describe: string,
  prepare: (env: Env, accountId: number, args: ChannelArguments) => Promise<Assign>,
) {
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
      const { changed, unknown } = await inAccount(context, args, async (env, accountId) => {
        return inSteps(ids, await prepare(env, accountId, args));
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

async function inSteps(ids: readonly string[], assign: Assign): Promise<Assigned> {
  let changed = 0;
  const unknown: string[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const step = await assign(ids.slice(start, start + AT_ONCE));
    changed += step.changed;
    unknown.push(...step.unknown);
  }
  return { changed, unknown };
}

async function linesOf(input: AsyncIterable<Uint8Array>): Promise<string[]> {
  return (await text(input))
    .split('\n')
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
    const channels = await inAccount(context, args, (env, accountId) =>
      listChannels(env.DB, accountId, null, MAX_CHANNELS),
    );
    const rows = channels.map(({ name, properties }) => [name, properties]);
    return { json: { channels }, text: table(['CHANNEL', 'PROPERTIES'], rows) };
  },
});

const showChannelCommand = command({
  command: 'show <channel>',
  describe: 'Print the ids of the properties of a channel, one on each line',
  examples: [['channel show idealista --account COSTA > ids.txt', 'To be edited, and read by channel add --stdin']],
  positionals: { channel: CHANNEL },
  options: { account: ACCOUNT },
  async run(args, context) {
    const properties = await inAccount(context, args, async (env, accountId) =>
      channelProperties(env.DB, accountId, await channelOf(env, accountId, args)),
    );
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
    const readers = await inAccount(context, args, async (env, accountId) =>
      deleteChannel(env.DB, accountId, await channelOf(env, accountId, args)),
    );
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
