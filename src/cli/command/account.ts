import { environmentFor } from '../../databases/environments.ts';
import { findAccountId } from '../../db/operator/accounts.ts';
import type { Env } from '../../env.ts';
import { type AnyCommand, type CommandResult, command, PROGRAM, withEnv, withTarget } from './command.ts';
import type { Context, Target } from './context.ts';
import { databasesOf } from './databases.ts';
import { Failure } from './failure.ts';

/** The option that names an account. */
export const ACCOUNT = {
  type: 'string',
  demandOption: true,
  requiresArg: true,
  describe: "The account's code, in upper or lower case",
} as const;

/** The positional argument that names an account. */
export const ACCOUNT_CODE = { type: 'string', demandOption: true, describe: ACCOUNT.describe } as const;

/** The arguments of a command on one account. */
export type AccountArguments = Target & { readonly account: string };

/**
 * Opens a target for work on one account, and closes it afterwards.
 *
 * @throws Failure `no_account` if there is none with this code
 */
export function inAccount<Result>(
  context: Context,
  args: AccountArguments,
  work: (env: Env, accountId: number) => Promise<Result>,
): Promise<Result> {
  return withEnv(context, args, async (opened) => {
    databasesOf(opened);
    const env = await environmentFor(opened, { kind: 'account', name: args.account.toUpperCase() }, 0);
    const id = await findAccountId(env.DB, args.account);
    if (id !== null) return work(env, id);
    const list = `${PROGRAM} ${withTarget(args, 'account list')}`;
    throw new Failure('no_account', `Account not found: ${args.account.toUpperCase()}. For a list: ${list}`);
  });
}

/** What an account has under a name of its own, or the account itself. */
export interface Noun {
  /** Such as `reader`: also the positional argument. */
  readonly noun: string;
  /** The field of a JSON document that names one. */
  readonly field: string;
  /** The rest of an example's command line, after the verb. */
  readonly example: string;
  readonly positional: { readonly type: 'string'; readonly demandOption: true; readonly describe: string };
  /** The name as it is stored. */
  stored(given: string): string;
}

/** The failure of a command on something that its account does not have. */
export function notFound(noun: string, name: string, args: Pick<AccountArguments, 'account' | 'remote'>): Failure {
  const account = args.account.toUpperCase();
  const list = `${PROGRAM} ${withTarget(args, `${noun} list --account ${account}`)}`;
  return new Failure(
    `no_${noun}`,
    `${capitalized(noun)} not found in account ${account}: ${name}. For a list: ${list}`,
  );
}

/** What a command does with one of an account's things, and returns whether the account has it. */
export type Change = (env: Env, accountId: number, name: string) => Promise<boolean>;

/** A command whose only arguments name one of an account's things, and which changes that. */
export function change(
  kind: Noun,
  text: { readonly verb: string; readonly describe: string; readonly example: string },
  apply: Change,
  result: (name: string) => CommandResult,
): AnyCommand {
  const { noun, example, positional } = kind;
  return command({
    command: `${text.verb} <${noun}>`,
    describe: text.describe,
    examples: [[`${noun} ${text.verb} ${example}`, text.example]],
    positionals: { [noun]: positional },
    options: noun === 'account' ? {} : { account: ACCOUNT },
    async run(args, context) {
      const given = args as unknown as AccountArguments & Readonly<Record<string, string>>;
      const name = kind.stored(given[noun]!);
      const isFound = await inAccount(context, given, (env, accountId) => apply(env, accountId, name));
      if (!isFound) throw notFound(noun, given[noun]!, given);
      return result(name);
    },
  });
}

/** The commands `disable` and `enable`. */
export function toggles(
  kind: Noun,
  describe: { readonly disable: string; readonly enable: string },
  set: (env: Env, accountId: number, name: string, disabled: boolean) => Promise<boolean>,
): AnyCommand[] {
  const { noun, field, example } = kind;
  return (['disable', 'enable'] as const).map((verb) => {
    const disabled = verb === 'disable';
    const one = `the ${noun} ${example.split(' ')[0]}`;
    return change(
      kind,
      { verb, describe: describe[verb], example: `${capitalized(verb)} ${one}` },
      (env, accountId, name) => set(env, accountId, name, disabled),
      (name) => ({ json: { [field]: name, disabled }, text: `${capitalized(noun)} ${name} is ${verb}d.\n` }),
    );
  });
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
