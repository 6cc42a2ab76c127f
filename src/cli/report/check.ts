import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { FORMAT_NAMES } from '../../imports/formats/formats.ts';
import type { Input } from '../../imports/input/input.ts';
import {
  batchesOf,
  keepRecords,
  keptRecords,
  type NumberedRecord,
  type RecordStore,
} from '../../imports/pipeline/kept.ts';
import type { ReadingOptions } from '../../imports/pipeline/record.ts';
import { countRejected, describeBad } from '../../imports/pipeline/rejections.ts';
import { scan } from '../../imports/pipeline/scan.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { isoTime } from '../../lib/time/time.ts';
import type {
  FeatureDocument,
  PropertyDocument,
  TypeDocument,
} from '../../properties/documents.ts';
import { RULES } from '../../rules/all.ts';
import { checkListings, type PartialReport } from '../../rules/check.ts';
import { listedVocabulary, listingOfDocument } from '../../rules/listing.ts';
import { makeReport, reportView } from '../../rules/report.ts';
import type { FoundIn } from '../../rules/rule.ts';
import { command } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { temporaryFile } from '../command/files.ts';
import { choice } from '../command/options.ts';
import { count } from '../command/print.ts';
import { readInput } from '../portfolio/input.ts';
import { withProgress } from '../portfolio/progress.ts';
import { findGoneLinks, linksOf } from './links.ts';
import { noProperty, REPORT_OPTIONS, reportResult } from './report.ts';

const SHOWN = 10;

export const check = command({
  command: 'check [file]',
  describe:
    "Check anyone's Kyero or ReSales-Online feed, or an export, for what portals reject; without a service, nothing is stored",
  examples: {
    'feed.xml': 'Check a file',
    'https://agency.example/feed.xml --portal kyero': 'Check a feed for one portal',
    'feed.xml --rule no_pictures': 'List all findings of one rule',
  },
  options: {
    ...REPORT_OPTIONS,
    format: choice(FORMAT_NAMES, 'The format of the file; detected by default'),
  },
  async run({ portal, severity, rule, property, language, format, ...args }, context) {
    const filter = {
      portal,
      severity,
      rule: ruleNamed(rule),
      property,
      languages: languagesIn(language),
    };
    return withProgress(args.progress, async (progress) => {
      const input = await readInput(args.file, context, progress);
      const now = context.now();
      const links: FoundIn[] = [];
      const reading = { now: isoTime(now), strict: false, format };
      const { parts, rejections, ...found } = await checkFile(input, reading, (document) => {
        if (args.links) links.push(...linksOf(document));
      });
      if (
        property !== undefined &&
        !parts.some(({ traces }) => traces.some(({ id }) => id === property))
      ) {
        throw noProperty(property);
      }
      if (args.links) parts.push(await findGoneLinks(links, progress));
      const view = reportView(makeReport(parts, filter, now));
      const rejected = countRejected(rejections);
      const isEmpty = view.summary.properties + rejected === 0;
      const shown = rejections.records.slice(0, SHOWN).map(describeBad).join('');
      const unread = rejected === 0 ? '' : `${count(rejected, 'record')} cannot be read:\n${shown}`;
      const rejected_records = rejections.records.map(({ line, id = null, problems }) => ({
        line,
        id,
        problems,
      }));
      const about = {
        isWhole: rule !== undefined || property !== undefined,
        text: isEmpty ? 'The file has no properties.\n' : unread,
        errors: isEmpty ? 1 : rejected,
      };
      return reportResult(view, about, { ...found, rejected, rejected_records });
    });
  },
});

function ruleNamed(rule: string | undefined): string | undefined {
  if (rule === undefined || RULES.some(({ code }) => code === rule)) return rule;
  throw usageFailure(`--rule: there is no rule ${rule}. Their codes are in src/rules/README.md.`);
}

function languagesIn(given: string | undefined): string[] | undefined {
  const known = LANGUAGES.map(({ element }): string => element);
  const languages = given?.split(',').map((name) => name.trim());
  const unknown = languages?.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw usageFailure(`--language: ${unknown} is not one of ${known.join(', ')}.`);
  return languages;
}

/**
 * Checks the properties of a file, and calls `each` with them.
 *
 * @throws ImportError if it is truncated or invalid
 */
async function checkFile(
  input: Input,
  reading: ReadingOptions,
  each: (property: PropertyDocument) => void,
) {
  const entries: (TypeDocument | FeatureDocument)[] = [];
  using stored = await temporaryFile('records', '');
  const store: RecordStore = {
    write: (chunks) => writeFile(stored.path, chunks),
    open: (start) => createReadStream(stored.path, { start }),
  };
  const noted = async function* (records: AsyncIterable<NumberedRecord>) {
    for await (const record of records) {
      const { document } = record;
      if (document.kind === 'type' || document.kind === 'feature') entries.push(document);
      yield record;
    }
  };
  const { scan: scanned } = await scan(input, reading, (records) =>
    keepRecords(store, noted(records)),
  );
  const vocabulary = listedVocabulary([
    ...scanned.vocabulary.map(({ document }) => document),
    ...entries,
  ]);
  const parts: PartialReport[] = [];
  for await (const batch of batchesOf(keptRecords(store, { ...scanned, skipped: [] }))) {
    const properties = batch.flatMap(({ document }) =>
      document.kind === 'property' ? [document] : [],
    );
    properties.forEach(each);
    parts.push(
      checkListings(properties.map((property) => listingOfDocument(property, vocabulary))),
    );
  }
  return { parts, format: scanned.format, rejections: scanned.rejections };
}
