import { FORMATS, type Format } from '../../import/input/formats.ts';
import { countRejected, describeBad } from '../../import/results/rejections.ts';
import { isoTime } from '../../lib/time.ts';
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
        const now = Math.floor(context.now().getTime() / 1000);
        const reading = { now: isoTime(now), strict: false, format: args.format };
        const links: Link[] = [];
        const { parts, scan } = await checkFile(input, reading, (property) => {
          if (args.links) links.push(...linksOf(property));
        });
        const gone = args.links ? [await findGoneLinks(links, progress)] : [];
        const report = makeReport([...parts, ...gone], filter, 'en', now);
        const { format, rejections } = scan;
        const rejected = countRejected(rejections);
        const shown = rejections.records.slice(0, SHOWN).map(describeBad).join('');
        const isEmpty = report.properties + rejected === 0;
        const unread = rejected === 0 ? '' : `${count(rejected, 'record')} cannot be read:\n${shown}`;
        const rejected_records = rejections.records.map(({ line, id = null, problems }) => ({ line, id, problems }));
        return reportResult(report, filter, {
          json: { format, rejected, rejected_records },
          text: isEmpty ? 'The file has no properties.\n' : unread,
          errors: isEmpty ? 1 : rejected,
        });
      } finally {
        input.close();
      }
    } finally {
      progress.end();
    }
  },
});
