import { FORMATS, type Format } from '../../import/input/formats.ts';
import { countRejected, describeBad } from '../../import/notes.ts';
import { isoTime } from '../../lib/time/time.ts';
import { makeReport } from '../../rules/report.ts';
import { type CommandResult, command } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { choice } from '../command/options.ts';
import { count } from '../command/print.ts';
import { withInput } from '../import/input.ts';
import { withProgress } from '../import/progress.ts';
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
  options: {
    ...REPORT_OPTIONS,
    format: choice(Object.keys(FORMATS) as Format[], 'The format of the file; detected by default'),
  },
  async run(args, context): Promise<CommandResult> {
    if (args.remote) {
      throw usageFailure('check reads a file, so --remote has no effect. To check an account, use report.');
    }
    const filter = reportFilter(args);
    const now = Math.floor(context.now().getTime() / 1000);
    const reading = { now: isoTime(now), strict: false, format: args.format };
    const result = withProgress(args.progress, (progress) =>
      withInput(args.file, context, LIMITS, progress, async (input) => {
        const links: Link[] = [];
        const { parts, scan } = await checkFile(input, reading, (property) => {
          if (args.links) links.push(...linksOf(property));
        });
        const gone = args.links ? [await findGoneLinks(links, progress)] : [];
        const report = makeReport([...parts, ...gone], filter, 'en', now);
        const { format, rejections } = scan;
        const rejected = countRejected(rejections);
        const isEmpty = report.properties + rejected === 0;
        const shown = rejections.records.slice(0, SHOWN).map(describeBad).join('');
        const unread = rejected === 0 ? '' : `${count(rejected, 'record')} cannot be read:\n${shown}`;
        const rejected_records = rejections.records.map(({ line, id = null, problems }) => ({ line, id, problems }));
        return reportResult(report, filter, {
          json: { format, rejected, rejected_records },
          text: isEmpty ? 'The file has no properties.\n' : unread,
          errors: isEmpty ? 1 : rejected,
        });
      }),
    );
    // Only a conditional request can find that a file has not changed.
    return (await result)!;
  },
});
