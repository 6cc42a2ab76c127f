import type { ParameterError } from '../feed/formats/parameters.ts';
import { PROGRAM, withTarget } from './command.ts';
import type { Target } from './context.ts';
import { Failure, usageFailure } from './failure.ts';

/** The positional argument that names a reader. */
export const READER = { type: 'string', demandOption: true, describe: "The reader's name" } as const;

/** The failure of a command for a reader that does not exist in the account. */
export function noReader(args: { account: string; reader: string } & Pick<Target, 'remote'>): Failure {
  const account = args.account.toUpperCase();
  const list = `${PROGRAM} ${withTarget(args, `reader list --account ${account}`)}`;
  return new Failure('no_reader', `Reader not found in account ${account}: ${args.reader}. For a list: ${list}`);
}

/** The failure of a command with an invalid preset. */
export function presetFailure(errors: readonly ParameterError[]): Failure {
  return usageFailure(`--preset: ${errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ')}`);
}

/** A preset as text. */
export function presetText({ preset, fixed }: { readonly preset: string; readonly fixed: boolean }): string {
  return `${preset || 'none'}${fixed ? ' (fixed)' : ''}`;
}

/** A reader's credentials and the feed's path with them, as JSON and as text. */
export function keyShown(account: string, reader: string, key: string) {
  const path = `/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${account.toUpperCase()}&P=${key}`;
  return {
    json: { account: account.toUpperCase(), reader, key, path },
    text: `reader: ${reader}\nkey:    ${key}\nfeed:   ${path}\nThe key is not shown again.\n`,
  };
}
