import { type Body, OPERATIONS, type ServiceClient } from '../service/client.ts';
import {
  type Arguments,
  accountCommand,
  type Command,
  type CommandResult,
  type CommandSpec,
  type Examples,
  type NoOptions,
  serviceCommand,
} from './command.ts';
import { confirm } from './confirm.ts';
import { usageFailure } from './failure.ts';
import type { OptionTypes } from './options.ts';
import { list } from './print.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RequestSpec<Line extends string, Flags extends OptionTypes>
  extends Omit<CommandSpec<Line, Flags>, 'run'> {
  readonly method: Method;
  /** In which `{name}` is an argument of the command, or its account. */
  readonly path: string;
  /** What must be confirmed before. */
  question?(args: Arguments<Line, Flags>): string;
  /** The body; by default what the options say, except those in the path. */
  body?(args: Arguments<Line, Flags>): object;
  /** What is printed of the response; by default all of it. */
  print?(response: Body, args: Arguments<Line, Flags>, client: ServiceClient): CommandResult;
}

/** A command that is one request to the API. If that starts an operation, it waits for its end. */
export function request<const Line extends string, const Flags extends OptionTypes = NoOptions>({
  method,
  path,
  question,
  body,
  print = (json) => ({ json }),
  ...spec
}: RequestSpec<Line, Flags>): Command {
  const inBody = Object.entries(spec.options ?? {}).filter(([name]) => !path.includes(`{${name}}`));
  const bodyOf = (args: Arguments<Line, Flags>) =>
    inBody.length === 0 ? undefined : statedIn(args, Object.fromEntries(inBody));
  const declared = commandAt(path)<Line, Flags>({
    ...spec,
    async run(args, { client, context }) {
      if (question !== undefined) await confirm(context, args, client.service, question(args));
      const sent = body?.(args) ?? bodyOf(args);
      if (method === 'PATCH' && Object.keys(sent!).length === 0) {
        throw usageFailure('Nothing to change: for what can be changed, add --help.');
      }
      const answer = await client.call(method, pathOf(path, args), sent);
      const isOperation = answer.headers.location?.startsWith(OPERATIONS) ?? false;
      const show = (detail: string) => context.err(args.json ? '' : `${detail}\n`);
      return print(isOperation ? await client.ended(answer.body, show) : answer.body, args, client);
    },
  });
  return { ...declared, operation: `${method} ${path}` };
}

/**
 * The commands `disable` and `enable` for what an argument of this name names.
 *
 * @param example what follows them
 */
export function toggles(
  noun: string,
  describe: string,
  example: string,
  send: (disabled: boolean) => Pick<RequestSpec<string, NoOptions>, 'method' | 'path' | 'body'>,
): Command[] {
  return [true, false].map((disabled) =>
    request<string>({
      command: `${disabled ? 'disable' : 'enable'} <${noun}>`,
      describe: disabled ? describe : 'Undo disable',
      examples: { [example]: disabled ? 'Disable it' : 'Enable it again' },
      ...send(disabled),
      print: (_, args) => ({ json: { [noun]: argument(args, noun), disabled } }),
    }),
  );
}

interface ListSpec {
  readonly describe: string;
  readonly examples: Examples;
  /** As in a {@link RequestSpec}. */
  readonly path: string;
  readonly columns: readonly string[];
  readonly more?: Readonly<Record<string, (row: Body) => unknown>>;
}

/** The command `list`: all that the API has at a path. */
export function listing({ path, columns, more, ...spec }: ListSpec): Command {
  const declared = commandAt(path)({
    ...spec,
    command: 'list',
    async run(args, { client }) {
      const [name, rows] = await client.list(pathOf(path, args));
      return list<Body>(name, rows, columns, more);
    },
  });
  return { ...declared, operation: `GET ${path}` };
}

/** The command `delete` for what an argument of this name names, at a path. */
export function deletion(
  noun: string,
  path: string,
  describe: string,
  examples: Examples,
): Command {
  return request<string>({
    command: `delete <${noun}>`,
    describe,
    examples,
    method: 'DELETE',
    path,
    print: (_, args) => ({ json: { [noun]: argument(args, noun), deleted: true } }),
  });
}

/**
 * How a command on this path is declared: unless it is one for the whole service, it has an
 * account.
 */
function commandAt(path: string) {
  return /^\/v1\/operator\/(?!.*\{(account|code)\})/.test(path) ? serviceCommand : accountCommand;
}

export function pathOf(path: string, args: object): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(argument(args, name))),
  );
}

function argument(args: object, name: string): unknown {
  return (args as Readonly<Record<string, unknown>>)[name];
}

/** What the command line says about options, by the names that the API has for them. */
export function statedIn(args: object, options: OptionTypes): Readonly<Record<string, unknown>> {
  const values = Object.entries(options).map(([name, { as = name.replaceAll('-', '_') }]) => [
    as,
    argument(args, name),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
