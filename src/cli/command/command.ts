import type { InferredOptionTypes } from 'yargs';
import { environmentsOf } from '../../databases/environments.ts';
import type { NamedDatabase } from '../../db/operator/databases.ts';
import type { Env } from '../../env.ts';
import type { ExitCode } from './failure.ts';
import type { OptionTypes } from './options.ts';

/** The database and the KV namespace that a command works on. */
export interface Target {
  /** The deployed ones, instead of those of `wrangler dev` on this machine. */
  readonly remote: boolean;
  /** The directory of the local state, as for `wrangler dev --persist-to`. */
  readonly persistTo: string;
}

/** The Worker's bindings, usable in this process until they are disposed of. */
export interface Platform {
  readonly env: Env;
  dispose(): Promise<void>;
}

/** The environment of a command, replaced in tests. */
export interface Context {
  /**
   * Writes to the standard output, and resolves when there is room for more.
   *
   * @throws OutputClosed if its reader has closed it
   */
  out(text: string): Promise<void>;
  err(text: string): void;
  readonly input: AsyncIterable<Uint8Array>;
  readonly directory: string;
  now(): Date;
  /** Where the service is served: the deployed one, or that of this machine. */
  origin(remote: boolean): Promise<string>;
  open(target: Target): Promise<Platform>;
  /** Runs wrangler with a standard input, by default that of this process, and returns its standard output. */
  wrangler(args: readonly string[], input?: string): Promise<string>;
}

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

/** A command: its name and positional arguments, such as `create <code>`, its options, its help and its action. */
export interface CommandSpec<Line extends string, Flags extends OptionTypes, Given = Context> {
  readonly command: Line;
  readonly describe: string;
  readonly options?: Flags;
  run(args: Arguments<Line, Flags>, given: Given): Promise<CommandResult>;
}

/** A command whose arguments yargs validates, or a group of commands that share their first word. */
export interface Command {
  readonly command: string;
  readonly describe: string;
  readonly options?: OptionTypes;
  run?(args: never, context: Context): Promise<CommandResult>;
  readonly commands?: readonly Command[];
}

export function command<const Line extends string, const Flags extends OptionTypes = NoOptions>(
  spec: CommandSpec<Line, Flags>,
): Command {
  return spec;
}

export const group = (command: string, describe: string, commands: readonly Command[]): Command => ({
  ...{ command, describe, commands },
});

/** How the program is called; `-s` suppresses npm's own output. */
export const PROGRAM = 'npm run -s lindero --';

/** The path of the standard input, which `-` stands for. */
export const STANDARD_INPUT = '/dev/stdin';

/** A command line of this program with the option that selects the same target. */
export function withTarget({ remote }: Pick<Target, 'remote'>, line: string): string {
  return `${PROGRAM} ${line}${remote ? ' --remote' : ''}`;
}

export async function withEnv<Result>(
  context: Context,
  target: Target,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const platform = await context.open(target);
  // Remembered, so that the rest of the service does not wrap the databases as the Worker's.
  databasesOf(platform.env);
  try {
    return await work(platform.env);
  } finally {
    await platform.dispose();
  }
}

/** All databases that a target has, the first one first. */
export function databasesOf(env: Env): NamedDatabase[] {
  return [...environmentsOf(env, (db) => db)].map(([name, { DB }]) => ({ name, db: DB }));
}
