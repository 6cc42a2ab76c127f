import type { CommandModule, InferredOptionTypes } from 'yargs';
import type { Env } from '../../env.ts';
import EXAMPLES from '../examples.json' with { type: 'json' };
import type { Context, Target } from './context.ts';
import { EXIT, type ExitCode, usageFailure } from './failure.ts';
import { type OptionTypes, POSITIONALS } from './options.ts';

/** What a command prints. */
export interface CommandResult {
  /** With `--json`. */
  readonly json: unknown;
  /** Without `--json`: lines that each end in a line feed, or nothing. */
  readonly text: string;
  /** {@link EXIT.ok} by default. */
  readonly exit?: ExitCode;
}

export type NoOptions = Readonly<Record<never, never>>;

/** The positional arguments of a command, from its line: `create <code>` or `import [file]`. */
type Positionals<Line extends string> = Line extends `${string}<${infer Name}>${infer Rest}`
  ? { readonly [name in Name]: string } & Positionals<Rest>
  : Line extends `${string}[${infer Name}]${string}`
    ? { readonly [name in Name]?: string | undefined }
    : unknown;

export type Arguments<Line extends string, Flags extends OptionTypes> = Positionals<Line> &
  InferredOptionTypes<Flags> &
  Target & { readonly json: boolean };

/** A command: its arguments, its help and its action. Its examples are in `examples.json`. */
export interface CommandSpec<Line extends string, Flags extends OptionTypes> {
  /** Its name and positional arguments, such as `create <code>`. */
  readonly command: Line;
  readonly describe: string;
  readonly options?: Flags;
  run(args: Arguments<Line, Flags>, context: Context): Promise<CommandResult>;
}

/**
 * Creates the yargs module of a command or a group of commands; `setExit` receives the exit code of the command.
 *
 * @param path the words before the command's own, each with a space
 */
export type AnyCommand = (
  context: Context,
  setExit: (exit: ExitCode) => void,
  path?: string,
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own arguments, which yargs validates
) => CommandModule<any, any>;

/** How the program is called; `-s` suppresses npm's own output. */
export const PROGRAM = 'npm run -s lindero --';

/** The path of the standard input, which `-` stands for. */
export const STANDARD_INPUT = '/dev/stdin';

/** A command line of this program with the option that selects the same target. */
export function withTarget({ remote }: Pick<Target, 'remote'>, line: string): string {
  return remote ? `${line} --remote` : line;
}

/** Defines a command: yargs validates its arguments, and its result is printed. */
export function command<const Line extends string, const Flags extends OptionTypes = NoOptions>({
  command: line,
  describe,
  options = {} as Flags,
  run,
}: CommandSpec<Line, Flags>): AnyCommand {
  const [name, ...positionals] = line.split(' ');
  return (context, setExit, path = '') => ({
    command: line,
    describe,
    builder: (yargs) => {
      for (const positional of positionals) {
        const key = positional.slice(1, -1);
        const describe = POSITIONALS[key];
        yargs.positional(key, {
          type: 'string',
          demandOption: positional.startsWith('<'),
          ...(describe && { describe }),
        });
      }
      for (const [example, description] of Object.entries(EXAMPLES)) {
        if (`${example} `.startsWith(`${path}${name} `)) yargs.example(`${PROGRAM} ${example}`, description);
      }
      return yargs.options(options);
    },
    handler: async (args) => {
      const repeated = Object.keys(args).find((key) => Array.isArray(args[key]) && key !== '_' && !options[key]?.array);
      if (repeated !== undefined) throw usageFailure(`--${repeated} must not be repeated.`);
      for (const [key, { rule }] of Object.entries<OptionTypes[string]>(options)) {
        const value = args[key];
        if (rule && value !== undefined && !rule.test(value)) throw usageFailure(`--${key} must be ${rule.must}.`);
      }
      const { json, text, exit } = await run(args as never, context);
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
      for (const make of commands) yargs.command(make(context, setExit, `${name} `));
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
