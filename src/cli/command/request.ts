import type { Body, ServiceClient } from '../service/client.ts';
import {
  type Arguments,
  accountCommand,
  type Command,
  type CommandResult,
  type CommandSpec,
  type Context,
  type NoOptions,
  serviceCommand,
} from './command.ts';
import { usageFailure } from './failure.ts';
import type { OptionTypes } from './options.ts';
import { list } from './print.ts';

/**
 * Starts what takes longer than a request, and waits for its result; on the way, it shows how far
 * it is.
 */
export async function operate(
  client: ServiceClient,
  { err }: Context,
  { json }: { readonly json: boolean },
  method: Method,
  path: string,
  body?: object,
): Promise<string> {
  const show = (detail: string) => err(json || detail === '' ? '' : `${detail}\n`);
  return (await client.operation(method, path, body, show)).detail;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RequestSpec<Line extends string, Flags extends OptionTypes>
  extends Omit<CommandSpec<Line, Flags>, 'run'> {
  readonly method: Method;
  /** In which `{name}` is an argument of the command, or its account. */
  readonly path: string;
  /** The body; by default what the options say. */
  body?(args: Arguments<Line, Flags>): object;
  /** What is printed of the response; by default all of it. */
  print?(response: Body, args: Arguments<Line, Flags>, client: ServiceClient): CommandResult;
}

/** A command that is one request to the API. */
export function request<const Line extends string, const Flags extends OptionTypes = NoOptions>({
  method,
  path,
  body,
  print = (json) => ({ json }),
  ...spec
}: RequestSpec<Line, Flags>): Command {
  const hasBody = body !== undefined || spec.options !== undefined;
  return commandAt(path)<Line, Flags>({
    ...spec,
    async run(args, { client }) {
      const sent = hasBody ? (body?.(args) ?? statedIn(args, spec.options!)) : undefined;
      if (method === 'PATCH' && Object.keys(sent!).length === 0) {
        throw usageFailure('Nothing to change: for what can be changed, add --help.');
      }
      const answer = await client.call(method, pathOf(path, args), sent);
      return print(answer.body, args, client);
    },
  });
}

interface ListSpec<Row extends object> {
  readonly describe: string;
  /** As in a {@link RequestSpec}. */
  readonly path: string;
  readonly columns: readonly (keyof Row & string)[];
  readonly more?: Readonly<Record<string, (row: Row) => unknown>>;
}

/** The command `list`: all that the API has at a path. */
export function listing<Row extends object>({
  describe,
  path,
  columns,
  more,
}: ListSpec<Row>): Command {
  return commandAt(path)({
    command: 'list',
    describe,
    async run(args, { client }) {
      const [name, rows] = await client.list(pathOf(path, args));
      return list<Row>(name, rows, columns, more);
    },
  });
}

/** The command `delete` for what an argument of this name names, at a path. */
export function deletion(noun: string, path: string, describe: string): Command {
  return request<string>({
    command: `delete <${noun}>`,
    describe,
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
