import { Failure } from './failure.ts';

/** The failure of a command on a client that the account does not have. */
export function noClient({ account, client }: { readonly account: string; readonly client: string }): Failure {
  return new Failure(
    'no_client',
    `${account.toUpperCase()} has no client ${client}. See: client list --account ${account.toUpperCase()}`,
  );
}
