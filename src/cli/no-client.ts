import { lineFor } from './command.ts';
import type { Where } from './context.ts';
import { Failure } from './failure.ts';

/** The failure of a command on a client that the account does not have. */
export function noClient(
  given: { readonly account: string; readonly client: string } & Pick<Where, 'remote'>,
): Failure {
  const account = given.account.toUpperCase();
  return new Failure(
    'no_client',
    `${account} has no client ${given.client}. See: ${lineFor(given, `client list --account ${account}`)}`,
  );
}
