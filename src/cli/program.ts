import yargs from 'yargs';
import { describeError } from '../lib/log.ts';
import { type AnyCommand, PROGRAM, STANDARD_INPUT } from './command/command.ts';
import type { Context } from './command/context.ts';
import { EXIT, type ExitCode, Failure, failureIn, OutputClosed, usageFailure } from './command/failure.ts';
import { flag, text } from './command/options.ts';

/** The commands by their first word, each loaded when it is needed. */
const COMMANDS: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  setup: async () => (await import('./setup/command.ts')).setup,
  account: async () => (await import('./commands/account.ts')).account,
  client: async () => (await import('./commands/client.ts')).client,
  channel: async () => (await import('./commands/channel.ts')).channel,
  reader: async () => (await import('./commands/reader.ts')).reader,
  source: async () => (await import('./commands/source.ts')).source,
  webhook: async () => (await import('./commands/webhook.ts')).webhook,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  check: async () => (await import('./report/check.ts')).check,
  report: async () => (await import('./report/account.ts')).report,
  key: async () => (await import('./commands/key.ts')).key,
  snapshot: async () => (await import('./commands/snapshot.ts')).snapshot,
  property: async () => (await import('./commands/unit.ts')).property,
  unit: async () => (await import('./commands/unit.ts')).unit,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restored: async () => (await import('./commands/restored.ts')).restored,
  doctor: async () => (await import('./doctor/command.ts')).doctor,
  deploy: async () => (await import('./deploy/command.ts')).deployCommand,
  smoke: async () => (await import('./smoke/command.ts')).smoke,
};

const EPILOGUE =
  'Exit codes: 0 completed; 1 failed; 2 invalid command line; 3 completed with warnings, such as rejected records or ' +
  'a finding of the doctor.';

/**
 * Runs the program once.
 *
 * @param args the command line, without the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[], context: Context): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const parser = yargs()
    .scriptName(PROGRAM)
    .usage(
      '$0 <command>\n\nDeploys and verifies the service; manages accounts and what belongs to them, signing keys and snapshots.',
    )
    .locale('en')
    .wrap(100)
    .version(false)
    .help('help', 'Show this help')
    .options({
      remote: flag('Work on the deployed database and KV namespace instead of the local ones'),
      env: text('With --remote or deploy: the environment of wrangler.toml, such as staging; production by default'),
      'persist-to': {
        ...text('The directory of the local state, as in wrangler dev'),
        default: '.wrangler/state',
      },
      json: flag('Print a JSON document instead of text'),
    })
    .middleware(({ env }) => {
      if (typeof env === 'string') process.env.CLOUDFLARE_ENV = env;
    })
    .demandCommand(1, `A command is missing. For a list: ${PROGRAM} --help`)
    .strict()
    .recommendCommands()
    .exitProcess(false)
    .fail((message, error) => {
      throw error instanceof Error && error.name !== 'YError' ? error : usageFailure(message);
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
    // yargs would pass `-` on as an empty text.
    const given = args.map((arg) => (arg === '-' && args.includes('import') ? STANDARD_INPUT : arg));
    await parser.parseAsync(given, {}, (_error, _args, output) => {
      help = output;
    });
    if (help !== '') await context.out(`${help}\n`);
    return exit;
  } catch (error) {
    if (error instanceof OutputClosed) return exit;
    const failure = failureIn(error) ?? new Failure('failed', describe(error));
    report(failure, args, context);
    return failure.exit;
  }
}

/** The commands that a command line may mean: those that it names, or all. */
function loadCommands(args: readonly string[]): Promise<AnyCommand[]> {
  const named = Object.keys(COMMANDS).filter((name) => args.includes(name));
  return Promise.all((named.length > 0 ? named : Object.keys(COMMANDS)).map((name) => COMMANDS[name]!()));
}

/** Writes a failure to the standard error, as a JSON document if the command line asks for JSON. */
export function report({ code, message }: Failure, args: readonly string[], { err }: Pick<Context, 'err'>): void {
  err(
    args.some((arg) => /^--json(=true)?$/.test(arg))
      ? `${JSON.stringify({ error: { code, message } })}\n`
      : `${message}\n`,
  );
}

function describe(error: unknown): string {
  const text = describeError(error);
  if (!text.includes('no such table')) return text;
  return `${text}. The database has no tables. For the local one: npm run setup. For the deployed one: npm run deploy`;
}
