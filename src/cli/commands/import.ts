import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ACCOUNT, accountOf, command, type Outcome, withEnv } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { describeBad } from '../import/bad-records.ts';
import { type Imported, importPortfolio } from '../import/import.ts';
import { readKyeroNames } from '../import/kyero/names-table.ts';
import { NO_PROGRESS, newProgress, type Progress } from '../import/progress.ts';
import type { Source } from '../import/record.ts';
import { openSource } from '../import/source.ts';
import { count } from '../print.ts';

/** Bad records shown to a person. */
const SHOWN = 50;

export const importCommand = command({
  command: 'import [file]',
  describe: "Write a file's records into an account's portfolio: a Kyero v3 feed, or NDJSON as export gives it",
  examples: [
    ['import feed.xml --account COSTA', 'Add and update the properties of a Kyero feed'],
    ['import feed.xml --account COSTA --replace', 'And take those off the market that it no longer has'],
    ['import feed.xml --account COSTA --dry-run --strict', 'Say what would be done, and fail if a record is bad'],
    ['import --account COSTA --remote < costa.ndjson', 'Write an export into the deployed database'],
  ],
  positionals: {
    file: { type: 'string', describe: 'The file; the standard input without one' },
  },
  options: {
    account: ACCOUNT,
    replace: {
      type: 'boolean',
      default: false,
      describe: 'Take properties off the market that the file does not have',
    },
    'max-withdrawn': {
      type: 'number',
      default: 30,
      requiresArg: true,
      describe: 'With --replace: change nothing if more of those on the market would go, in percent',
    },
    'dry-run': { type: 'boolean', default: false, describe: 'Change nothing, and say what would be done' },
    strict: {
      type: 'boolean',
      default: false,
      describe: 'Change nothing if one record is bad; else bad ones are skipped',
    },
    names: {
      type: 'string',
      requiresArg: true,
      describe: "A table of one's own of what Kyero's names of types and features stand for, over the built-in one",
    },
  },
  async run(args, context) {
    const { replace, strict, 'max-withdrawn': maxWithdrawn, 'dry-run': dryRun } = args;
    if (!(maxWithdrawn >= 0 && maxWithdrawn <= 100)) {
      throw new Failure('usage', '--max-withdrawn must be a percentage, from 0 to 100.', EXIT.usage);
    }
    const progress = args.json ? NO_PROGRESS : newProgress();
    try {
      const source = await openSource(
        await bytesOf(args.file, context, progress),
        () => readKyeroNames(args.names),
        context.now(),
      );
      const options = { replace, maxWithdrawn, dryRun, strict };
      const result = await withEnv(context, args, async (env) =>
        importPortfolio(env, await accountOf(env, args.account, args), source, options, progress),
      );
      return outcomeOf(result, source, dryRun);
    } finally {
      // Before what has come of it is told: a bar holds its line.
      progress.end();
    }
  },
});

function outcomeOf(result: Imported, source: Source, dryRun: boolean): Outcome {
  const { bad, ...counts } = result;
  const ignored = [...source.ignored()].map(([name, { times, line }]) => ({ name, times, line }));
  const shown = bad.remembered.slice(0, SHOWN);
  return {
    json: {
      format: source.format,
      dry_run: dryRun,
      ...counts,
      skipped: bad.count,
      skipped_records: bad.remembered.map(({ line, id, problems }) => ({ line, id: id ?? null, problems })),
      ignored,
    },
    text: [
      ...shown.map((record) => `Skipped: ${describeBad(record)}`),
      bad.count > shown.length ? `Skipped: ${count(bad.count - shown.length, 'more record')}\n` : '',
      ...ignored.map(({ name, times, line }) => `Not taken: ${name}, ${count(times, 'time')}, first at line ${line}\n`),
      `${count(counts.records, 'record')} read${dryRun ? '; nothing was changed. It would be' : ''}: `,
      `${counts.written} written, ${counts.unchanged} unchanged, ${bad.count} skipped, `,
      `${counts.withdrawn} taken off the market.\n`,
    ].join(''),
    // A file of none but what is not taken is hardly what was meant.
    exit: bad.count > 0 || (counts.records === 0 && ignored.length > 0) ? EXIT.attention : EXIT.done,
  };
}

/** The bytes of a file; how far they are read is told. */
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
