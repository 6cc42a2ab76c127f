import { type Conflict, existingStateReading, findConflicts } from '../db/portfolio/conflicts.ts';
import { lastSequenceNumber, listChannelNames, listProperties } from '../db/portfolio/listed.ts';
import { read } from '../db/portfolio/reading.ts';
import { documentKey, keyOf } from '../portfolio/documents.ts';
import { ImportError } from './error.ts';
import type { Input } from './input/input.ts';
import { type ReadingOptions, rejected } from './record.ts';
import type { NumberedRecord } from './records.ts';
import { countRejected, describeBad, reject } from './results/rejections.ts';
import { type Keys, type Scan, scan } from './scan.ts';

export interface PlanOptions extends ReadingOptions {
  /** Whether listed properties that the file does not have are withdrawn. */
  readonly replace: boolean;
  /** The most of the listed properties, in percent, that may be withdrawn. */
  readonly maxWithdrawn: number;
  /** Whether conflicts with what is stored are found before anything is written, instead of when they are met. */
  readonly check: boolean;
  /** Whether a property may be withdrawn by this import; by default every one may. */
  readonly owns?: (id: string) => boolean;
}

/** What an import of a file will do, for {@link applyBatches}; JSON. */
export interface ImportPlan extends Scan {
  /** The identifiers of listed properties that are not in the file, and are to be withdrawn. */
  readonly missing: readonly string[];
  /** The identifiers of its properties, rejected ones included. */
  readonly ids: readonly string[];
  /** The account's channels. */
  readonly channels: readonly string[];
  /** The sequence number of the last new property of a file that begins with the newest; new ones count down from it. */
  readonly lastNumber: number | null;
}

/** Records whose surroundings are read at a time. */
const CHECKED_TOGETHER = 500;

/**
 * Reads and validates a complete file, and compares it with an account's portfolio. Nothing is written.
 *
 * @throws ImportError if the file is truncated or invalid, if a record is rejected in strict mode, or if more properties
 * would be withdrawn than allowed
 */
export async function planImport(
  db: D1Database,
  accountId: number,
  input: Input,
  { replace, maxWithdrawn, check, owns = () => true, ...reading }: PlanOptions,
): Promise<ImportPlan> {
  const checking = new Checking(db, accountId);
  const { scan: scanned, keys } = await scan(input, reading, check ? (record) => checking.add(record) : undefined);
  if (replace && keys.nameless.length > 0) {
    throw new ImportError(
      'nameless_records',
      `The record at line ${keys.nameless[0]} has no id, so it is not known which properties are missing. Nothing was changed.`,
    );
  }
  const channels = [...(await listChannelNames(db, accountId))];
  const [missing, listed] = [[] as string[], { count: 0 }];
  const unknown = new Set(keys.ids);
  if (replace || scanned.newestFirst) {
    for await (const { identifier, isListed } of listProperties(db, accountId)) {
      unknown.delete(identifier);
      if (!replace || !isListed || !owns(identifier)) continue;
      listed.count++;
      if (!keys.ids.has(identifier)) missing.push(identifier);
    }
  }
  if (missing.length * 100 > listed.count * maxWithdrawn) {
    throw new ImportError(
      'too_many_withdrawn',
      `${missing.length} of ${listed.count} listed properties are not in the file, more than ${maxWithdrawn}%. Nothing was changed.`,
    );
  }
  const conflicting = check ? await checking.conflicting(scanned, keys, missing) : [];
  for (const { record, conflicts } of conflicting) reject(scanned.rejections, rejected(record, conflicts));
  const lastNumber = scanned.newestFirst ? (await lastSequenceNumber(db, accountId)) + unknown.size : null;
  const skipped = [...scanned.skipped, ...conflicting.map(({ record }) => record.number)];
  const plan = {
    ...scanned,
    skipped,
    valid: scanned.valid - conflicting.length,
    ids: [...keys.ids],
    missing,
    channels,
    lastNumber,
  };
  if (reading.strict) assertNoneRejected(plan);
  return plan;
}

function assertNoneRejected({ rejections }: Scan): void {
  const number = countRejected(rejections);
  if (number === 0) return;
  const shown = rejections.records.slice(0, 20).map(describeBad).join('');
  const counted = number === 1 ? '1 invalid record' : `${number} invalid records`;
  throw new ImportError('bad_records', `${shown}${counted}, so nothing was changed.`);
}

interface Conflicting {
  readonly record: NumberedRecord;
  readonly conflicts: readonly Conflict[];
}

/** Finds records that conflict with what is stored, while a file is read. */
class Checking {
  readonly #db: D1Database;
  readonly #accountId: number;
  #batch: NumberedRecord[] = [];
  /** Records with conflicts that other records of the file may resolve, or not. */
  #found: Conflicting[] = [];

  constructor(db: D1Database, accountId: number) {
    this.#db = db;
    this.#accountId = accountId;
  }

  async add(record: NumberedRecord): Promise<void> {
    this.#batch.push(record);
    if (this.#batch.length === CHECKED_TOGETHER) await this.#checkBatch();
  }

  async #checkBatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    const documents = batch.flatMap(({ document, needs = [] }) => [...needs, document]);
    const existing = await read(this.#db, existingStateReading(this.#db, this.#accountId, documents));
    const places = batch.map(({ document }, index) => [index, document] as const);
    const conflicts = Map.groupBy(findConflicts(places, existing, new Set()), ({ index }) => index);
    for (const [index, own] of conflicts) this.#found.push({ record: batch[index]!, conflicts: own });
  }

  /**
   * The records that cannot be written although all others of the file are written and missing properties are withdrawn.
   * Since one of them may be what another depends on, they are found one after the other.
   */
  async conflicting({ vocabulary }: Scan, { documents }: Keys, missing: readonly string[]): Promise<Conflicting[]> {
    await this.#checkBatch();
    const withdrawn = new Set(missing.map((id) => keyOf('property', id)));
    const kept = new Set([...documents, ...vocabulary.map(({ document }) => documentKey(document))]);
    const lasting: Conflicting[] = [];
    for (let found = -1; found !== lasting.length; ) {
      found = lasting.length;
      for (const { record, conflicts } of this.#found) {
        if (!kept.has(documentKey(record.document))) continue;
        const remaining = conflicts.filter(
          ({ dependsOn }) => dependsOn === undefined || !(kept.has(dependsOn) || withdrawn.has(dependsOn)),
        );
        if (remaining.length === 0) continue;
        kept.delete(documentKey(record.document));
        lasting.push({ record, conflicts: remaining });
      }
    }
    return lasting;
  }
}
