import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ACCOUNT, accountOf, command, type Outcome, withEnv } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { FORMATS, type Format } from '../import/formats.ts';
import { importPortfolio } from '../import/import.ts';
import { readKyeroNames } from '../import/kyero/names-table.ts';
import { NO_PROGRESS, newProgress, type Progress } from '../import/progress.ts';
import { reportOf } from '../import/report.ts';
import { openSource } from '../import/source.ts';

export const importCommand = command({
  command: 'import [file]',
  describe: "Import a file into an account's portfolio: a Kyero v3 feed, a ReSales-Online feed, or an export",
  examples: [
    ['import feed.xml --account COSTA', 'Add and update the properties of a feed'],
    ['import feed.xml --account COSTA --replace', 'Also withdraw the properties that are not in it'],
    ['import feed.xml --account COSTA --dry-run --strict', 'Report what would change; fail if a record is rejected'],
    ['import --account COSTA --remote < costa.ndjson', 'Import an export into the deployed database'],
  ],
  positionals: {
    file: { type: 'string', describe: 'The file; the standard input by default' },
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
    progress: {
      type: 'boolean',
      default: process.stderr.isTTY === true,
      defaultDescription: 'on a terminal',
      describe: 'Show progress on the standard error',
    },
  },
  async run(args, context) {
    const { replace, strict, format, 'max-withdrawn': maxWithdrawn, 'dry-run': dryRun } = args;
    if (!(maxWithdrawn >= 0 && maxWithdrawn <= 100)) {
      throw new Failure('usage', '--max-withdrawn must be a percentage, from 0 to 100.', EXIT.usage);
    }
    const progress = args.progress ? newProgress() : NO_PROGRESS;
    try {
      const source = await openSource(await bytesOf(args.file, context, progress), {
        names: () => readKyeroNames(args.names),
        now: context.now(),
        strict,
        format,
      });
      const options = { replace, maxWithdrawn, dryRun, strict };
      const result = await withEnv(context, args, async (env) =>
        importPortfolio(env, await accountOf(env, args.account, args), source, options, progress),
      );
      const { json, text, needsAttention } = reportOf(result, source, dryRun);
      return { json, text, exit: needsAttention ? EXIT.attention : EXIT.done } satisfies Outcome;
    } finally {
      // Before the result is printed: a bar holds its line.
      progress.end();
    }
  },
});

/** The bytes of a file; how much of it was read is shown as progress. */
async function bytesOf(
  file: string | undefined,
  context: Context,
  progress: Progress,
): Promise<AsyncIterable<Uint8Array>> {
  if (file === undefined) return context.input;
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `${file} cannot be read: ${error.code ?? error.message}`);
  });
  if (!found.isFile() && !found.isFIFO()) throw new Failure('no_file', `${file} is not a regular file.`);
  if (found.isFIFO()) return createReadStream(file);
  return (async function* () {
    progress.begin('Reading', found.size);
    for await (const chunk of createReadStream(file)) {
      yield chunk;
      progress.add(chunk.length);
    }
  })();
}
