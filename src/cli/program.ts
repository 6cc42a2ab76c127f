import yargs from 'yargs';
import { describeError } from '../lib/log.ts';
import { type AnyCommand, PROGRAM } from './command.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode, Failure, failureIn, ReaderGone } from './failure.ts';

/** The commands by their first word, each loaded when it is needed. */
const COMMANDS: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  setup: async () => (await import('./commands/setup.ts')).setup,
  account: async () => (await import('./commands/account.ts')).account,
  client: async () => (await import('./commands/client.ts')).client,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  key: async () => (await import('./commands/key.ts')).key,
  snapshot: async () => (await import('./commands/snapshot.ts')).snapshot,
  unit: async () => (await import('./commands/unit.ts')).unit,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
};

const EPILOGUE =
  'Exit codes: 0 done; 1 failed; 2 wrong usage; 3 done, but something wants attention: records were skipped, or ' +
  'nothing of the file was taken, or the doctor has a finding.';

/**
 * Runs the operator's program once.
 *
 * @param args the command line, without the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[], context: Context): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const parser = yargs()
    .scriptName(PROGRAM)
    .usage('$0 <command>\n\nRuns the feeds: accounts, clients, portfolios, keys, and what is kept.')
    .locale('en')
    .wrap(100)
    .version(false)
    .help('help', 'Show this help')
    .options({
      remote: {
        type: 'boolean',
        default: false,
        describe: 'Work on the deployed database and store, not on those of this machine',
      },
      'persist-to': {
        type: 'string',
        default: '.wrangler/state',
        requiresArg: true,
        describe: 'The directory of the local ones, as wrangler dev has it',
      },
      json: { type: 'boolean', default: false, describe: 'Print one JSON document instead of text' },
    })
    .demandCommand(1, 'Which command? See --help.')
    .strict()
    .recommendCommands()
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof Error && error.name !== 'YError' ? error : new Failure('usage', message, EXIT.usage);
    })
    .epilogue(EPILOGUE);
  for (const make of await loadCommands(args)) {
    parser.command(
      make(context, (code) => {
        exit = code;
      }),
    );
  }
  try {
    let help = '';
    await parser.parseAsync(args, {}, (_error, _args, output) => {
      help = output;
    });
    if (help !== '') await context.out(`${help}\n`);
    return exit;
  } catch (error) {
    if (error instanceof ReaderGone) return exit;
    const failure = failureIn(error) ?? new Failure('failed', describe(error));
    report(failure, args, context);
    return failure.exit;
  }
}

/** The commands that a command line may mean; all of them if it names none. */
function loadCommands(args: readonly string[]): Promise<AnyCommand[]> {
  const named = Object.keys(COMMANDS).filter((name) => args.includes(name));
  return Promise.all((named.length > 0 ? named : Object.keys(COMMANDS)).map((name) => COMMANDS[name]!()));
}

/** Says why a command line is not carried out. */
export function report({ code, message }: Failure, args: readonly string[], { err }: Pick<Context, 'err'>): void {
  err(
    args.some((arg) => /^--json(=true)?$/.test(arg))
      ? `${JSON.stringify({ error: { code, message } })}\n`
      : `${message}\n`,
  );
}

/** Database errors carry statements with their parameters, so their first line is all that is shown. */
function describe(error: unknown): string {
  const text = describeError(error);
  return text.includes('no such table') ? `${text}. The database lacks its tables: ${MIGRATE}` : text;
}

const MIGRATE = 'run npm start for the local one, npm run deploy for the deployed one.';
