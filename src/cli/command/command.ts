import type { InferredOptionTypes } from 'yargs';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { type Service, ServiceClient } from '../service/client.ts';
import type { ServiceArguments } from '../service/find.ts';
import type { ExitCode } from './failure.ts';
import { ACCOUNT, type OptionTypes } from './options.ts';

/** The environment of a command, replaced in tests. */
export interface Context {
  /**
   * Writes to standard output, and resolves when there is room for more.
   *
   * @throws OutputClosed if its reader has closed it
   */
  out(text: string): Promise<void>;
  err(text: string): void;
  readonly input: AsyncIterable<Uint8Array>;
  readonly directory: string;
  now(): EpochSeconds;
  /**
   * The service that a command line means, with the operator's key.
   *
   * @throws Failure if the key is unknown
   */
  service(args: ServiceArguments): Promise<Service>;
  /**
   * Runs wrangler with a standard input, by default that of this process, and returns its standard
   * output.
   */
  wrangler(args: readonly string[], input?: string): Promise<string>;
}

export interface CommandResult {
  readonly json: object;
  /**
   * Without `--json`: lines that each end in a line feed, or nothing; by default the fields of the
   * JSON document.
   */
  readonly text?: string;
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
  ServiceArguments & { readonly json: boolean; readonly yes: boolean; readonly account?: string };

/** Examples of a command: what follows its words, and what that does. */
export type Examples = Readonly<Record<string, string>>;

/**
 * A command: its name and positional arguments, such as `create <code>`, its options, its help and
 * its action.
 */
export interface CommandSpec<Line extends string, Flags extends OptionTypes, With = Context> {
  readonly command: Line;
  readonly describe: string;
  readonly examples: Examples;
  readonly options?: Flags;
  run(args: Arguments<Line, Flags>, given: With): Promise<CommandResult>;
}

export interface Command extends Omit<CommandSpec<string, OptionTypes>, 'examples' | 'run'> {
  /** Of a command that is not a group. */
  readonly examples?: Examples;
  /** The operation of the API that it is a form of, if it is one: `GET /v1/readers`. */
  readonly operation?: string;
  run?(args: never, context: Context): Promise<CommandResult>;
  readonly commands?: readonly Command[];
}

export function command<const Line extends string, const Flags extends OptionTypes = NoOptions>(
  spec: CommandSpec<Line, Flags>,
): Command {
  return spec;
}

export function group(command: string, describe: string, commands: readonly Command[]): Command {
  return { command, describe, commands };
}

/** What a command on a service works with. */
export interface Given {
  readonly client: ServiceClient;
  readonly context: Context;
}

/**
 * A command that calls the API of a service, which it names unless that is the one on this machine.
 */
export function serviceCommand<
  const Line extends string,
  const Flags extends OptionTypes = NoOptions,
>(spec: CommandSpec<Line, Flags, Given>): Command {
  return {
    ...spec,
    async run(args: Arguments<Line, Flags>, context: Context) {
      const service = await context.service(args);
      if (!service.isLocal && !args.json) context.err(`${service.origin}\n`);
      return spec.run(args, { client: new ServiceClient(service), context });
    },
  };
}

/** A command on an account, which its argument `<code>` names, or else `--account`. */
export function accountCommand<
  const Line extends string,
  const Flags extends OptionTypes = NoOptions,
>(spec: CommandSpec<Line, Flags, Given & { readonly account: string }>): Command {
  const isNamed = spec.command.includes('<code>');
  return serviceCommand<string, OptionTypes>({
    command: spec.command,
    describe: spec.describe,
    examples: spec.examples,
    options: isNamed ? { ...spec.options } : { account: ACCOUNT, ...spec.options },
    run(args, { client, context }) {
      const { code, account = code } = args as unknown as {
        readonly code?: string;
        readonly account?: string;
      };
      return spec.run(args as never, { client: client.on(account!), context, account: account! });
    },
  });
}
