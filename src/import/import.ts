import { Failure } from '../cli/command/failure.ts';
import { count } from '../cli/command/print.ts';
import type { Progress } from '../cli/import/progress.ts';
import { listChannelNames } from '../db/portfolio/channels.ts';
import { findConflicts, type Placed, problemsByIndex, surroundingsReading } from '../db/portfolio/conflicts.ts';
import { listListed, withdraw } from '../db/portfolio/listed.ts';
import { readStored, type Stored } from '../db/portfolio/read.ts';
import { read } from '../db/portfolio/reading.ts';
import { findChanged, writePortfolio } from '../db/portfolio/write.ts';
import type { Env } from '../env.ts';
import { evictStale } from '../feed/invalidation/evict.ts';
import { documentKey, keyOf, type PortfolioDocument } from '../portfolio/documents.ts';
import { KINDS } from './kinds.ts';
import type { Source, StagedRecord, Vocabulary } from './record.ts';
import { type BadRecords, describeBad } from './results/bad-records.ts';
import { Tally } from './results/tally.ts';
import { BatchWriter, type Conflicting } from './write/batch-writer.ts';
import { withoutKnownUnits } from './write/known-units.ts';
import { documentsOf } from './write/merge-stored.ts';
import { Spool } from './write/spool.ts';
import { type Staged, stage } from './write/stage.ts';

/** Maximum number of records in one transaction, and of their bytes in the spool: more outlive garbage collections. */
const BATCH = 150;
const BATCH_BYTES = 4 * 1024 * 1024;

export interface ImportOptions {
  /** Whether listed properties that the file does not have are withdrawn. */
  readonly replace: boolean;
  /** The most of the listed properties, in percent, that may be withdrawn. */
  readonly maxWithdrawn: number;
  /** Whether nothing is to be written. */
  readonly dryRun: boolean;
  /** Whether one rejected record is enough to change nothing. */
  readonly strict: boolean;
}

/** The result of an import, or of a dry run. */
export interface Imported {
  /** Counts of the file's records by kind. */
  readonly read: Staged['read'];
  readonly tally: Tally;
  /** Properties that were listed and are not in the file. */
  readonly withdrawn: number;
  /** Names of channels that the account did not have. */
  readonly newChannels: readonly string[];
  readonly bad: BadRecords;
}

/**
 * Imports a file into an account's portfolio, record by record under its key; repeating it changes nothing. The
 * complete file is read before anything is written. Then records are written in batches of some hundred, each in one
 * transaction: an import that is killed leaves complete records, and repeating it completes it.
 *
 * @throws Failure if the file is truncated or invalid, if a record is rejected in strict mode, or if more properties
 * would be withdrawn than allowed; then nothing is changed
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
    const read = await stage(source, spool, options.strict);
    const staged = source.format === 'resales' ? await withoutKnownUnits(env.DB, accountId, read) : read;
    const channels = await listChannelNames(env.DB, accountId);
    const stored = await readStored(env.DB, accountId, allOf(source.vocabulary()));
    const vocabulary = vocabularyToWrite(source.vocabulary(), stored);
    for (const document of vocabulary) staged.keys.add(documentKey(document));
    const missing = options.replace ? await findMissing(env.DB, accountId, staged, options.maxWithdrawn) : [];
    if (options.strict || options.dryRun) await check(env.DB, accountId, staged, missing);
    if (options.strict && staged.bad.count > 0) throw strictFailure(staged.bad);
    const work: Work = {
      db: env.DB,
      accountId,
      staged,
      vocabulary,
      isStored: (key) => stored.has(key),
      languages: source.languages(),
      missing,
      tally: new Tally(),
    };
    try {
      const withdrawn = options.dryRun ? await countChanges(work) : await writeAll(work, progress);
      const newChannels = [...work.tally.channels].filter((name) => !channels.has(name)).sort();
      return { read: staged.read, tally: work.tally, withdrawn, newChannels, bad: staged.bad };
    } finally {
      // Remaining stale snapshots are never used, and expire.
      if (!options.dryRun) await evictStale(env, accountId).catch(() => {});
    }
  } finally {
    await spool.remove();
  }
}

function allOf({ set, fallback, labelled }: Vocabulary): PortfolioDocument[] {
  return [...set, ...fallback, ...labelled.map(({ document }) => document)];
}

/** The types and features to be written for the records. */
function vocabularyToWrite({ set, fallback, labelled }: Vocabulary, stored: Stored): PortfolioDocument[] {
  const documents = [
    ...set,
    ...fallback.filter((document) => !stored.has(documentKey(document))),
    ...labelled.map(({ document, merge }) => {
      const before = stored.get(documentKey(document));
      return before === undefined ? document : merge(before);
    }),
  ];
  return KINDS.flatMap((kind) => documents.filter((document) => document.kind === kind));
}

/**
 * Finds records that conflict with valid ones of the file or with what is stored, before any is written; without it,
 * conflicts appear during writing. Since a conflicting record may be one that another refers to, all records are
 * checked until no more conflicts are found.
 */
