import { listDeliveries } from '../../db/deliveries.ts';
import { createReader, deleteReader, findReader, listReaders, setReaderDisabled } from '../../db/readers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { changeReader } from '../../readers/change-reader.ts';
import { newReader } from '../../readers/new-reader.ts';
import { feedView, MAX_READERS, readerView, readerViews } from '../../readers/view.ts';
import { ACCOUNT, accountOf, command, group, withEnv } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { count, table } from '../command/print.ts';
import { channelOf } from './channel-option.ts';

import { keyShown, noReader, ORIGIN, originOf, READER, revokeReaderKeys, rotateReader } from './reader-key.ts';

/** The failure of a command with an invalid preset. */
function presetFailure(errors: readonly ParameterError[]): Failure {
  return usageFailure(`--preset: ${errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ')}`);
}

/** A preset as text. */
function presetText({ preset, fixed }: { readonly preset: string; readonly fixed: boolean }): string {
  return `${preset || 'none'}${fixed ? ' (fixed)' : ''}`;
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
    preset: {
      type: 'string',
      requiresArg: true,
      default: '',
      defaultDescription: 'none',
      describe: 'Feed parameters that apply unless a request gives others, as a query',
    },
    channel: { type: 'string', requiresArg: true, describe: 'The channel whose properties it gets; all by default' },
    fixed: { type: 'boolean', default: false, describe: 'Requests must not contradict the preset' },
    origin: ORIGIN,
  },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    if (!isShortName(name)) throw usageFailure(`Invalid name: "${args.reader}". It must be ${SHORT_NAME_RULE}.`);
    if (args.fixed && args.preset === '') throw usageFailure('--fixed requires --preset.');
    const origin = await originOf(args, context);
    const key = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const channelId =
        args.channel === undefined ? null : await channelOf(env, accountId, { ...args, channel: args.channel });
      const created = newReader({ accountId, name, preset: args.preset, fixed: args.fixed, channelId });
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
  describe: "List an account's readers with their last visits and deliveries, and which of them are late",
  examples: [['reader list --account COSTA', 'The readers of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const readers = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const found = await listReaders(env.DB, accountId, null, MAX_READERS);
      return readerViews(env.DB, accountId, found, Math.floor(context.now().getTime() / 1_000));
    });
    return {
      json: { readers },
      text: table(
        ['READER', 'PRESET', 'CHANNEL', 'KEYS', 'LAST VISIT', 'LAST DELIVERY', 'STATE'],
        readers.map(({ name, keys, channel, last_visit_at, last_delivery_at, disabled, late, ...preset }) => [
          name,
          presetText(preset),
          channel ?? 'none',
          keys,
          last_visit_at ?? 'never',
          last_delivery_at ?? 'never',
          disabled ? 'disabled' : late ? 'late' : 'enabled',
        ]),
      ),
    };
  },
});

/** Days of which the text has the counts; the JSON document has all. */
const SHOWN_DAYS = 7;

const showReaderCommand = command({
  command: 'show <reader>',
  describe: 'Show a reader, and what it was given of each feed: last delivery, last visit, counts by day',
  examples: [['reader show idealista --account COSTA', 'When idealista last fetched the feed']],
  positionals: { reader: READER },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const { reader, deliveries } = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const found = await findReader(env.DB, { accountId, name });
      if (found === null) throw noReader(args);
      return { reader: found, deliveries: await listDeliveries(env.DB, accountId, [name]) };
    });
    const view = readerView(reader, deliveries, Math.floor(context.now().getTime() / 1_000));
    const feeds = deliveries.map(feedView);
    const state = view.disabled ? 'disabled' : view.late ? 'late' : 'enabled';
    const lines = [
      ['reader', view.name],
      ['preset', presetText(view)],
      ['channel', view.channel ?? 'none'],
      ['keys', count(view.keys, 'key')],
      ['last visit', view.last_visit_at ?? 'never'],
      ['usual interval', view.usual_interval === null ? 'unknown' : count(view.usual_interval, 'second')],
      ['state', state],
    ].map(
      ([label, value]) => `${`${label}:`.padEnd(16)}${value}
`,
    );
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
  return `
${feed}
  last delivery: ${delivery}
  last visit:    ${last_visit_at}
${counts}`;
}

