import yargs, { type Argv } from 'yargs';
import { describeError } from '../lib/log.ts';
import type { Command, Context } from './command/command.ts';
import {
  EXIT,
  type ExitCode,
  Failure,
  failureIn,
  OutputClosed,
  usageFailure,
} from './command/failure.ts';
import { PROGRAM } from './command/lines.ts';
import { flag, type OptionTypes, POSITIONALS, text } from './command/options.ts';
import { fields } from './command/print.ts';
import { PRODUCTION } from './service/find.ts';

/** The command or group of a word, which is also the name of the module's export. */
type ModuleOf<Word extends string> = () => Promise<Readonly<Record<Word, Command>>>;

function byWord<Modules extends { readonly [Word in keyof Modules]: ModuleOf<Word & string> }>(
  modules: Modules,
): Readonly<Record<string, ModuleOf<string>>> {
  return modules;
}

/** The modules of the commands by their first words. */
export const MODULES = byWord({
  setup: () => import('./setup/command.ts'),
  account: () => import('./accounts/account.ts'),
  client: () => import('./accounts/client.ts'),
  channel: () => import('./accounts/channel.ts'),
  reader: () => import('./accounts/reader.ts'),
  format: () => import('./accounts/format.ts'),
  source: () => import('./portfolio/source.ts'),
  webhook: () => import('./accounts/webhook.ts'),
  import: () => import('./portfolio/import.ts'),
  export: () => import('./portfolio/export.ts'),
  check: () => import('./report/check.ts'),
  report: () => import('./report/report.ts'),
  key: () => import('./operation/key.ts'),
  snapshot: () => import('./operation/snapshot.ts'),
  property: () => import('./portfolio/unit.ts'),
  unit: () => import('./portfolio/unit.ts'),
  name: () => import('./portfolio/name.ts'),
  backup: () => import('./portfolio/backup.ts'),
  database: () => import('./operation/databases.ts'),
  restored: () => import('./operation/databases.ts'),
  doctor: () => import('./operation/doctor.ts'),
  deploy: () => import('./deploy/command.ts'),
  smoke: () => import('./smoke/command.ts'),
});

const TOO_FEW = 'Arguments are missing: %s given, %s needed. For a list, add --help.';
const EPILOGUE =
  'Exit codes: 0 completed; 1 failed; 2 invalid command line; 3 completed with warnings, such as rejected records or ' +
  'a finding of the doctor.';

/**
 * Runs the program once, with a command line without the program's name, and returns the exit code.
 */
export async function run(args: readonly string[], context: Context): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  let help = '';
  const parser = yargs()
    .scriptName(PROGRAM)
    .usage(
      '$0 <command>\n\nDeploys and verifies the service; manages accounts and what belongs to them, databases and snapshots.',
    )
    .locale('en')
    .updateStrings({
      'Did you mean %s?': 'Unknown command. Did you mean %s?',
      'Missing required argument: %s': {
        one: 'Missing option: --%s',
        other: 'Missing options: %s',
      } as never,
      'Not enough non-option arguments: got %s, need at least %s': {
        one: TOO_FEW,
        other: TOO_FEW,
      } as never,
    })
    .wrap(100)
    .version(false)
    .help('help', 'Show this help')
    .options({
      url: text('The address of the service; by default http://localhost:8787'),
      env: text('The service that was deployed for this environment: production, or staging'),
      yes: flag('Confirm what destroys something'),
      json: flag('Print a JSON document instead of text'),
    })
    .middleware(({ env }) => {
      // Also if the environment variable names another one.
      if (env === PRODUCTION) delete process.env.CLOUDFLARE_ENV;
      else if (typeof env === 'string') process.env.CLOUDFLARE_ENV = env;
    })
    .demandCommand(1, `A command is missing. For a list: ${PROGRAM} --help`)
    .strict()
    .recommendCommands()
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof Error && error.name !== 'YError' ? error : usageFailure(message);
    })
    .epilogue(EPILOGUE);
  const execute: Execute = async ({ options = {}, run }, given) => {
    refuseMistakes(options, given, args);
    const result = await run!(given as never, context);
    exit = result.exit ?? EXIT.ok;
    await context.out(
      given.json ? `${JSON.stringify(result.json)}\n` : (result.text ?? fields(result.json)),
    );
  };
  // The commands that the command line may mean: those that it names, or all.
  const names = Object.keys(MODULES);
  const named = names.filter((name) => args.includes(name));
  for (const name of named.length > 0 ? named : names) {
    declare(parser, (await MODULES[name]!())[name]!, '', execute);
  }
  try {
    // yargs would pass `-` on as an empty text. It means standard input or output, which commands
    // use if they get no file.
    const given = args.filter((arg) => arg !== '-');
    await parser.parseAsync(given, {}, (_error, _args, output) => {
      help = output;
    });
    if (help !== '') await context.out(`${help}\n`);
    return exit;
  } catch (error) {
    if (error instanceof OutputClosed) return exit;
    const failure = failureIn(error) ?? new Failure('failed', describeError(error));
    report(failure, args, context);
    return failure.exit;
  }
}

type Given = Readonly<Record<string, unknown>>;
type Execute = (command: Command, given: Given) => Promise<void>;

function declare(parser: Argv, command: Command, path: string, execute: Execute): void {
  const [name, ...positionals] = command.command.split(' ');
  const { commands } = command;
  const build = (yargs: Argv): Argv => {
    for (const each of commands ?? []) declare(yargs, each, `${name} `, execute);
    if (commands !== undefined) {
      const list = `For a list: ${PROGRAM} ${name} --help`;
      return yargs.demandCommand(
        1,
        1,
        `"${name}" needs a command. ${list}`,
        `"${name}" has no such command. ${list}`,
      );
    }
    for (const positional of positionals) {
      const key = positional.slice(1, -1);
      yargs.positional(key, {
        type: 'string',
        demandOption: positional.startsWith('<'),
        ...POSITIONALS[key],
      });
    }
    for (const [example, description] of Object.entries(command.examples ?? {}))
      yargs.example(`${PROGRAM} ${path}${name} ${example}`.trimEnd(), description);
    return yargs.options(command.options ?? {});
  };
  parser.command(command.command, command.describe, build, async (given) => {
    if (commands === undefined) await execute(command, given);
  });
}

/** Refuses what yargs would take for something else than was meant. */
function refuseMistakes(options: OptionTypes, given: Given, args: readonly string[]): void {
  for (const arg of args) {
    const [, key = '', value = ''] = /^--([^=]+)=(.*)$/s.exec(arg) ?? [];
    const isFlag = typeof given[key] === 'boolean';
    // yargs would take any other value for false.
    if (isFlag && !['true', 'false'].includes(value))
      throw usageFailure(`--${key} must be true or false.`);
  }
  const repeated = Object.keys(given).find(
    (key) => Array.isArray(given[key]) && key !== '_' && !options[key]?.array,
  );
  if (repeated !== undefined) throw usageFailure(`--${repeated} must not be repeated.`);
}

/** Writes a failure to standard error, as a JSON document if the command line asks for JSON. */
export function report(
  { code, message }: Failure,
  args: readonly string[],
  { err }: Pick<Context, 'err'>,
): void {
  const isJson = args.some((arg) => /^--json(=true)?$/.test(arg));
  err(isJson ? `${JSON.stringify({ error: { code, message } })}\n` : `${message}\n`);
}
