import type { InferredOptionTypes } from 'yargs';
import { environmentFor, environmentsOf } from '../../databases/environments.ts';
import { findAccountId } from '../../db/operator/accounts.ts';
import type { NamedDatabase } from '../../db/operator/databases.ts';
import type { Env } from '../../env.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { type ExitCode, Failure } from './failure.ts';
import { ACCOUNT, type OptionTypes } from './options.ts';

/** The database and the KV namespace that a command works on. */
export interface Target {
  /** The deployed ones, instead of those of `wrangler dev` on this machine. */
  readonly remote: boolean;
  /** The directory of the local state, as for `wrangler dev --persist-to`. */
  readonly persistTo: string;
}

export interface Platform extends AsyncDisposable {
  readonly env: Env;
}

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
  /** Where the service is served: the deployed one, or that of this machine. */
  origin(remote: boolean): Promise<string>;
  open(target: Target): Promise<Platform>;
  /** Runs wrangler with a standard input, by default that of this process, and returns its standard output. */
  wrangler(args: readonly string[], input?: string): Promise<string>;
}

export interface CommandResult {
  readonly json: object;
  /** Without `--json`: lines that each end in a line feed, or nothing; by default the fields of the JSON document. */
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
  Target & { readonly json: boolean };

/** A command: its name and positional arguments, such as `create <code>`, its options, its help and its action. */
export interface CommandSpec<Line extends string, Flags extends OptionTypes, Given = Context> {
  readonly command: Line;
  readonly describe: string;
  readonly options?: Flags;
  run(args: Arguments<Line, Flags>, given: Given): Promise<CommandResult>;
}

export interface Command extends Omit<CommandSpec<string, OptionTypes>, 'run'> {
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

/** How the program is called; `-s` suppresses npm's own output. */
export const PROGRAM = 'npm run -s lindero --';

const environment = () => (process.env.CLOUDFLARE_ENV ? ` --env ${process.env.CLOUDFLARE_ENV}` : '');

/** A command line of this program with the options that select the same target. */
export function withTarget({ remote }: Pick<Target, 'remote'>, line: string): string {
  return `${PROGRAM} ${line}${remote ? ` --remote${environment()}` : ''}`;
}

/** The command line that deploys the same environment. */
export function deployLine(options = ''): string {
  const given = `${options}${environment()}`.trim();
  return `npm run deploy${given === '' ? '' : ` -- ${given}`}`;
}

export async function withEnv<Result>(
  context: Context,
  target: Target,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  await using platform = await context.open(target);
  // Remembered, so that the rest of the service does not wrap the databases as the Worker's.
  databasesOf(platform.env);
  return await work(platform.env);
}

export function databasesOf(env: Env): NamedDatabase[] {
  return [...environmentsOf(env, (db) => db)].map(([name, { DB }]) => ({ name, db: DB }));
}

export type AccountArguments = Target & { readonly account: string };

export interface Scope {
  readonly env: Env;
  readonly db: D1Database;
  readonly accountId: number;
  readonly code: string;
  readonly context: Context;
  /** What was found by its name. @throws Failure if nothing was */
  existing<Found>(found: Found | null, noun: string, name: string): Found;
}

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
    const existing = <Found>(found: Found | null, noun: string, name: string) => {
      if (found !== null) return found;
      const sentence = `${noun[0]!.toUpperCase()}${noun.slice(1)} not found in account ${code}: ${name}.`;
      throw new Failure(`no_${noun}`, `${sentence} ${list(`${noun} list --account ${code}`)}`);
    };
    return work({ env, db: env.DB, accountId, code, context, existing });
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

/** A command on one of an account's resources, whose name is its argument. `work` returns `null` if it does not exist. */
export function commandOn(
  verb: string,
  noun: string,
  describe: string,
  work: (scope: Scope, name: string) => Promise<CommandResult | null>,
): Command {
  return accountCommand({
    command: `${verb} <${noun}>` as string,
    describe,
    async run(args, scope) {
      const name = (args as unknown as Readonly<Record<string, string>>)[noun]!;
      return scope.existing(await work(scope, name), noun, name);
    },
  });
}

/** The commands `disable` and `enable`. `field` names what they change in JSON documents; `set` returns whether it exists. */
export function toggles(
  noun: string,
  field: string,
  describe: string,
  set: (scope: Scope, name: string, disabled: boolean) => Promise<boolean>,
): Command[] {
  return ['disable', 'enable'].map((verb) => {
    const disabled = verb === 'disable';
    return commandOn(verb, noun, disabled ? describe : 'Undo disable', async (scope, name) =>
      (await set(scope, name, disabled)) ? { json: { [field]: name, disabled } } : null,
    );
  });
}
