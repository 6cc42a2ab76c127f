import { deleteChannel } from '../../db/channels.ts';
import { CHANNEL, channelOf } from '../channel.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { Failure } from '../failure.ts';

export const deleteChannelCommand = command({
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
        `Readers have the channel ${name}: ${readers.join(', ')}. Give them another with reader update, or delete them.`,
      );
    }
    return { json: { channel: name, deleted: true }, text: `Deleted channel ${name}.\n` };
  },
});
