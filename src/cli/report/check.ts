import { FORMATS, type Format } from '../../import/input/formats.ts';
import { readKyeroNames } from '../../import/names/names-table.ts';
import { describeBad } from '../../import/results/bad-records.ts';
import { openSource } from '../../import/source.ts';
import { makeReport } from '../../rules/report.ts';
import { type CommandResult, command } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { count } from '../command/print.ts';
import { openInput } from '../import/input.ts';
import { NO_PROGRESS, newProgress } from '../import/progress.ts';
import { checkFile } from './check-file.ts';
import { findGoneLinks, type Link, linksOf } from './links.ts';
import { REPORT_OPTIONS, reportFilter } from './options.ts';
import { reportResult } from './result.ts';

/** Milliseconds that a server may be silent, and bytes that it may send. */
const LIMITS = { timeout: 60_000, most: 2 * 1024 ** 3 };

/** Rejected records that the text shows. */
const SHOWN = 10;

export const check = command({
  command: 'check [file]',
  describe: "Check anyone's Kyero or ReSales-Online feed, or an export, for what portals reject; nothing is stored",
  examples: [
    ['check feed.xml', 'Check a file'],
    ['check https://agency.example/feed.xml --portal kyero', 'Check a feed for one portal'],
    ['check feed.xml --rule no_pictures', 'List all findings of one rule'],
  ],
  positionals: {
    file: { type: 'string', describe: 'A path or an http(s) URL, gzipped or not; the standard input by default' },
  },
  options: {
    ...REPORT_OPTIONS,
    format: {
      choices: Object.keys(FORMATS) as Format[],
      requiresArg: true,
      describe: 'The format of the file; detected by default',
    },
  },
  async run(args, context): Promise<CommandResult> {
    if (args.remote)
      throw usageFailure('check reads a file, so --remote has no effect. To check an account, use report.');
    const filter = reportFilter(args);
    const progress = args.progress ? newProgress() : NO_PROGRESS;
    try {
      const input = await openInput(args.file, context.input, LIMITS, progress);
      if (input === null) throw new Error('The server returned 304 to an unconditional request');
      try {
        const source = await openSource(input.bytes, {
          names: () => readKyeroNames(undefined),
          now: context.now(),
          strict: false,
          format: args.format,
        });
        const links: Link[] = [];
        const { parts, bad } = await checkFile(source, (property) => {
          if (args.links) links.push(...linksOf(property));
        });
        const gone = args.links ? [await findGoneLinks(links, progress)] : [];
        const report = makeReport([...parts, ...gone], filter, 'en', Math.floor(context.now().getTime() / 1000));
        const rejected = bad.remembered.slice(0, SHOWN).map(describeBad).join('');
        const unread = bad.count === 0 ? '' : `${count(bad.count, 'record')} cannot be read:\n${rejected}`;
        const isEmpty = report.properties + bad.count === 0;
        return reportResult(report, filter, {
          json: {
            format: source.format,
            rejected: bad.count,
            rejected_records: bad.remembered.map(({ line, id, problems }) => ({ line, id: id ?? null, problems })),
          },
          text: isEmpty ? 'The file has no properties.\n' : unread,
          errors: isEmpty ? 1 : bad.count,
        });
      } finally {
        input.close();
      }
    } finally {
      progress.end();
    }
  },
});
