import { readFile, writeFile } from 'node:fs/promises';
import { importPortfolio } from '../../import/import.ts';
import { FORMATS, type Format } from '../../import/input/formats.ts';
import { parseNames } from '../../import/names/names-table.ts';
import { reportOf } from '../../import/report.ts';
import { isoTime } from '../../lib/time/time.ts';
import { inAccount } from '../command/account.ts';
import { type CommandResult, command } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { EXIT, Failure, usageFailure } from '../command/failure.ts';
import { ACCOUNT, choice, flag, number, PERCENTAGE, SERVICE, text } from '../command/options.ts';
import { count } from '../command/print.ts';
import { importInWorker } from '../import/in-worker.ts';
import { addressIn, withInput } from '../import/input.ts';
import { PROGRESS, withProgress } from '../import/progress.ts';
import { countRejected, importResult } from '../import/report.ts';
import { validatorsOf } from '../import/validators.ts';

export const importCommand = command({
  command: 'import [file]',
  describe: "Import a file into an account's portfolio: a Kyero v3 feed, a ReSales-Online feed, or an export",
  options: {
    account: ACCOUNT,
    format: choice(Object.keys(FORMATS) as Format[], 'The format of the file; detected by default'),
    replace: flag('Withdraw listed properties that are not in the file'),
    'max-withdrawn': number(30, 'With --replace: abort if more than this percentage would be withdrawn', PERCENTAGE),
    'dry-run': flag('Report what would change, and change nothing'),
    strict: flag('Reject records that are not exactly as specified, and abort if any record is rejected'),
    names: text('A table of your own of the names of types and features, in addition to the built-in one'),
    'write-names': text('Write unknown names of types and features to a file, to be completed and passed to --names'),
    force: flag('Download the file even if its server says that it has not changed since its last import'),
    timeout: number(60, 'Abort a download if the server sends nothing for this many seconds', {
      must: 'a number of seconds, up to 3600',
      test: (value) => value > 0 && value <= 3600,
    }),
    'max-download': number(2048, 'Abort a download of more than this many MiB', {
      must: 'a number of MiB',
      test: (value) => value > 0,
    }),
    'in-worker': flag('Send the file, or its URL, to the running service, which imports it'),
    origin: SERVICE,
    progress: PROGRESS,
  },
  async run(args, context) {
    const { file, replace, strict, format, timeout, 'max-withdrawn': maxWithdrawn, 'dry-run': dryRun } = args;
    const { 'max-download': maxDownload, 'write-names': namesFile } = args;
    if (args['in-worker']) {
      if (dryRun || args.names !== undefined || namesFile !== undefined) {
        throw usageFailure('--in-worker excludes --dry-run, --names and --write-names.');
      }
      const options = { replace: String(replace), strict: String(strict), max_withdrawn: String(maxWithdrawn) };
      const query = new URLSearchParams({ ...options, ...(format === undefined ? {} : { format }) });
      return withProgress(args.progress, (progress) => importInWorker(context, args, query, progress));
    }
    const result = await withProgress(args.progress, (progress) =>
      inAccount(context, args, async ({ env, accountId }): Promise<CommandResult | null> => {
        const address = addressIn(file);
        const names = args.names === undefined ? undefined : await readNames(args.names);
        const from = [address?.href, accountId, [replace, strict, format, names]];
        const validators = address === null || dryRun ? null : validatorsOf(args, context, from);
        const known = args.force ? undefined : await validators?.read();
        const limits = { known, timeout: timeout * 1000, most: maxDownload * 1024 ** 2 };
        let written = 0;
        return withInput(file, context, limits, progress, async (input) => {
          const { plan, cursor } = await importPortfolio(env, accountId, input, {
            names: names === undefined ? undefined : parseNames(names),
            ...{ now: isoTime(Math.floor(context.now().getTime() / 1000)), strict, format },
            ...{ replace, maxWithdrawn, dryRun },
            onPlan: (records) => progress.begin('Writing', records),
            onBatch(records) {
              progress.add(records);
              written += records;
              noteChange(`At least ${count(written, 'record')} had been written. Repeat the import to write the rest.`);
            },
          });
          if (namesFile !== undefined) await writeNames(namesFile, plan.unknownNames);
          const report = reportOf(plan, cursor, dryRun);
          if (input.validators !== undefined && countRejected(report) === 0) await validators?.store(input.validators);
          return importResult(report);
        });
      }),
    );
    const unchanged =
      'The file has not changed since its last import: nothing was imported. Use --force to import it again.\n';
    return result ?? { json: { not_modified: true }, text: unchanged };
  },
});

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
