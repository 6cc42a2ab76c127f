import { findChanged, writePortfolio } from '../../db/portfolio.ts';
import { findMisfits, type Placed, problemsByIndex, surroundingsReading } from '../../db/portfolio-check.ts';
import { listOnMarket, withdraw } from '../../db/portfolio-market.ts';
import { readStored } from '../../db/portfolio-read.ts';
import { read } from '../../db/reading.ts';
import type { Env } from '../../env.ts';
import { evictStale } from '../../feed/evict.ts';
import { documentKey, keyOf, type PortfolioDocument } from '../../portfolio/documents.ts';
import { Failure } from '../failure.ts';
import { count } from '../print.ts';
import { type BadRecords, describeBad } from './bad-records.ts';
import { BatchWriter, type Counts, type Unfit } from './batch-writer.ts';
import { KINDS } from './kinds.ts';
import { documentsOf } from './onto-stored.ts';
import type { Progress } from './progress.ts';
import type { Source, StagedRecord, Vocabulary } from './record.ts';
import { Spool } from './spool.ts';
import { type Staged, stage } from './stage.ts';

/** Records of one transaction, and characters of JSON that they have at the most. */
const BATCH = 200;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

export interface ImportOptions {
  /** Whether properties that the file does not have are taken off the market. */
  readonly replace: boolean;
  /** The most of those on the market, in percent, that may be taken off it. */
  readonly maxWithdrawn: number;
  /** Whether nothing is to be written. */
  readonly dryRun: boolean;
  /** Whether one bad record is enough to change nothing. */
  readonly strict: boolean;
}

/** What an import has done, or would do. */
export interface Imported {
  readonly records: number;
  readonly written: number;
  readonly unchanged: number;
  readonly withdrawn: number;
  readonly bad: BadRecords;
}

/**
 * Imports a file into an account's portfolio, record by record under its key; repeated, it changes nothing. The file is
 * read to its end before anything is written. Then records are written some hundred at a time, each time in one
 * transaction: an import that is killed leaves whole records, and done again ends as it would have.
 *
 * @throws Failure where the file breaks off or is not of its format, a record is bad and `strict` is asked for, or more
 * would be taken off the market than may be; nothing is changed then
 */
export async function importPortfolio(
  env: Env,
  accountId: number,
  source: Source,
  options: ImportOptions,
  progress: Progress,
): Promise<Imported> {
  const spool = await Spool.create();
  try {
    const staged = await stage(source, spool);
    const vocabulary = await findNewVocabulary(env.DB, accountId, source.vocabulary());
    for (const document of vocabulary) staged.keys.add(documentKey(document));
    const gone = options.replace ? await findGone(env.DB, accountId, staged, options.maxWithdrawn) : [];
    if (options.strict || options.dryRun) await check(env.DB, accountId, staged, gone);
    if (options.strict && staged.bad.count > 0) throw strictFailure(staged.bad);
    const work = options.dryRun ? countChanges : writeAll;
    try {
      const counts = await work(env.DB, accountId, staged, vocabulary, gone, progress);
      return { records: staged.records, ...counts, bad: staged.bad };
    } finally {
      // What is left of them is served to nobody, and expires.
      if (!options.dryRun) await evictStale(env, accountId).catch(() => {});
    }
  } finally {
    await spool.remove();
  }
}

/** What is to be written of types and features that the records name. */
async function findNewVocabulary(
  db: D1Database,
  accountId: number,
  { set, fallback }: Vocabulary,
): Promise<PortfolioDocument[]> {
  const stored = await readStored(db, accountId, fallback);
  const documents = [...set, ...fallback.filter((document) => !stored.has(documentKey(document)))];
  return KINDS.flatMap((kind) => documents.filter((document) => document.kind === kind));
}

/**
 * Finds records that do not fit those of the file that are good, or what is stored, before any is written; else that
 * shows when they are. One that is found may have been what another needs, so all are looked at until none is found.
 */