const updateReaderCommand = command({
  command: 'update <reader>',
  describe: 'Change the preset or the channel of a reader; its feed shows it within a second, its keys stay',
  examples: [
    ['reader update idealista --account COSTA --preset "FV=3&T=SALE" --fixed', 'From now on this feed only'],
    ['reader update idealista --account COSTA --no-channel', 'From now on all properties'],
  ],
  positionals: { reader: READER },
  options: {
    account: ACCOUNT,
    preset: {
      type: 'string',
      requiresArg: true,
      describe: 'Feed parameters that apply unless a request gives others, as a query; "" for none',
    },
    channel: {
      type: 'string',
      requiresArg: true,
      describe: 'The channel whose properties it gets; --no-channel for all',
    },
    fixed: { type: 'boolean', describe: 'Requests must not contradict the preset; --no-fixed if they may' },
  },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const { preset, fixed } = args;
    // yargs turns --no-channel into false.
    const channel = args.channel as string | false | undefined;
    if (preset === undefined && fixed === undefined && channel === undefined) {
      throw usageFailure('Nothing to change: use --preset, --fixed, --channel, or --no-channel.');
    }
    const reader = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const address = { accountId, name };
      const result = await changeReader(env.DB, address, {
        ...(preset === undefined ? {} : { preset }),
        ...(fixed === undefined ? {} : { fixed }),
        ...(channel === undefined
          ? {}
          : { channelId: channel === false ? null : await channelOf(env, accountId, { ...args, channel }) }),
      });
      if (result === 'nothing is fixed') throw usageFailure('--fixed requires a preset.');
      if (typeof result === 'object') throw presetFailure(result.errors);
      const found = result === 'not found' ? null : await findReader(env.DB, address);
      if (found === null) throw noReader(args);
      return found;
    });
    return {
      json: { reader: name, preset: reader.preset, fixed: reader.fixed, channel: reader.channel },
      text: `Reader ${name} now has the preset ${presetText(reader)} and the channel ${reader.channel ?? 'none'}.\n`,
    };
  },
});

const disableReader = toggle('disable', true, 'Disable a reader; its keys are rejected within a second');

const enableReader = toggle('enable', false, 'Enable a disabled reader');

function toggle(verb: string, disabled: boolean, describe: string) {
  return command({
    command: `${verb} <reader>`,
    describe,
    examples: [
      [`reader ${verb} idealista --account COSTA`, `${verb === 'disable' ? 'Disable' : 'Enable'} the reader idealista`],
    ],
    positionals: { reader: READER },
    options: { account: ACCOUNT },
    async run(args, context) {
      const name = args.reader.toLowerCase();
      await withEnv(context, args, async (env) => {
        const accountId = await accountOf(env, args.account, args);
        if (!(await setReaderDisabled(env.DB, { accountId, name }, disabled))) throw noReader(args);
      });
      return { json: { reader: name, disabled }, text: `Reader ${name} is ${verb}d.\n` };
    },
  });
}

const deleteReaderCommand = command({
  command: 'delete <reader>',
  describe: 'Delete a reader and its keys, which are rejected within a second',
  examples: [['reader delete idealista --account COSTA', 'Delete the reader idealista']],
  positionals: { reader: READER },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      if (!(await deleteReader(env.DB, { accountId, name }))) throw noReader(args);
    });
    return { json: { reader: name, deleted: true }, text: `Deleted reader ${name}.\n` };
  },
});

export const reader = group('reader', 'Manage readers: portals that fetch a feed, each with a key of its own', [
  createReaderCommand,
  listReadersCommand,
  showReaderCommand,
  updateReaderCommand,
  rotateReader,
  revokeReaderKeys,
  disableReader,
  enableReader,
  deleteReaderCommand,
]);
