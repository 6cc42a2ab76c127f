import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { importPortfolio } from '../../import/import.ts';
import { FORMATS, type Format } from '../../import/input/formats.ts';
import { parseNames } from '../../import/names/names-table.ts';
import { reportOf } from '../../import/report.ts';
import { isoTime } from '../../lib/time.ts';
import { ACCOUNT, inAccount } from '../command/account.ts';
import { type CommandResult, command } from '../command/command.ts';
import type { Context, Target } from '../command/context.ts';
import { EXIT, Failure, usageFailure } from '../command/failure.ts';
import { SERVICE } from '../command/service.ts';
import { addressIn } from '../import/address.ts';
import { importInWorker } from '../import/in-worker.ts';
import { openInput } from '../import/input.ts';
import { NO_PROGRESS, newProgress } from '../import/progress.ts';
import { countRejected, needsAttention, reportText } from '../import/report.ts';
import { type ImportedFrom, readValidators, storeValidators } from '../import/validators.ts';

export const importCommand = command({
  command: 'import [file]',
  describe: "Import a file into an account's portfolio: a Kyero v3 feed, a ReSales-Online feed, or an export",
  examples: [
    ['import feed.xml --account COSTA', 'Add and update the properties of a feed'],
    ['import feed.xml --account COSTA --replace', 'Also withdraw the properties that are not in it'],
    ['import feed.xml --account COSTA --dry-run --strict', 'Report what would change; fail if a record is rejected'],
    ['import https://agency.example/feed.xml --account COSTA', 'Download a feed, and import it if it has changed'],
    ['import feed.xml --account COSTA --in-worker --remote', 'Let the deployed service import a feed'],
    ['import --account COSTA --remote < costa.ndjson', 'Import an export into the deployed database'],
  ],
  positionals: {
    file: { type: 'string', describe: 'A path or an http(s) URL, gzipped or not; - or nothing for the standard input' },
  },
  options: {
    account: ACCOUNT,
    format: {
      choices: Object.keys(FORMATS) as Format[],
      requiresArg: true,
      describe: 'The format of the file; detected by default',
    },
    replace: {
      type: 'boolean',
      default: false,
      describe: 'Withdraw listed properties that are not in the file',
    },
    'max-withdrawn': {
      type: 'number',
      default: 30,
      requiresArg: true,
      describe: 'With --replace: abort if more than this percentage would be withdrawn',
    },
    'dry-run': { type: 'boolean', default: false, describe: 'Report what would change, and change nothing' },
    strict: {
      type: 'boolean',
      default: false,
      describe: 'Reject records that are not exactly as specified, and abort if any record is rejected',
    },
    names: {
      type: 'string',
      requiresArg: true,
      describe: 'A table of your own of the names of types and features, in addition to the built-in one',
    },
    'write-names': {
      type: 'string',
      requiresArg: true,
      describe: 'Write unknown names of types and features to a file, to be completed and passed to --names',
    },
    force: {
      type: 'boolean',
      default: false,
      describe: 'Download the file even if its server says that it has not changed since its last import',
    },
    timeout: {
      type: 'number',
      default: 60,
      requiresArg: true,
      describe: 'Abort a download if the server sends nothing for this many seconds',
    },
    'max-download': {
      type: 'number',
      default: 2048,
      requiresArg: true,
      describe: 'Abort a download of more than this many MiB',
    },
    'in-worker': {
      type: 'boolean',
      default: false,
      describe: 'Send the file, or its URL, to the running service, which imports it',
    },
    origin: SERVICE,
    progress: {
      type: 'boolean',
      default: process.stderr.isTTY === true,
      defaultDescription: 'on a terminal',
      describe: 'Show progress on the standard error',
    },
  },
  async run(args, context) {
    const { file, replace, strict, format, timeout, 'max-withdrawn': maxWithdrawn, 'dry-run': dryRun } = args;
    const { 'max-download': maxDownload, 'write-names': namesFile } = args;
    if (!(maxWithdrawn >= 0 && maxWithdrawn <= 100)) {
      throw usageFailure('--max-withdrawn must be a percentage from 0 to 100.');
    }
    if (!(timeout > 0 && timeout <= 3600)) {
      throw usageFailure('--timeout must be a number of seconds, up to 3600.');
    }
    if (!(maxDownload > 0)) throw usageFailure('--max-download must be a number of MiB.');
    const progress = args.progress ? newProgress() : NO_PROGRESS;
    if (args['in-worker']) {
      if (dryRun || args.names !== undefined || namesFile !== undefined) {
        throw usageFailure('--in-worker excludes --dry-run, --names and --write-names.');
      }
      const options = { replace: String(replace), strict: String(strict), max_withdrawn: String(maxWithdrawn) };
      const query = new URLSearchParams({ ...options, ...(format === undefined ? {} : { format }) });
      return importInWorker(context, { ...args, query }, progress).finally(() => progress.end());
    }
    try {
      return await inAccount(context, args, async (env, accountId): Promise<CommandResult> => {
        const state = stateOf(args, context);
        const address = addressIn(file);
        const names = args.names === undefined ? undefined : await readNames(args.names);
        const from: ImportedFrom | null = address && { address, accountId, options: [replace, strict, format, names] };
        const known = from === null || args.force || dryRun ? undefined : await readValidators(state, from);
        const limits = { known, timeout: timeout * 1000, most: maxDownload * 1024 ** 2 };
        const input = await openInput(file, context.input, limits, progress);
        if (input === null) return NOT_MODIFIED;
        try {
          const { plan, cursor } = await importPortfolio(env, accountId, input, {
            names: names === undefined ? undefined : parseNames(names),
            ...{ now: isoTime(Math.floor(context.now().getTime() / 1000)), strict, format },
            ...{ replace, maxWithdrawn, dryRun },
            onPlan: (records) => progress.begin('Writing', records),
            onBatch: (records) => progress.add(records),
          });
          if (namesFile !== undefined) await writeNames(namesFile, plan.unknownNames);
          const report = reportOf(plan, cursor, dryRun);
          if (from !== null && input.validators !== undefined && !dryRun && countRejected(report) === 0) {
            await storeValidators(state, from, input.validators);
          }
          return { json: report, text: reportText(report), exit: needsAttention(report) ? EXIT.warnings : EXIT.ok };
        } finally {
          input.close();
        }
      });
    } finally {
      // Before the result is printed, because a progress bar occupies its line.
      progress.end();
    }
  },
});

/** The result for a file that has not changed since its last import. */
const NOT_MODIFIED: CommandResult = {
  json: { not_modified: true },
  text: 'The file has not changed since its last import: nothing was imported. Use --force to import it again.\n',
};

/** The directory of the database's state; for a deployed database, one in the project's directory. */
function stateOf({ remote, persistTo }: Target, { directory }: Context): string {
  return remote ? join(directory, '.wrangler', 'remote') : resolve(directory, persistTo);
}

async function readNames(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure('bad_names', `The table of names ${file} cannot be read: ${error.code}.`, EXIT.usage);
  });
}

async function writeNames(file: string, names: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(names, null, 2)}\n`).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `The properties are imported, but ${file} cannot be written: ${error.code}.`);
  });
}