async function check(
  db: D1Database,
  accountId: number,
  { spool, keys, bad }: Staged,
  gone: readonly string[],
): Promise<void> {
  const withdrawn = new Set(gone.map((id) => keyOf('property', id)));
  const given = { has: (key: string) => keys.has(key) || withdrawn.has(key) };
  for (let found = -1; found < bad.count; ) {
    found = bad.count;
    for (const kind of KINDS) {
      for await (const batch of spool.batches(kind, BATCH, BATCH_CHARACTERS)) {
        const records = batch.filter(({ number }) => !bad.has(number));
        const documents = records.map(({ document }) => document);
        const surroundings = await read(db, surroundingsReading(db, accountId, documents));
        const placed = documents.map((document, index): Placed => [index, document]);
        for (const [index, problems] of problemsByIndex(findMisfits(placed, surroundings, given))) {
          addUnfit(bad, { record: records[index]!, problems });
          keys.delete(documentKey(records[index]!.document));
        }
      }
    }
  }
}

function addUnfit(
  bad: BadRecords,
  { record: { number, line, document }, problems }: Pick<Unfit, 'record' | 'problems'>,
): void {
  bad.add(number, { line, id: document.kind === 'property' ? document.id : undefined, problems });
}

function strictFailure(bad: BadRecords): Failure {
  const shown = bad.remembered.slice(0, 20).map(describeBad).join('');
  return new Failure('bad_records', `${shown}${count(bad.count, 'bad record')}, so nothing was changed.`);
}

/** The properties on the market that the file does not have. */
async function findGone(
  db: D1Database,
  accountId: number,
  { ids, nameless }: Staged,
  maxWithdrawn: number,
): Promise<string[]> {
  if (nameless.length > 0) {
    throw new Failure(
      'nameless_records',
      `The record at line ${nameless[0]} does not say which it is, so none can be known to be gone. Nothing was changed.`,
    );
  }
  const gone: string[] = [];
  let onMarket = 0;
  for await (const id of listOnMarket(db, accountId)) {
    onMarket++;
    if (!ids.has(id)) gone.push(id);
  }
  if (gone.length * 100 > onMarket * maxWithdrawn) {
    throw new Failure(
      'too_many_withdrawn',
      `The file lacks ${gone.length} of ${onMarket} properties on the market, more than ${maxWithdrawn}%. Nothing was ` +
        'changed. If they are to go, say so with --max-withdrawn 100.',
    );
  }
  return gone;
}

/** What has been done, or would be. */
interface Done extends Counts {
  readonly withdrawn: number;
}

async function countChanges(
  db: D1Database,
  accountId: number,
  { spool, bad }: Staged,
  vocabulary: readonly PortfolioDocument[],
  gone: readonly string[],
): Promise<Done> {
  let written = (await findChanged(db, accountId, vocabulary)).length;
  let unchanged = vocabulary.length - written;
  for (const kind of KINDS) {
    for await (const batch of spool.batches(kind, BATCH, BATCH_CHARACTERS)) {
      const records = batch.filter(({ number }) => !bad.has(number));
      const [documents, onto] = documentsOf(records);
      const changed = (await findChanged(db, accountId, documents, onto)).length;
      written += changed;
      unchanged += documents.length - changed;
    }
  }
  return { written, unchanged, withdrawn: gone.length };
}

async function writeAll(
  db: D1Database,
  accountId: number,
  { spool, keys, bad }: Staged,
  vocabulary: readonly PortfolioDocument[],
  gone: readonly string[],
  progress: Progress,
): Promise<Done> {
  const counts = await writePortfolio(db, accountId, vocabulary);
  const writer = new BatchWriter(db, accountId, counts);
  const late: StagedRecord[] = [];
  progress.begin('Writing', keys.size);
  progress.add(vocabulary.length);
  for (const kind of KINDS) {
    for await (const batch of spool.batches(kind, BATCH, BATCH_CHARACTERS)) {
      const unfit = await writer.write(batch.filter(({ number }) => !bad.has(number)));
      for (const one of unfit) {
        if (one.mayPass) late.push(one.record);
        else addUnfit(bad, one);
      }
      progress.add(batch.length);
    }
    // The next kind may name what is of this one.
    await writer.finish();
  }
  const withdrawn = await withdraw(db, accountId, gone);
  // What needs a change of a later batch, as two properties do that exchange their units, fits once all the rest is there;
  // so does a property that is the unit of one that is gone.
  for (const unfit of await writer.write(late)) addUnfit(bad, unfit);
  await writer.finish();
  return { ...counts, withdrawn };
}
