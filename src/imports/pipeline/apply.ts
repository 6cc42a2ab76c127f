import type { Actor } from '../../accounts/actor.ts';
import { isEqual } from '../../lib/bytes/equal.ts';
import {
  documentKey,
  type PortfolioDocument,
  type PropertyDocument,
} from '../../properties/documents.ts';
import { absenceStatements, readAbsences } from '../../properties/store/absences.ts';
import type { Read } from '../../properties/store/read.ts';
import { readPage } from '../../properties/store/read-page.ts';
import {
  type Before,
  comparedWithStored,
  type Merge,
  readBefore,
  type Written,
  writePortfolio,
} from '../../properties/store/write.ts';
import { batchesOf, keptRecords, type RecordStore } from './kept.ts';
import { isKeptOff, mergeable, mergedEntry } from './merge.ts';
import { type Interpretation, Notes } from './notes.ts';
import type { ImportPlan } from './plan.ts';
import { KINDS, type Kind, listingOf, rejected, type ValidRecord } from './record.ts';
import { type Rejections, reject } from './rejections.ts';

type Counts = Record<'created' | 'updated' | 'unchanged', number>;

/** How far an import has come; JSON. The same records, plan and cursor always continue in the same way. */
export interface ImportCursor {
  readonly stage: 'vocabulary' | 'records' | 'withdraw' | 'deferred' | 'conflicting' | 'done';
  /** Where the kept records begin that have not been read in this stage. */
  readonly position: number;
  /** How many of the properties that the file does not have have been dealt with. */
  readonly missing: number;
  /** The places of records that depend on others, such as two properties that exchange their units: written once the rest is. */
  readonly deferred: readonly number[];
  /** How many were deferred before the last attempt: unless fewer remain, they conflict with each other or with what is stored. */
  readonly deferredBefore: number;
  readonly counts: Readonly<Record<Kind, Readonly<Counts>>>;
  readonly withdrawn: number;
  /** Channels of the properties that were written. */
  readonly channels: readonly string[];
  readonly rejections: Rejections;
  /** Records without a status whose properties are sold or withdrawn, and stay so. */
  readonly keptOff: readonly Interpretation[];
  /** What a dry run has found: the first properties that would be new, and that would change. */
  readonly wouldChange: readonly WouldChange[];
}

/** A property that an import would write. */
export interface WouldChange extends Pick<PropertyDocument, 'id' | 'ref' | 'town'> {
  readonly isNew: boolean;
  /** The fields of its document that would change, if it is not new. */
  readonly fields: readonly string[];
  /** Its price for sale before and after, if that would change. */
  readonly price: readonly [before: number | null, after: number | null] | null;
}

/** The most properties that a dry run lists as new, and as changed. */
const MAX_WOULD_CHANGE = 100;

interface Run {
  readonly db: D1Database;
  readonly accountId: number;
  /** Who imports the file: the author of every change. */
  readonly actor: Actor;
  /** What undoes all of it. */
  readonly batch?: string;
  readonly records: RecordStore;
  readonly plan: ImportPlan;
  /** Stop after this many batches; by default at the end. */
  readonly batches?: number;
  /** Count what would change, and write nothing. Conflicts must have been found before: see {@link PlanOptions}. */
  readonly dryRun?: boolean;
  /** The statement that stores the cursor, in the transaction of each batch: an import that is killed continues there. */
  readonly save?: ((cursor: ImportCursor) => D1PreparedStatement) | undefined;
}

export const FIRST: ImportCursor = {
  stage: 'vocabulary',
  position: 0,
  missing: 0,
  deferred: [],
  deferredBefore: 0,
  counts: Object.fromEntries(
    KINDS.map((kind) => [kind, { created: 0, updated: 0, unchanged: 0 }]),
  ) as ImportCursor['counts'],
  withdrawn: 0,
  channels: [],
  rejections: { counts: {}, records: [] },
  keptOff: [],
  wouldChange: [],
};

/**
 * Continues an import: reads its kept records, and writes the next batches of them, each in one transaction and
 * merged with what is stored then. If D1 fails, the batches before are written.
 */
export async function applyBatches(run: Run, from: ImportCursor): Promise<ImportCursor> {
  let cursor = from;
  let left = run.batches ?? Number.POSITIVE_INFINITY;
  while (cursor.stage !== 'done' && left > 0) {
    for await (const next of STAGES[cursor.stage](run, cursor)) {
      cursor = next;
      if (--left <= 0) break;
    }
  }
  return cursor;
}

/** Each stage batch by batch, up to the beginning of the next one. */
const STAGES: Record<
  Exclude<ImportCursor['stage'], 'done'>,
  (run: Run, cursor: ImportCursor) => AsyncGenerator<ImportCursor>
