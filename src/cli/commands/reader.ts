import { readerPolicyOf } from '../../db/accounts.ts';
import { listDeliveries } from '../../db/deliveries.ts';
import { createReader, deleteReader, findReader, listReaders, setReaderDisabled } from '../../db/readers.ts';
import { MAX_READERS } from '../../deliveries/holding.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { changedPolicy, policyIn } from '../../portfolio/policy.ts';
import { changeReader } from '../../readers/change-reader.ts';
import { newReader } from '../../readers/new-reader.ts';
import { feedView, readerView, readerViews } from '../../readers/view.ts';
import { ACCOUNT, change, inAccount, notFound, toggles } from '../command/account.ts';
import { command, group } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { POLICY, policyGiven } from '../command/policy.ts';
import { count, table } from '../command/print.ts';
import { channelOf } from './channel.ts';
import { keyShown, ORIGIN, originOf, READER, revokeReaderKeys, rotateReader } from './reader-key.ts';

const PRESET = {
  type: 'string',
  requiresArg: true,
  describe: 'Feed parameters that apply unless a request gives others, as a query',
} as const;

/** The failure of a command with an invalid preset. */
function presetFailure(errors: readonly ParameterError[]): Failure {
  return usageFailure(`--preset: ${errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ')}`);
}

function presetText({ preset, fixed }: { readonly preset: string; readonly fixed: boolean }): string {
  return `${preset || 'none'}${fixed ? ' (fixed)' : ''}`;
}

function stateText({ disabled, late }: { readonly disabled: boolean; readonly late: boolean }): string {
  if (disabled) return 'disabled';
  return late ? 'late' : 'enabled';
}

function secondsOf({ now }: Context): number {
  return Math.floor(now().getTime() / 1_000);
}

const createReaderCommand = command({
  command: 'create <reader>',
  describe: "Create a reader for an account's feed, and show its key once",
  examples: [
    ['reader create idealista --account COSTA', 'A key for the portal idealista'],
    [
      'reader create idealista --account COSTA --preset "FV=3&Language=1,2&T=SALE" --fixed',
      'The same, and it gets this feed only',
    ],
  ],
  positionals: {
    reader: { type: 'string', demandOption: true, describe: `The reader's name: ${SHORT_NAME_RULE}` },
  },
  options: {
    account: ACCOUNT,
    preset: { ...PRESET, default: '', defaultDescription: 'none' },
    channel: { type: 'string', requiresArg: true, describe: 'The channel whose properties it gets; all by default' },
    fixed: { type: 'boolean', default: false, describe: 'Requests must not contradict the preset' },
    ...POLICY,
    origin: ORIGIN,
  },
  async run(args, context) {
    const { preset, fixed, channel } = args;
    const name = args.reader.toLowerCase();
    if (!isShortName(name)) throw usageFailure(`Invalid name: "${args.reader}". It must be ${SHORT_NAME_RULE}.`);
    if (fixed && preset === '') throw usageFailure('--fixed requires --preset.');
    const origin = await originOf(args, context);
    const key = await inAccount(context, args, async (env, accountId) => {
      const channelId = channel === undefined ? null : await channelOf(env, accountId, { ...args, channel });
      const policy = changedPolicy(await readerPolicyOf(env.DB, accountId), policyGiven(args));
      const created = newReader({ accountId, name, preset, fixed, channelId, policy });
      if ('errors' in created) throw presetFailure(created.errors);
      if (!(await createReader(env.DB, created.reader))) {
        throw new Failure('reader_in_use', `Account ${args.account.toUpperCase()} already has a reader ${name}.`);
      }
      return created.key;
    });
    return keyShown(origin, args.account, name, key);
  },
});

const listReadersCommand = command({
  command: 'list',
  describe: "List an account's readers with their last requests and deliveries, and which of them are late",
  examples: [['reader list --account COSTA', 'The readers of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const readers = await inAccount(context, args, async (env, accountId) => {
      const found = await listReaders(env.DB, accountId, null, MAX_READERS);
      return readerViews(env.DB, accountId, found, secondsOf(context));
    });
    const headings = ['READER', 'PRESET', 'CHANNEL', 'KEYS', 'LAST SEEN', 'LAST DELIVERY', 'STATE'];
    const rows = readers.map((reader) => [
      ...[reader.name, presetText(reader), reader.channel ?? 'none', reader.keys],
      ...[reader.last_visit_at ?? 'never', reader.last_delivery_at ?? 'never', stateText(reader)],
    ]);
    return { json: { readers }, text: table(headings, rows) };
  },
});

/** Days of which the text has the counts; the JSON document has all. */
const SHOWN_DAYS = 7;

