import { countNotWithdrawn, withdrawal } from '../db/portfolio/listed.ts';
import { type Before, comparedWithStored, readBefore, type Written, writeMerged } from '../db/portfolio/write.ts';
import { documentKey, type PortfolioDocument } from '../portfolio/documents.ts';
import type { Input } from './input/input.ts';
import { type Mergeable, mergeable } from './merge.ts';
import { mergedEntry } from './names/vocabulary-entry.ts';
import type { ImportPlan } from './plan.ts';
import { type BadRecord, KINDS, type Kind, rejected } from './record.ts';
import { batchesOf, type NumberedRecord, recordsOf } from './records.ts';
import { type Rejections, reject } from './results/rejections.ts';

/** Counts of documents of a kind. */
export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** How far an import has come; JSON. The same file, plan and cursor always go on in the same way. */
export interface ImportCursor {
  readonly stage: 'vocabulary' | 'records' | 'withdraw' | 'late' | 'done';
  /** The place in the file of the last record that was read in this stage. */
  readonly record: number;
  /** How many missing properties have been dealt with. */
  readonly missing: number;
  /** Records that depend on others, such as two properties that exchange their units: written once the rest is. */
  readonly late: readonly LateRecord[];
  /** Those of them that were met again in this stage, and still depend on others. */
  readonly stillLate: readonly LateRecord[];
  readonly counts: Readonly<Record<Kind, Counts>>;
  readonly withdrawn: number;
  /** Channels of the properties that were written. */
  readonly channels: readonly string[];
  /** Records that conflict with what is stored. */
  readonly rejections: Rejections;
}

interface LateRecord extends BadRecord {
  readonly number: number;
}

export interface ApplyOptions {
  /** Stop after this many batches; by default at the end. */
  readonly batches?: number;
  /** Count what would change, and write nothing. Conflicts must have been found before: see {@link PlanOptions}. */
  readonly dryRun?: boolean;
  /** Statements that store the cursor, in the transaction of each batch: an import that is killed goes on from there. */
  readonly save?: (cursor: ImportCursor) => readonly D1PreparedStatement[];
  /** Called after each batch, with the number of its records. */
  readonly onBatch?: (records: number) => void;
}

/** Withdrawn properties per batch. */
const WITHDRAWN_TOGETHER = 1_000;

const NONE: Counts = { created: 0, updated: 0, unchanged: 0 };

/** Where an import begins. */
export const FIRST: ImportCursor = {
  stage: 'vocabulary',
  record: 0,
  missing: 0,
  late: [],
  stillLate: [],
  counts: { type: NONE, category: NONE, feature: NONE, development: NONE, unit: NONE, property: NONE },
  withdrawn: 0,
  channels: [],
  rejections: { counts: {}, records: [] },
};

/**
 * Goes on with an import: reads its file again, and writes the next batches of its records, each in one transaction and
 * merged with what is stored then.
 *
 * @returns where it has come to
 * @throws what D1 throws; the batches before are written
 */
export async function applyBatches(
  db: D1Database,
  accountId: number,
  input: Input,
  plan: ImportPlan,
  from: ImportCursor,
  options: ApplyOptions = {},
): Promise<ImportCursor> {
  const run: Run = { db, accountId, input, plan, options };
  let [cursor, left] = [from, options.batches ?? Number.POSITIVE_INFINITY];
  while (cursor.stage !== 'done' && left > 0) {
    for await (const next of STEPS[cursor.stage](run, cursor)) {
      cursor = next;
      if (--left <= 0) break;
    }
  }
  return cursor;
}

interface Run {
  readonly db: D1Database;
  readonly accountId: number;
  readonly input: Input;
  readonly plan: ImportPlan;
  readonly options: ApplyOptions;
}

/** Each stage batch by batch, up to the beginning of the next one. */
const STEPS: Record<
  Exclude<ImportCursor['stage'], 'done'>,
  (run: Run, cursor: ImportCursor) => AsyncGenerator<ImportCursor>
