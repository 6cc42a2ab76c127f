import type { CommandModule, InferredOptionTypes, Options, PositionalOptions } from 'yargs';
import type { Env } from '../../env.ts';
import type { Context, Target } from './context.ts';
import { EXIT, type ExitCode, usageFailure } from './failure.ts';

/** What a command prints. */
export interface CommandResult {
  /** With `--json`. */
  readonly json: unknown;
  /** Without `--json`: lines that each end in a line feed, or nothing. */
  readonly text: string;
  /** {@link EXIT.ok} by default. */
  readonly exit?: ExitCode;
}

type ArgumentTypes = Readonly<Record<string, Options & PositionalOptions>>;
type NoArguments = Readonly<Record<never, never>>;

/** A command: its arguments, its help and its action. */
export interface CommandSpec<Positionals extends ArgumentTypes, Flags extends ArgumentTypes> {
  /** Its name and positional arguments, such as `create <code>`. */
  readonly command: string;
  readonly describe: string;
  /** Command lines without the program's name, each with a description. */
  readonly examples: readonly (readonly [line: string, description: string])[];
  readonly positionals?: Positionals;
  readonly options?: Flags;
  run(
    args: InferredOptionTypes<Positionals> & InferredOptionTypes<Flags> & Target & { readonly json: boolean },
    context: Context,
  ): Promise<CommandResult>;
}

/** Creates the yargs module of a command or a group of commands; `setExit` receives the exit code of the command. */
// biome-ignore lint/suspicious/noExplicitAny: each command has its own arguments, which yargs validates
export type AnyCommand = (context: Context, setExit: (exit: ExitCode) => void) => CommandModule<any, any>;

/** How the program is called; `-s` suppresses npm's own output. */
export const PROGRAM = 'npm run -s lindero --';

/** The path of the standard input, which `-` stands for. */
export const STANDARD_INPUT = '/dev/stdin';

/** A command line of this program with the option that selects the same target. */
export function withTarget({ remote }: Pick<Target, 'remote'>, line: string): string {
  return remote ? `${line} --remote` : line;
}

/** Defines a command: yargs validates its arguments, and its result is printed. */
export function command<Positionals extends ArgumentTypes = NoArguments, Flags extends ArgumentTypes = NoArguments>(
  spec: CommandSpec<Positionals, Flags>,
): AnyCommand {
  return (context, setExit) => ({
    command: spec.command,
    describe: spec.describe,
    builder: (yargs) => {
      for (const [name, type] of Object.entries(spec.positionals ?? {})) yargs.positional(name, type);
      for (const [line, description] of spec.examples) yargs.example(`${PROGRAM} ${line}`, description);
      return yargs.options(spec.options ?? {});
    },
    handler: async (args) => {
      const repeated = Object.keys(args).find(
        (name) => Array.isArray(args[name]) && name !== '_' && !spec.options?.[name]?.array,
      );
      if (repeated !== undefined) throw usageFailure(`--${repeated} must not be repeated.`);
      const { json, text, exit } = await spec.run(args as never, context);
      setExit(exit ?? EXIT.ok);
      await context.out(args.json ? `${JSON.stringify(json)}\n` : text);
    },
  });
}

/** Defines a group of commands that share their first word. */
export function group(name: string, describe: string, commands: readonly AnyCommand[]): AnyCommand {
  return (context, setExit) => ({
    command: name,
    describe,
    builder: (yargs) => {
      for (const make of commands) yargs.command(make(context, setExit));
      return yargs.demandCommand(1, 1, `"${name}" needs a command. For a list: ${PROGRAM} ${name} --help`);
    },
    handler: () => {},
  });
}

/** Opens a target for some work, and closes it afterwards. */
export async function withEnv<Result>(
  context: Context,
  target: Target,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const platform = await context.open(target);
  try {
    return await work(platform.env);
  } finally {
    await platform.dispose();
  }
}
