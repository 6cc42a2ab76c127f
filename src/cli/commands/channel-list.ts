import { listChannels } from '../../db/channels.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { table } from '../print.ts';

/** Channels of one account, which has a handful. */
const MAX_CHANNELS = 10_000;

export const listChannelsCommand = command({
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