> = {
  async *vocabulary(run, cursor) {
    const entries = new Map(
      run.plan.vocabulary.map((entry) => [documentKey(entry.document), entry]),
    );
    const documents = [...entries.values()].map(({ document }) => document);
    const before = await readBefore(run.db, run.accountId, documents);
    const merge: Merge = (document, stored) =>
      mergedEntry(entries.get(documentKey(document))!, stored.get(documentKey(document)));
    yield await write(run, { documents, merge, before }, cursor, (next) => ({
      ...next,
      stage: 'records',
    }));
  },

  async *records(run, cursor) {
    const last = yield* writeRecords(run, cursor);
    yield await saved(run, { ...last, stage: 'withdraw', position: 0 });
  },

  async *withdraw(run, cursor) {
    const { missing, leaving } = run.plan;
    const left = [...new Set([...missing, ...leaving])].slice(cursor.missing);
    if (left.length === 0 || run.dryRun) {
      const deferredBefore = cursor.deferred.length;
      yield await saved(run, {
        ...cursor,
        stage: deferredBefore === 0 ? 'done' : 'deferred',
        deferredBefore,
      });
      return;
    }
    yield await withdrawFirst(run, cursor, left);
  },

  async *deferred(run, cursor) {
    const last = yield* writeDeferred(run, cursor);
    const left = last.deferred.length;
    const before = last.deferredBefore;
    const stage = left === 0 ? 'done' : left < before ? 'deferred' : 'conflicting';
    yield await saved(run, { ...last, stage, position: 0, deferredBefore: left });
  },

  async *conflicting(run, cursor) {
    yield await saved(run, { ...(yield* writeDeferred(run, cursor)), stage: 'done' });
  },
};

function writeDeferred(run: Run, cursor: ImportCursor) {
  const numbers = new Set(cursor.deferred);
  return writeRecords(run, cursor, (number) => numbers.has(number));
}

/** Writes the wanted records after the cursor in batches; while one is written, the next one and what is stored for it are read. */
async function* writeRecords(
  run: Run,
  from: ImportCursor,
  isWanted: (number: number) => boolean = () => true,
): AsyncGenerator<ImportCursor, ImportCursor> {
  const { db, accountId, plan } = run;
  const wanted = async function* () {
    for await (const record of keptRecords(run.records, plan, from.position))
      if (isWanted(record.number)) yield record;
  };
  const batches = batchesOf(wanted());
  const prepare = async () => {
    const { value: batch } = await batches.next();
    if (batch === undefined) return undefined;
    const ids = batch.flatMap(({ document }) => (document.kind === 'property' ? document.id : []));
    const absences = await readAbsences(db, accountId, run.actor, ids);
    const work = mergeable(batch, plan, absences);
    const before = await readBefore(db, accountId, work.documents);
    return { batch, absences, ...work, before };
  };
  let last = from;
  try {
    let pending = prepare();
    for (let current = await pending; current !== undefined; current = await pending) {
      const { batch, absences, records, ...work } = current;
      pending = prepare();
      // It is awaited after this batch has been written, which may fail.
      pending.catch(() => {});
      last = await write(run, work, last, (next, { conflicts, before }) => {
        const numbers = new Set(batch.map(({ number }) => number));
        const deferred = next.deferred.filter((number) => !numbers.has(number));
        const rejections = structuredClone(next.rejections);
        // The records that conflict with what is stored, with every reason.
        for (const [record, reasons] of Map.groupBy(conflicts, ({ index }) => records[index]!)) {
          const canWait =
            from.stage !== 'conflicting' &&
            reasons.every(({ dependsOn }) => dependsOn !== undefined);
          if (canWait) deferred.push(record.number);
          else reject(rejections, rejected(record, reasons));
        }
        const notes = new Notes(next.keptOff);
        for (const record of batch)
          if (!deferred.includes(record.number) && isKeptOff(record, before, absences)) {
            const status = statusIn(before, record);
            notes.interpreted('status', 'kept_off', record.line, status, status);
            notes.belongTo(listingOf(record));
          }
        const keptOff = notes.interpretations;
        return { ...next, deferred, rejections, keptOff, position: batch.at(-1)!.end };
      });
      yield last;
    }
  } finally {
    await batches.return(undefined);
  }
  return last;
}

function statusIn({ stored }: Read, { document }: ValidRecord): string {
  const property = stored.get(documentKey(document));
  return property?.kind === 'property' ? property.status : '';
}

