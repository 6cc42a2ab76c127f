import { PROGRAM, withTarget } from './command.ts';
import type { Target } from './context.ts';
import { Failure } from './failure.ts';

/** The failure of a command for a client that does not exist in the account. */
export function noClient(args: { account: string; client: string } & Pick<Target, 'remote'>): Failure {
  const account = args.account.toUpperCase();
  const list = `${PROGRAM} ${withTarget(args, `client list --account ${account}`)}`;
  return new Failure('no_client', `Client not found in account ${account}: ${args.client}. For a list: ${list}`);
}
