import { environmentFor } from '../../databases/environments.ts';
import { findAccountId } from '../../db/operator/accounts.ts';
import type { Env } from '../../env.ts';
import {
  type Arguments,
  type Command,
  type CommandSpec,
  type Context,
  type NoOptions,
  type Target,
  withEnv,
  withTarget,
} from './command.ts';
import { Failure } from './failure.ts';
import { ACCOUNT, type OptionTypes } from './options.ts';

export type AccountArguments = Target & { readonly account: string };

export interface Scope {
  readonly env: Env;
  readonly db: D1Database;
  readonly accountId: number;
  readonly code: string;
  readonly context: Context;
  notFound(noun: string, name: string): Failure;
}

/** Opens a target for work on one account, and closes it afterwards. */
export function inAccount<Result>(
  context: Context,
  { account: code, ...target }: AccountArguments,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  return withEnv(context, target, async (opened) => {
    const list = (line: string) => `For a list: ${withTarget(target, line)}`;
    const env = await environmentFor(opened, { kind: 'account', name: code }, 0);
    const accountId = await findAccountId(env.DB, code);
    if (accountId === null) throw new Failure('no_account', `Account not found: ${code}. ${list('account list')}`);
    const notFound = (noun: string, name: string) => {
      const sentence = `${capitalized(noun)} not found in account ${code}: ${name}.`;
      return new Failure(`no_${noun}`, `${sentence} ${list(`${noun} list --account ${code}`)}`);
    };
    return work({ env, db: env.DB, accountId, code, context, notFound });
  });
}

/** A command on one account, which the argument `<code>` names, or else the option `--account`. */
export function accountCommand<const Line extends string, const Flags extends OptionTypes = NoOptions>(
  spec: CommandSpec<Line, Flags, Scope>,
): Command {
  const isNamed = spec.command.includes('<code>');
  return {
    ...spec,
    options: isNamed ? { ...spec.options } : { account: ACCOUNT, ...spec.options },
    run(args: Arguments<Line, Flags> & AccountArguments & { readonly code: string }, context: Context) {
      const account = isNamed ? args.code : args.account;
      return inAccount(context, { ...args, account }, (scope) => spec.run(args, scope));
    },
  };
}

/** Something of an account that can be disabled, or the account itself. */
interface Disableable {
  /** What it is, which is the name of its positional argument too, unless that is given. */
  readonly noun: string;
  readonly argument?: string;
  /** The field of JSON documents that names it. */
  readonly field: string;
  readonly describe: string;
  /** Returns whether it exists. */
  set(scope: Scope, name: string, disabled: boolean): Promise<boolean>;
}

export function toggles({ noun, argument = noun, field, describe, set }: Disableable): Command[] {
  return ['disable', 'enable'].map((verb) =>
    accountCommand({
      command: `${verb} <${argument}>`,
      describe: verb === 'disable' ? describe : `Enable a disabled ${noun}`,
      async run(args, scope) {
        const name = (args as unknown as Readonly<Record<string, string>>)[argument]!;
        const disabled = verb === 'disable';
        if (!(await set(scope, name, disabled))) throw scope.notFound(noun, name);
        return { json: { [field]: name, disabled }, text: `${capitalized(noun)} ${name} is ${verb}d.\n` };
      },
    }),
  );
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