async function check(
  db: D1Database,
  accountId: number,
  { batches, keys, bad }: Staged,
  missing: readonly string[],
): Promise<void> {
  const withdrawn = new Set(missing.map((id) => keyOf('property', id)));
  const given = { has: (key: string) => keys.has(key) || withdrawn.has(key) };
  for (let found = -1; found < bad.count; ) {
    found = bad.count;
    for (const kind of KINDS) {
      for await (const batch of batches(kind, BATCH, BATCH_BYTES)) {
        const records = batch.filter(({ number }) => !bad.has(number));
        const documents = records.map(({ document }) => document);
        const surroundings = await read(db, surroundingsReading(db, accountId, documents));
        const placed = documents.map((document, index): Placed => [index, document]);
        for (const [index, problems] of problemsByIndex(findConflicts(placed, surroundings, given))) {
          reject(bad, { record: records[index]!, problems });
          keys.delete(documentKey(records[index]!.document));
        }
      }
    }
  }
}

function reject(
  bad: BadRecords,
  { record: { number, line, document }, problems }: Pick<Conflicting, 'record' | 'problems'>,
): void {
  const id = document.kind === 'property' ? document.id : undefined;
  bad.add(number, { line, kind: document.kind, id, problems });
}

function strictFailure(bad: BadRecords): Failure {
  const shown = bad.remembered.slice(0, 20).map(describeBad).join('');
  return new Failure('bad_records', `${shown}${count(bad.count, 'invalid record')}, so nothing was changed.`);
}

/** The listed properties that are not in the file. */
async function findMissing(
  db: D1Database,
  accountId: number,
  { ids, nameless }: Staged,
  maxWithdrawn: number,
): Promise<string[]> {
  if (nameless.length > 0) {
    throw new Failure(
      'nameless_records',
      `The record at line ${nameless[0]} has no id, so it is not known which properties are missing. Nothing was changed.`,
    );
  }
  const missing: string[] = [];
  let listed = 0;
  for await (const id of listListed(db, accountId)) {
    listed++;
    if (!ids.has(id)) missing.push(id);
  }
  if (missing.length * 100 > listed * maxWithdrawn) {
    throw new Failure(
      'too_many_withdrawn',
      `${missing.length} of ${listed} listed properties are not in the file, more than ${maxWithdrawn}%. Nothing was ` +
        'changed. To withdraw them, use --max-withdrawn 100.',
    );
  }
  return missing;
}

/** The documents to be written or counted, and where. */
interface Work {
  readonly db: D1Database;
  readonly accountId: number;
  readonly staged: Staged;
  readonly vocabulary: readonly PortfolioDocument[];
  readonly isStored: (key: string) => boolean;
  readonly languages: ReadonlySet<string> | null;
  /** Identifiers of properties to be withdrawn. */
  readonly missing: readonly string[];
  readonly tally: Tally;
}

async function countChanges({
  db,
  accountId,
  staged,
  vocabulary,
  isStored,
  languages,
  missing,
  tally,
}: Work): Promise<number> {
  const { batches, bad } = staged;
  tally.add(vocabulary, documentsIn(await findChanged(db, accountId, vocabulary)), isStored);
  for (const kind of KINDS) {
    for await (const batch of batches(kind, BATCH, BATCH_BYTES)) {
      const records = batch.filter(({ number }) => !bad.has(number));
      const [documents, merge] = documentsOf(records, languages);
      const changed = documentsIn(await findChanged(db, accountId, documents, merge));
      const stored = await readStored(db, accountId, changed);
      tally.add(documents, changed, (key) => stored.has(key));
    }
  }
  return missing.length;
}

function documentsIn(placed: readonly Placed[]): PortfolioDocument[] {
  return placed.map(([, document]) => document);
}

async function writeAll(
  { db, accountId, staged, vocabulary, isStored, languages, missing, tally }: Work,
  progress: Progress,
): Promise<number> {
  const { batches, keys, bad } = staged;
  tally.add(vocabulary, documentsIn(await findChanged(db, accountId, vocabulary)), isStored);
  await writePortfolio(db, accountId, vocabulary);
  const writer = new BatchWriter(db, accountId, languages, tally);
  const late: StagedRecord[] = [];
  progress.begin('Writing', keys.size);
  progress.add(vocabulary.length);
  // Records of a kind may refer to those of the kinds before it.
  for (const kind of KINDS) {
    for await (const { count: done, conflicting } of writer.write(batches(kind, BATCH, BATCH_BYTES))) {
      for (const one of conflicting) {
        if (one.retryable) late.push(one.record);
        else reject(bad, one);
      }
      progress.add(done);
    }
  }
  const withdrawn = await withdraw(db, accountId, missing);
  // Records that depend on a later batch, such as two properties that exchange their units, succeed after all others are
  // written; so does a property in the unit of a withdrawn one.
  for await (const { conflicting } of writer.write(only(late))) for (const one of conflicting) reject(bad, one);
  return withdrawn;
}

async function* only(batch: StagedRecord[]): AsyncGenerator<StagedRecord[]> {
  if (batch.length > 0) yield batch;
}
