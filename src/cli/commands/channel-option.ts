import { findChannelId } from '../../db/channels.ts';
import type { Env } from '../../env.ts';
import { PROGRAM, withTarget } from '../command/command.ts';
import type { Target } from '../command/context.ts';
import { Failure } from '../command/failure.ts';

/** The positional argument that names a channel. */
export const CHANNEL = { type: 'string', demandOption: true, describe: "The channel's name" } as const;

/**
 * The id of a channel of an account.
 *
 * @throws Failure `no_channel` if there is none
 */
export async function channelOf(
  env: Env,
  accountId: number,
  args: { account: string; channel: string } & Pick<Target, 'remote'>,
): Promise<number> {
  const id = await findChannelId(env.DB, { accountId, name: args.channel.toLowerCase() });
  if (id !== null) return id;
  const account = args.account.toUpperCase();
  const list = `${PROGRAM} ${withTarget(args, `channel list --account ${account}`)}`;
  throw new Failure('no_channel', `Channel not found in account ${account}: ${args.channel}. For a list: ${list}`);
}