/** Writes documents with the cursor that follows from how they are written. */
async function write(
  { db, accountId, actor, batch, plan, dryRun, save }: Run,
  work: {
    readonly documents: readonly PortfolioDocument[];
    readonly merge: Merge;
    readonly before: Before;
  },
  cursor: ImportCursor,
  advance: (counted: ImportCursor, outcome: Written) => ImportCursor,
): Promise<ImportCursor> {
  const { documents, merge, before } = work;
  const next = (outcome: Written) => advance(counted(cursor, outcome), outcome);
  if (dryRun) {
    const { changed, unchanged } = comparedWithStored(documents, before, merge);
    const differing = changed.map(([, document]) => document);
    const counted = next({ changed: differing, unchanged, conflicts: [], before });
    const wouldChange = withChanges(counted.wouldChange, differing, before);
    return saved({ db, save }, { ...counted, wouldChange });
  }
  let { created } = cursor.counts.property;
  const { lastNumber } = plan;
  return next(
    await writePortfolio(db, accountId, documents, {
      actor,
      batch,
      merge,
      check: () => {},
      before,
      numberOf: lastNumber === null ? undefined : () => lastNumber - created++,
      also: (written) => (save ? [save(next(written))] : []),
    }),
  );
}

/**
 * Writes the first of the properties that the file does not have: missing ones are withdrawn, and those that have left its source
 * leave its channel.
 */
async function withdrawFirst(
  { db, accountId, actor, batch, plan, save }: Run,
  cursor: ImportCursor,
  ids: readonly string[],
): Promise<ImportCursor> {
  const { identifiers, documents } = await readPage(db, accountId, ids);
  const missing = new Set(plan.missing);
  const leaving = new Set(plan.leaving);
  const merge: Merge = (document, stored) => {
    const property = stored.get(documentKey(document));
    if (property?.kind !== 'property') return undefined;
    const { id, channels } = property;
    return {
      ...property,
      status: missing.has(id) ? 'Withdrawn' : property.status,
      channels: leaving.has(id) ? channels!.filter((name) => name !== plan.channel) : channels,
    };
  };
  const next = ({ changed, before }: Written): ImportCursor => {
    const withdrawn = changed.filter(
      (one) => isWithdrawn(one) && !isWithdrawn(before.stored.get(documentKey(one))),
    );
    return {
      ...cursor,
      missing: cursor.missing + identifiers.length,
      withdrawn: cursor.withdrawn + withdrawn.length,
    };
  };
  const also = (written: Written) => {
    const withdrawn = written.changed.flatMap((document) => {
      const property = written.before.stored.get(documentKey(document));
      return property?.kind === 'property' && missing.has(property.id) && !isWithdrawn(property)
        ? [property]
        : [];
    });
    const noted = absenceStatements(db, accountId, actor, withdrawn);
    return save ? [...noted, save(next(written))] : noted;
  };
  return next(
    await writePortfolio(db, accountId, documents, { actor, batch, merge, check: () => {}, also }),
  );
}

function isWithdrawn(document: PortfolioDocument | undefined): boolean {
  return document?.kind === 'property' && document.status === 'Withdrawn';
}

/** What a dry run lists, with what these documents would change. */
function withChanges(
  listed: readonly WouldChange[],
  documents: readonly PortfolioDocument[],
  { stored }: Read,
): readonly WouldChange[] {
  const all = [...listed];
  for (const document of documents) {
    if (document.kind !== 'property') continue;
    const found = stored.get(documentKey(document));
    const before = found?.kind === 'property' ? found : undefined;
    const isNew = before === undefined;
    if (all.filter((one) => one.isNew === isNew).length >= MAX_WOULD_CHANGE) continue;
    all.push({ ...changeOf(before, document), isNew });
  }
  return all;
}

/** Times of changes, which are no fields that somebody fills in. */
const NOT_FILLED_IN: ReadonlySet<string> = new Set(['updated_at']);

function changeOf(
  before: PropertyDocument | undefined,
  after: PropertyDocument,
): Omit<WouldChange, 'isNew'> {
  const { id, ref, town } = after;
  if (before === undefined) return { id, ref, town, fields: [], price: null };
  const prices = [before, after].map(({ offers }) => offers.sale?.price ?? null);
  const [from = null, to = null] = prices;
  const names = Object.keys(after) as (keyof PropertyDocument)[];
  const fields = names.filter(
    (name) => !NOT_FILLED_IN.has(name) && !isEqual(before[name], after[name]),
  );
  return { id, ref, town, fields, price: from === to ? null : [from, to] };
}

/** Stores a cursor. */
async function saved(
  { db, save }: Pick<Run, 'db' | 'save'>,
  cursor: ImportCursor,
): Promise<ImportCursor> {
  if (save) await db.batch([save(cursor)]);
  return cursor;
}

function counted(cursor: ImportCursor, { changed, unchanged, before }: Written): ImportCursor {
  const counts: Record<Kind, Counts> = structuredClone(cursor.counts);
  for (const { kind } of unchanged) counts[kind].unchanged++;
  for (const one of changed)
    counts[one.kind][before.stored.has(documentKey(one)) ? 'updated' : 'created']++;
  const named = changed.flatMap((document) =>
    document.kind === 'property' ? (document.channels ?? []) : [],
  );
  return { ...cursor, counts, channels: [...new Set([...cursor.channels, ...named])] };
}
