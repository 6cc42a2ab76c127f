import { findReader } from '../../db/readers.ts';
import { changeReader } from '../../readers/change-reader.ts';
import { channelOf } from '../channel.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { noReader, presetFailure, presetText, READER } from '../reader.ts';

export const updateReaderCommand = command({
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
