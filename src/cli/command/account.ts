import { environmentFor } from '../../databases/environments.ts';
import { findAccountId } from '../../db/operator/accounts.ts';
import type { Env } from '../../env.ts';
import {
  type AnyCommand,
  type Arguments,
  type CommandResult,
  command,
  type NoOptions,
  PROGRAM,
  withEnv,
  withTarget,
} from './command.ts';
import type { Context, Target } from './context.ts';
import { databasesOf } from './databases.ts';
import { Failure } from './failure.ts';
import { type OptionTypes, required } from './options.ts';

export const ACCOUNT = required("The account's code, in upper or lower case");

export type AccountArguments = Target & { readonly account: string };

/** An account that a command works on. */
export interface Scope {
  readonly env: Env;
  readonly db: D1Database;
  readonly accountId: number;
  readonly code: string;
  readonly context: Context;
  /** The failure of a command on something that the account does not have. */
  notFound(noun: string, name: string): Failure;
}

/** Opens a target for work on one account, and closes it afterwards. */
export function inAccount<Result>(
  context: Context,
  { account, ...target }: AccountArguments,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  return withEnv(context, target, async (opened) => {
    const code = account.toUpperCase();
    const listed = (line: string) => `For a list: ${PROGRAM} ${withTarget(target, line)}`;
    databasesOf(opened);
    const env = await environmentFor(opened, { kind: 'account', name: code }, 0);
    const accountId = await findAccountId(env.DB, code);
    if (accountId === null) throw new Failure('no_account', `Account not found: ${code}. ${listed('account list')}`);
    const notFound = (noun: string, name: string) => {
      const sentence = `${capitalized(noun)} not found in account ${code}: ${name}.`;
      return new Failure(`no_${noun}`, `${sentence} ${listed(`${noun} list --account ${code}`)}`);
    };
    return work({ env, db: env.DB, accountId, code, context, notFound });
  });
}

/** A command on one account, which the argument `<code>` names, or else the option `--account`. */
export function accountCommand<const Line extends string, const Flags extends OptionTypes = NoOptions>(spec: {
  readonly command: Line;
  readonly describe: string;
  readonly options?: Flags;
  /** Rejects arguments before the database is opened. */
  check?(args: Arguments<Line, Flags>): void;
  run(args: Arguments<Line, Flags>, scope: Scope): Promise<CommandResult>;
}): AnyCommand {
  const isNamed = spec.command.includes('<code>');
  return command({
    command: spec.command as string,
    describe: spec.describe,
    options: isNamed ? { ...spec.options } : { account: ACCOUNT, ...spec.options },
    async run(args, context) {
      const given = args as unknown as Arguments<Line, Flags> & AccountArguments & { readonly code: string };
      const account = isNamed ? given.code : given.account;
      spec.check?.(given);
      return inAccount(context, { ...given, account }, (scope) => spec.run(given, scope));
    },
  });
}

/** Something of an account that can be disabled, or the account itself. */
interface Disableable {
  readonly noun: string;
  /** Its positional argument. */
  readonly argument: string;
  /** The field of JSON documents that names it. */
  readonly field: string;
  /** The description of `disable`. */
  readonly describe: string;
  /** Its name as it is stored. */
  stored(given: string): string;
  /** Returns whether it exists. */
  set(scope: Scope, name: string, disabled: boolean): Promise<boolean>;
}

export function toggles({ noun, argument, field, describe, stored, set }: Disableable): AnyCommand[] {
  return ['disable', 'enable'].map((verb) =>
    accountCommand({
      command: `${verb} <${argument}>`,
      describe: verb === 'disable' ? describe : `Enable a disabled ${noun}`,
      async run(args, scope) {
        const given = (args as unknown as Readonly<Record<string, string>>)[argument]!;
        const name = stored(given);
        const disabled = verb === 'disable';
        if (!(await set(scope, name, disabled))) throw scope.notFound(noun, given);
        return { json: { [field]: name, disabled }, text: `${capitalized(noun)} ${name} is ${verb}d.\n` };
      },
    }),
  );
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