const showReaderCommand = command({
  command: 'show <reader>',
  describe: 'Show a reader, and what it was given of each feed: last delivery, last request, counts by day',
  examples: [['reader show idealista --account COSTA', 'When idealista last fetched the feed']],
  positionals: { reader: READER.positional },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const { reader, deliveries } = await inAccount(context, args, async (env, accountId) => ({
      reader: await findReader(env.DB, { accountId, name }),
      deliveries: await listDeliveries(env.DB, accountId, [name]),
    }));
    if (reader === null) throw notFound('reader', args.reader, args);
    const view = readerView(reader, deliveries, secondsOf(context));
    const feeds = deliveries.map(feedView);
    const lines = [
      ['reader', view.name],
      ['preset', presetText(view)],
      ['channel', view.channel ?? 'none'],
      ['withheld', view.withhold.join(', ') || 'nothing'],
      ['place', view.place],
      ['keys', count(view.keys, 'key')],
      ['last seen', view.last_visit_at ?? 'never'],
      ['usual interval', view.usual_interval === null ? 'unknown' : count(view.usual_interval, 'second')],
      ['state', stateText(view)],
    ].map(([label, value]) => `${`${label}:`.padEnd(16)}${value}\n`);
    return { json: { ...view, feeds }, text: lines.join('') + feeds.map(feedText).join('') };
  },
});

function feedText({ feed, last_delivery: last, last_visit_at, days }: ReturnType<typeof feedView>): string {
  const delivery =
    last === null
      ? 'never'
      : `${last.at}, ${last.status}, ${count(last.bytes, 'byte')}, ${last.origin}, revisions ${last.sale_revision ?? '-'}/${last.rental_revision ?? '-'}`;
  const counts = table(
    ['  DAY', 'FULL', 'NOT MODIFIED'],
    days.slice(0, SHOWN_DAYS).map(({ date, full, not_modified }) => [`  ${date}`, full, not_modified]),
  );
  return `\n${feed}\n  last delivery: ${delivery}\n  last seen:     ${last_visit_at}\n${counts}`;
}

const updateReaderCommand = command({
  command: 'update <reader>',
  describe: 'Change the preset or the channel of a reader; its feed shows it within a second, its keys stay',
  examples: [
    ['reader update idealista --account COSTA --preset "FV=3&T=SALE" --fixed', 'From now on this feed only'],
    ['reader update idealista --account COSTA --no-channel', 'From now on all properties'],
  ],
  positionals: { reader: READER.positional },
  options: {
    account: ACCOUNT,
    preset: { ...PRESET, describe: `${PRESET.describe}; "" for none` },
    channel: {
      type: 'string',
      requiresArg: true,
      describe: 'The channel whose properties it gets; --no-channel for all',
    },
    fixed: { type: 'boolean', describe: 'Requests must not contradict the preset; --no-fixed if they may' },
    ...POLICY,
  },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const { preset, fixed } = args;
    // yargs turns --no-channel into false.
    const channel = args.channel as string | false | undefined;
    const policy = policyGiven(args);
    if ([preset, fixed, channel, policy.withhold, policy.place].every((given) => given === undefined)) {
      throw usageFailure('Nothing to change: use --preset, --fixed, --channel, --no-channel, --withhold or --place.');
    }
    const reader = await inAccount(context, args, async (env, accountId) => {
      const address = { accountId, name };
      const result = await changeReader(env.DB, address, {
        ...(preset === undefined ? {} : { preset }),
        ...(fixed === undefined ? {} : { fixed }),
        ...policy,
        ...(channel === undefined
          ? {}
          : { channelId: channel === false ? null : await channelOf(env, accountId, { ...args, channel }) }),
      });
      if (result === 'nothing is fixed') throw usageFailure('--fixed requires a preset.');
      if (typeof result === 'object') throw presetFailure(result.errors);
      const found = result === 'not found' ? null : await findReader(env.DB, address);
      if (found === null) throw notFound('reader', args.reader, args);
      return found;
    });
    return {
      json: {
        reader: name,
        preset: reader.preset,
        fixed: reader.fixed,
        channel: reader.channel,
        ...policyIn(reader.policy),
      },
      text: `Reader ${name} now has the preset ${presetText(reader)} and the channel ${reader.channel ?? 'none'}.\n`,
    };
  },
});

export const reader = group('reader', 'Manage readers: portals that fetch a feed, each with a key of its own', [
  createReaderCommand,
  listReadersCommand,
  showReaderCommand,
  updateReaderCommand,
  rotateReader,
  revokeReaderKeys,
  ...toggles(
    READER,
    { disable: 'Disable a reader; its keys are rejected within a second', enable: 'Enable a disabled reader' },
    (env, accountId, name, disabled) => setReaderDisabled(env.DB, { accountId, name }, disabled),
  ),
  change(
    READER,
    {
      verb: 'delete',
      describe: 'Delete a reader and its keys, which are rejected within a second',
      example: 'Delete the reader idealista',
    },
    (env, accountId, name) => deleteReader(env.DB, { accountId, name }),
    (name) => ({ json: { reader: name, deleted: true }, text: `Deleted reader ${name}.\n` }),
  ),
]);
