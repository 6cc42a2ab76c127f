import { isDeepStrictEqual } from 'node:util';
import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';
import {
  type Conflict,
  findConflicts,
  findDuplicates,
  type Placed,
  type Surroundings,
  surroundingsReading,
} from './conflicts.ts';
import { readStored, type Stored, storedReading } from './read.ts';
import { type Reading, read, together } from './reading.ts';
import { portfolioStatements } from './statements.ts';

/** Documents that conflict with each other or with what is stored, with every reason; nothing was written. */
export class PortfolioError extends Error {
  override readonly name = 'PortfolioError';

  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(
      conflicts.map(({ index, field, detail }) => `document ${index}${field && `, ${field}`}: ${detail}`).join('; '),
    );
    this.conflicts = conflicts;
  }
}

/** Merges a document with what is stored under its key; gives the document to be written. */
export type Merge = (document: PortfolioDocument, stored: PortfolioDocument | undefined) => PortfolioDocument;

/** How to write documents: all or none, in one transaction. */
export interface PortfolioPlan {
  /** How many of them will be written. */
  readonly written: number;
  /** How many are already stored as they are. */
  readonly unchanged: number;
  /** Those that are written. */
  readonly changed: readonly PortfolioDocument[];
  /** Run them in one batch; empty if there is nothing to write. */
  statements(): D1PreparedStatement[];
}

/**
 * Writes documents into an account's portfolio, all or none, in one transaction: each replaces what is stored under its
 * code, identifier or name. New properties get the next sequence numbers in the order of the documents. A
 * document that equals what is stored writes nothing and advances no revision.
 *
 * @returns how many documents were written, and how many were already stored as they are
 * @throws PortfolioError if a document refers to what does not exist, or two conflict
 */
export async function writePortfolio(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Promise<{ written: number; unchanged: number }> {
  const before = await read(db, beforeReading(db, accountId, documents));
  const { written, unchanged, statements } = planPortfolio(db, accountId, documents, before);
  if (written > 0) await db.batch(statements());
  return { written, unchanged };
}

/** What is stored under the keys of documents and around them: all that a plan to write them depends on. */
export interface Before {
  readonly stored: Stored;
  readonly surroundings: Surroundings;
}

/** Reads all that a plan to write documents depends on, as of one moment. */
export function beforeReading(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Reading<Before> {
  return together({
    stored: storedReading(db, accountId, documents),
    surroundings: surroundingsReading(db, accountId, documents),
  });
}

/**
 * Plans what {@link writePortfolio} would do, for a writer that reads and writes separately.
 *
 * @param before as read for these documents, and possibly others
 * @param merge fills the parts that a document leaves open from what is stored
 * @throws PortfolioError like {@link writePortfolio}
 */
export function planPortfolio(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  { stored, surroundings }: Before,
  merge?: Merge,
): PortfolioPlan {
  assertNone(findDuplicates(documents));
  const changed = changedAmong(documents, stored, merge);
  assertNone(findConflicts(changed, surroundings));
  return {
    written: changed.length,
    unchanged: documents.length - changed.length,
    changed: changed.map(([, document]) => document),
    statements: () =>
      portfolioStatements(
        db,
        accountId,
        changed.map(([, document]) => document),
        stored,
        surroundings.references.featureIds,
      ),
  };
}

function assertNone(conflicts: readonly Conflict[]): void {
  if (conflicts.length > 0) throw new PortfolioError(conflicts);
}

/**
 * The documents that differ from what is stored, merged and with their positions. Times left to the database make no
 * difference.
 */
export async function findChanged(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  merge?: Merge,
): Promise<Placed[]> {
  return changedAmong(documents, await readStored(db, accountId, documents), merge);
}

function changedAmong(
  documents: readonly PortfolioDocument[],
  stored: Stored,
  merge: Merge = (document) => document,
): Placed[] {
  return documents.flatMap((given, index): Placed[] => {
    const before = stored.get(documentKey(given));
    const document = withLaterTimes(withChannels(merge(given, before), before), before);
    return before !== undefined && isDeepStrictEqual(document, withOpenTimes(before, document))
      ? []
      : [[index, document]];
  });
}

/** Completes a property that leaves open which channels it is assigned to. */
function withChannels(document: PortfolioDocument, stored: PortfolioDocument | undefined): PortfolioDocument {
  if (document.kind !== 'property' || document.channels !== null) return document;
  return { ...document, channels: stored?.kind === 'property' ? stored.channels : [] };
}

/**
 * Leaves times to the database that are not later than those that feeds have shown: readers skip a record whose time
 * has not advanced.
 */
function withLaterTimes(document: PortfolioDocument, stored: PortfolioDocument | undefined): PortfolioDocument {
  if (document.kind !== 'property' || stored?.kind !== 'property') return document;
  const shown = [stored.sale_updated_at ?? '', stored.rental_updated_at ?? ''].sort()[1]!;
  const later = (time: string | null) => (time !== null && time > shown ? time : null);
  return {
    ...document,
    sale_updated_at: later(document.sale_updated_at),
    rental_updated_at: later(document.rental_updated_at),
  };
}

/** What is stored, without the times that the document leaves to the database. */
function withOpenTimes(stored: PortfolioDocument, document: PortfolioDocument): PortfolioDocument {
  if (stored.kind !== 'property' || document.kind !== 'property') return stored;
  return {
    ...stored,
    sale_updated_at: document.sale_updated_at && stored.sale_updated_at,
    rental_updated_at: document.rental_updated_at && stored.rental_updated_at,
  };
}
