import { FORMATS, type Format } from '../../import/input/formats.ts';
import type { Input } from '../../import/input/input.ts';
import { countRejected, describeBad } from '../../import/notes.ts';
import type { ReadingOptions } from '../../import/record.ts';
import { batchesOf, recordsOf, scan } from '../../import/scan.ts';
import { isoTime } from '../../lib/time/time.ts';
import type { FeatureDocument, PropertyDocument, TypeDocument } from '../../portfolio/documents.ts';
import { checkListings, type PartialReport } from '../../rules/check.ts';
import { listedVocabulary, listingOfDocument } from '../../rules/listing.ts';
import type { FoundIn } from '../../rules/rule.ts';
import { command } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { choice } from '../command/options.ts';
import { count } from '../command/print.ts';
import { withInput } from '../portfolio/input.ts';
import { withProgress } from '../portfolio/progress.ts';
import { findGoneLinks, linksOf, REPORT_OPTIONS, reportFilter, reportOn, reportResult } from './report.ts';

const SHOWN = 10;

export const check = command({
  command: 'check [file]',
  describe: "Check anyone's Kyero or ReSales-Online feed, or an export, for what portals reject; nothing is stored",
  options: {
    ...REPORT_OPTIONS,
    format: choice(Object.keys(FORMATS) as Format[], 'The format of the file; detected by default'),
  },
  async run(args, context) {
    if (args.remote) {
      throw usageFailure('check reads a file, so --remote has no effect. To check an account, use report.');
    }
    const filter = reportFilter(args);
    const now = context.now();
    const result = await withProgress(args.progress, (progress) =>
      withInput(args.file, context, { timeout: 60_000, maxBytes: 2 * 1024 ** 3, progress }, async (input) => {
        const links: FoundIn[] = [];
        const reading = { now: isoTime(now), strict: false, format: args.format };
        const { parts, format, rejections } = await checkFile(input, reading, (property) => {
          if (args.links) links.push(...linksOf(property));
        });
        if (args.links) parts.push(await findGoneLinks(links, progress));
        const report = reportOn(parts, filter, now);
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
    return result!;
  },
});

/** Checks the properties of a file, and calls `each` with them. @throws ImportError if it is truncated or invalid */
async function checkFile(input: Input, reading: ReadingOptions, each: (property: PropertyDocument) => void) {
  const entries: (TypeDocument | FeatureDocument)[] = [];
  const { scan: scanned } = await scan(input, reading, (document) => {
    if (document.kind === 'type' || document.kind === 'feature') entries.push(document);
  });
  const vocabulary = listedVocabulary([...scanned.vocabulary.map(({ document }) => document), ...entries]);
  const parts: PartialReport[] = [];
  for await (const batch of batchesOf(recordsOf(input, scanned))) {
    const properties = batch.flatMap(({ document }) => (document.kind === 'property' ? [document] : []));
    properties.forEach(each);
    parts.push(checkListings(properties.map((property) => listingOfDocument(property, vocabulary))));
  }
  return { parts, format: scanned.format, rejections: scanned.rejections };
}
