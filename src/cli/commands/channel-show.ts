import { channelProperties } from '../../db/channels.ts';
import { CHANNEL, channelOf } from '../channel.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';

export const showChannelCommand = command({
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