> = {
  async *vocabulary(run, cursor) {
    const { plan } = run;
    const entries = new Map(plan.vocabulary.map((entry) => [documentKey(entry.document), entry]));
    const documents = plan.vocabulary.map(({ document }) => document);
    const merge = (document: PortfolioDocument, stored: ReadonlyMap<string, PortfolioDocument>) => {
      const key = documentKey(document);
      return mergedEntry(entries.get(key)!, stored.get(key));
    };
    yield await write(run, { documents, merge }, (written) => ({ ...counted(cursor, written), stage: 'records' }));
  },

  async *records(run, cursor) {
    const records = recordsOf(run.input, run.plan, (number) => number > cursor.record);
    let last = cursor;
    for await (const next of writeAll(run, records, last, (before, work, written) => {
      const late: LateRecord[] = [];
      const rejections = structuredClone(before.rejections) as Rejections;
      for (const each of unwritten(work, written)) {
        if (each.mayResolve) late.push(each.record);
        else reject(rejections, each.record);
      }
      return { ...counted(before, written), rejections, late: [...before.late, ...late] };
    })) {
      last = next;
      yield next;
    }
    yield await saved(run, { ...last, stage: 'withdraw', record: 0 });
  },

  async *withdraw(run, cursor) {
    const { db, accountId, plan, options } = run;
    const page = plan.missing.slice(cursor.missing, cursor.missing + WITHDRAWN_TOGETHER);
    if (page.length === 0) {
      yield await saved(run, { ...cursor, stage: 'late' });
      return;
    }
    const withdrawn = await countNotWithdrawn(db, accountId, page);
    const next = {
      ...cursor,
      missing: cursor.missing + page.length,
      withdrawn: cursor.withdrawn + withdrawn,
    };
    if (!options.dryRun) await db.batch([withdrawal(db, accountId, page), ...(options.save?.(next) ?? [])]);
    yield next;
  },

  async *late(run, cursor) {
    const numbers = new Set(cursor.late.map(({ number }) => number));
    let last = cursor;
    if (numbers.size > 0) {
      const records = recordsOf(run.input, run.plan, (number) => number > cursor.record && numbers.has(number));
      for await (const next of writeAll(run, records, last, (before, work, written) => ({
        ...counted(before, written),
        stillLate: [...before.stillLate, ...unwritten(work, written).map(({ record }) => record)],
      }))) {
        last = next;
        yield next;
      }
    }
    const { stillLate, late } = last;
    if (stillLate.length > 0 && stillLate.length < late.length) {
      yield await saved(run, { ...last, record: 0, late: stillLate, stillLate: [] });
      return;
    }
    const rejections = structuredClone(last.rejections) as Rejections;
    for (const { number, ...record } of stillLate) reject(rejections, record);
    yield await saved(run, { ...last, stage: 'done', late: [], stillLate: [], rejections });
  },
};

/** Writes records in batches; while one is written, the next one is read, and so is what is stored for it. */
async function* writeAll(
  run: Run,
  records: AsyncGenerator<NumberedRecord>,
  cursor: ImportCursor,
  advance: (before: ImportCursor, work: Mergeable<NumberedRecord>, written: Written) => ImportCursor,
): AsyncGenerator<ImportCursor> {
  const { db, accountId, plan } = run;
  const batches = batchesOf(records);
  const prepare = async () => {
    const { value: batch } = await batches.next();
    if (batch === undefined) return undefined;
    const work = mergeable(batch, plan.languages);
    return { batch, ...work, before: await readBefore(db, accountId, work.documents) };
  };
  try {
    let last = cursor;
    let pending = prepare();
    for (;;) {
      const current = await pending;
      if (current === undefined) return;
      pending = prepare();
      // It is awaited after this batch has been written, which may fail.
      pending.catch(() => {});
      const { batch } = current;
      const before = last;
      last = await write(run, { ...current, created: before.counts.property.created }, (written) => ({
        ...advance(before, current, written),
        record: batch.at(-1)!.number,
      }));
      run.options.onBatch?.(batch.length);
      yield last;
    }
  } finally {
    await batches.return(undefined);
  }
}

interface Work extends Pick<Mergeable<NumberedRecord>, 'documents' | 'merge'> {
  /** What is stored for the documents, if it has been read. */
  readonly before?: Before;
  /** How many properties have been created before. */
  readonly created?: number;
}

/** Writes documents with the cursor that follows from how they are written. */
async function write(
  { db, accountId, plan, options }: Run,
  { documents, merge, before, created = 0 }: Work,
  next: (written: Written) => ImportCursor,
): Promise<ImportCursor> {
  if (options.dryRun) {
    const read = before ?? (await readBefore(db, accountId, documents));
    const { stored } = read;
    const { changed, unchanged } = comparedWithStored(documents, stored, merge);
    return next({ changed: changed.map(([, document]) => document), unchanged, conflicts: [], stored, before: read });
  }
  let number = created;
  const { lastNumber } = plan;
  const written = await writeMerged(db, accountId, documents, {
    merge,
    before,
    sequenceNumberOf: lastNumber === null ? undefined : () => lastNumber - number++,
    also: (written) => options.save?.(next(written)) ?? [],
  });
  return next(written);
}

/** A cursor that is stored by itself. */
async function saved({ db, options }: Run, cursor: ImportCursor): Promise<ImportCursor> {
  const statements = options.dryRun ? [] : (options.save?.(cursor) ?? []);
  if (statements.length > 0) await db.batch([...statements]);
  return cursor;
}

function counted(cursor: ImportCursor, { changed, unchanged, stored }: Written): ImportCursor {
  const counts = Object.fromEntries(
    KINDS.map((kind) => {
      const before = cursor.counts[kind];
      const of = (documents: readonly PortfolioDocument[]) => documents.filter((document) => document.kind === kind);
      const written = of(changed);
      const created = written.filter((document) => !stored.has(documentKey(document))).length;
      return [
        kind,
        {
          created: before.created + created,
          updated: before.updated + written.length - created,
          unchanged: before.unchanged + of(unchanged).length,
        },
      ];
    }),
  ) as Record<Kind, Counts>;
  const named = changed.flatMap((document) => (document.kind === 'property' ? (document.channels ?? []) : []));
  return { ...cursor, counts, channels: [...new Set([...cursor.channels, ...named])] };
}

/** The records of a batch that conflict with what is stored, with every reason. */
function unwritten({ records }: Mergeable<NumberedRecord>, { conflicts }: Written) {
  return [...Map.groupBy(conflicts, ({ index }) => records[index]!)].map(([record, own]) => {
    const bad: LateRecord = { ...rejected(record, own), number: record.number };
    return { record: bad, mayResolve: own.every(({ dependsOn }) => dependsOn !== undefined) };
  });
}
