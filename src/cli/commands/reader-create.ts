import { createReader } from '../../db/readers.ts';
import { isShortName, SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { newReader } from '../../readers/new-reader.ts';
import { channelOf } from '../channel.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { Failure, usageFailure } from '../failure.ts';
import { keyShown, presetFailure } from '../reader.ts';

export const createReaderCommand = command({
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
  },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    if (!isShortName(name)) throw usageFailure(`Invalid name: "${args.reader}". It must be ${SHORT_NAME_RULE}.`);
    if (args.fixed && args.preset === '') throw usageFailure('--fixed requires --preset.');
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
    return keyShown(args.account, name, key);
  },
});
