import type { CommandModule, InferredOptionTypes, Options, PositionalOptions } from 'yargs';
import { findAccountId } from '../db/operator/accounts.ts';
import type { Env } from '../env.ts';
import type { Context, Where } from './context.ts';
import { EXIT, type ExitCode, Failure } from './failure.ts';

/** What a command has done, for a program and for a person. */
export interface Outcome {
  readonly json: unknown;
  /** Lines for a person; with a line feed at the end, or empty. */
  readonly text: string;
  /** What stands against all being well. */
  readonly exit?: ExitCode;
}

type Shapes = Readonly<Record<string, Options & PositionalOptions>>;
type Nothing = Readonly<Record<never, never>>;

/** A command: the shape of its arguments, and what it does with them. */
export interface CommandSpec<Positionals extends Shapes, Flags extends Shapes> {
  /** Its name and its arguments, as `create <code>`. */
  readonly command: string;
  readonly describe: string;
  /** Command lines without the program's name, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  readonly positionals?: Positionals;
  readonly options?: Flags;
  run(
    args: InferredOptionTypes<Positionals> & InferredOptionTypes<Flags> & Where & { readonly json: boolean },
    context: Context,
  ): Promise<Outcome>;
}

/** A command or a group of commands, for a program to take in. */
// biome-ignore lint/suspicious/noExplicitAny: each command has arguments of its own, which yargs checks
export type AnyCommand = (context: Context, end: (exit: ExitCode) => void) => CommandModule<any, any>;

/** How the program is called: `-s` keeps two lines of npm's own out of the output. */
export const PROGRAM = 'npm run -s lindero --';

/** A command line of this program, for the place that the one at hand works on. */
export function lineFor({ remote }: Pick<Where, 'remote'>, line: string): string {
  return remote ? `${line} --remote` : line;
}

/** Makes a command: its arguments are checked by yargs, and what it has done is printed. */
export function command<Positionals extends Shapes = Nothing, Flags extends Shapes = Nothing>(
  spec: CommandSpec<Positionals, Flags>,
): AnyCommand {
  return (context, end) => ({
    command: spec.command,
    describe: spec.describe,
    builder: (yargs) => {
      for (const [name, shape] of Object.entries(spec.positionals ?? {})) yargs.positional(name, shape);
      for (const [line, does] of spec.examples) yargs.example(`${PROGRAM} ${line}`, does);
      return yargs.options(spec.options ?? {});
    },
    handler: async (args) => {
      const twice = Object.keys(args).find(
        (name) => Array.isArray(args[name]) && name !== '_' && !spec.options?.[name]?.array,
      );
      if (twice !== undefined) throw new Failure('usage', `--${twice} is given more than once.`, EXIT.usage);
      const { json, text, exit } = await spec.run(args as never, context);
      end(exit ?? EXIT.done);
      await context.out(args.json ? `${JSON.stringify(json)}\n` : text);
    },
  });
}

/** Commands under a common first word. */
export function group(name: string, describe: string, commands: readonly AnyCommand[]): AnyCommand {
  return (context, end) => ({
    command: name,
    describe,
    builder: (yargs) => {
      for (const make of commands) yargs.command(make(context, end));
      return yargs.demandCommand(1, 1, `Which of the commands of "${name}"? See --help.`);
    },
    handler: () => {},
  });
}

/** Does work with the bindings of a place, and closes them. */
export async function withEnv<Result>(
  context: Context,
  where: Where,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const platform = await context.open(where);
  try {
    return await work(platform.env);
  } finally {
    await platform.dispose();
  }
}

/** The option that names an account. */
export const ACCOUNT = {
  type: 'string',
  demandOption: true,
  requiresArg: true,
  describe: "The account's code, letters in any case",
} as const;

/**
 * The id of the account with this code.
 *
 * @throws Failure where there is none
 */
export async function accountOf(env: Env, code: string, where: Pick<Where, 'remote'>): Promise<number> {
  const id = await findAccountId(env.DB, code);
  if (id !== null) return id;
  throw new Failure('no_account', `There is no account ${code.toUpperCase()}. See: ${lineFor(where, 'account list')}`);
}
