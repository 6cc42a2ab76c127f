import { readAccount } from '../../db/account-read.ts';
import { message } from '../../messages/messages.ts';
import { documentKey, keyOf } from '../../properties/documents.ts';
import { type Conflict, findConflicts, selectExisting } from '../../properties/store/conflicts.ts';
import { lastNumber, listChannelNames, listProperties } from '../../properties/store/listed.ts';
import type { Input } from '../input/input.ts';
import { countInSources, sourceProperties } from '../runs/sources.ts';
import { ImportError, type MissingProperty } from './error.ts';
import { batchesOf, type KeptRecord, keepRecords, keptRecords, type RecordStore } from './kept.ts';
import { type ReadingOptions, rejected } from './record.ts';
import { countRejected, problemsOf, reject } from './rejections.ts';
import { type Keys, type Scan, scan } from './scan.ts';

export interface PlanOptions extends ReadingOptions {
  /** Whether listed properties that the file does not have are withdrawn. */
  readonly replace: boolean;
  /** The maximum share of the listed properties, in percent, that may be withdrawn. */
  readonly maxWithdrawn: number;
  /** Whether a file without properties may withdraw any; by default it may. */
  readonly mayBeEmpty?: boolean;
  /** Whether conflicts with what is stored are found before anything is written, rather than as records are written. */
  readonly check: boolean;
  /** The source that the file is of. It withdraws only what it has brought, and no other source has. */
  readonly sourceId?: number | null;
  /** The channel of the file's properties. */
  readonly channel?: string | null;
}

/** What an import of a file will do, for {@link applyBatches}; JSON. */
export interface ImportPlan extends Scan {
  /** The places in the file of the kept records that are not imported. */
  readonly skipped: readonly number[];
  /** The identifiers of listed properties that are not in the file, and are to be withdrawn. */
  readonly missing: readonly string[];
  /** The identifiers of the properties that the file of its source no longer has, and that leave its channel. */
  readonly leaving: readonly string[];
  /** The channel that its properties are put into. */
  readonly channel: string | null;
  /** The identifiers of its properties, rejected ones included. */
  readonly ids: readonly string[];
  /** How many of them the last files of other sources have, by the names of these. */
  readonly inSources: Readonly<Record<string, number>>;
  readonly channels: readonly string[];
  /** The number of the last new property of a file that begins with the newest; new ones count down from it. */
  readonly lastNumber: number | null;
}

/**
 * Reads and validates a complete file, keeps its records, and compares it with an account's portfolio. Nothing is written
 * there. It is an ImportError if a record is rejected in strict mode, or if more properties would be withdrawn than allowed.
 */
export async function planImport(
  db: D1Database,
  accountId: number,
  input: Input,
  store: RecordStore,
  options: PlanOptions,
): Promise<ImportPlan> {
  const {
    replace,
    maxWithdrawn,
    mayBeEmpty = true,
    check,
    sourceId = null,
    channel = null,
    ...reading
  } = options;
  const { scan: scanned, keys } = await scan(input, reading, (records) =>
    keepRecords(store, records),
  );
  if (replace && keys.nameless.length > 0) {
    throw new ImportError(
      'nameless_records',
      message('nameless_record', { line: keys.nameless[0]! }),
    );
  }
  const owned = sourceId === null ? null : await sourceProperties(db, sourceId);
  const mayWithdraw = (id: string) => owned === null || owned.get(id)?.length === 0;
  const gone: MissingProperty[] = [];
  let listed = 0;
  const unknown = new Set(keys.ids);
  if (replace || scanned.newestFirst) {
    for await (const { id, ref, town, isListed } of listProperties(db, accountId)) {
      unknown.delete(id);
      if (!replace || !isListed || !mayWithdraw(id)) continue;
      listed++;
      if (!keys.ids.has(id)) gone.push({ id, ref, town });
    }
  }
  const missing = gone.map(({ id }) => id);
  const isEmpty = !mayBeEmpty && keys.ids.size === 0 && missing.length > 0;
  if (isEmpty || missing.length * 100 > listed * maxWithdrawn) {
    const shares = { count: missing.length, listed };
    const why = isEmpty
      ? message('all_withdrawn', shares)
      : message('too_many_withdrawn', { ...shares, most: maxWithdrawn });
    throw new ImportError('too_many_withdrawn', why, gone);
  }
  const conflicting = check
    ? await lastingConflicts(db, accountId, store, scanned, keys, missing)
    : [];
  for (const { record, conflicts } of conflicting)
    reject(scanned.rejections, rejected(record, conflicts));
  if (reading.strict) assertNoneRejected(scanned);
  return {
    ...scanned,
    skipped: conflicting.map(({ record }) => record.number),
    valid: scanned.valid - conflicting.length,
    ids: [...keys.ids],
    missing,
    leaving: channel === null ? [] : leavingOf(channel, owned ?? new Map(), keys.ids),
    channel,
    inSources: await countInSources(db, accountId, sourceId, [...keys.ids]),
    channels: [...(await listChannelNames(db, accountId))],
    lastNumber: scanned.newestFirst ? (await lastNumber(db, accountId)) + unknown.size : null,
  };
}

/** The properties of a source's last file that this one does not have, unless another source has them in the channel. */
function leavingOf(
  channel: string,
  owned: ReadonlyMap<string, readonly (string | null)[]>,
  ids: ReadonlySet<string>,
): string[] {
  return [...owned].flatMap(([id, others]) =>
    ids.has(id) || others.includes(channel) ? [] : [id],
  );
}

function assertNoneRejected({ rejections }: Scan): void {
  const number = countRejected(rejections);
  if (number === 0) return;
  const records = rejections.records.slice(0, 20).flatMap(problemsOf);
  throw new ImportError('bad_records', message('invalid_records', { records, count: number }));
}

/**
 * The records that cannot be written although all others of the file are written and missing properties are withdrawn.
 * Since one of them may be what another depends on, they are found one after the other.
 */
async function lastingConflicts(
  db: D1Database,
  accountId: number,
  store: RecordStore,
  scanned: Scan,
  { documents }: Keys,
  missing: readonly string[],
) {
  /** Records with conflicts that other records of the file may resolve, or not. */
  const found: { readonly record: KeptRecord; readonly conflicts: readonly Conflict[] }[] = [];
  for await (const batch of batchesOf(keptRecords(store, { ...scanned, skipped: [] }))) {
    const all = batch.flatMap(({ document, needs = [] }) => [...needs, document]);
    const existing = await readAccount(db, accountId, (select) => selectExisting(select, all));
    const places = batch.map(({ document }, index) => [index, document] as const);
    const byIndex = Map.groupBy(findConflicts(places, existing, new Set()), ({ index }) => index);
    for (const [index, conflicts] of byIndex) found.push({ record: batch[index]!, conflicts });
  }
  const withdrawn = new Set(missing.map((id) => keyOf('property', id)));
  const kept = new Set([
    ...documents,
    ...scanned.vocabulary.map(({ document }) => documentKey(document)),
  ]);
  const lasting: typeof found = [];
  for (let before = -1; before !== lasting.length; ) {
    before = lasting.length;
    for (const { record, conflicts } of found) {
      if (!kept.has(documentKey(record.document))) continue;
      const remaining = conflicts.filter(
        ({ dependsOn }) =>
          dependsOn === undefined || !(kept.has(dependsOn) || withdrawn.has(dependsOn)),
      );
      if (remaining.length === 0) continue;
      kept.delete(documentKey(record.document));
      lasting.push({ record, conflicts: remaining });
    }
  }
  return lasting;
}
