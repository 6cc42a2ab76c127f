import { isDeepStrictEqual } from 'node:util';
import { documentKey, type PortfolioDocument } from '../../../portfolio/documents.ts';
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

/** Documents that do not fit each other or what is stored, with every reason; nothing was written. */
export class PortfolioError extends Error {
  override readonly name = 'PortfolioError';

  constructor(readonly conflicts: readonly Conflict[]) {
    super(
      conflicts.map(({ index, field, detail }) => `document ${index}${field && `, ${field}`}: ${detail}`).join('; '),
    );
  }
}

/** A document as it is to be written, by what is stored under its key. */
export type Merge = (document: PortfolioDocument, stored: PortfolioDocument | undefined) => PortfolioDocument;

/** What is to be done to write documents: all or none, in one transaction. */
export interface PortfolioPlan {
  /** How many of them are written. */
  readonly written: number;
  /** How many were stored already. */
  readonly unchanged: number;
  /** Those that are written. */
  readonly changed: readonly PortfolioDocument[];
  /** To be run in one batch; none where nothing is written. */
  statements(): D1PreparedStatement[];
}

/**
 * Writes documents into an account's portfolio, all or none, in one transaction: each takes the place of what is stored
 * under its code, identifier or name. New properties get the next sequence numbers in the order of the documents. A
 * document that equals what is stored writes nothing and moves no revision; a changed property counts as one change.
 *
 * @returns how many documents were written, and how many were stored already
 * @throws PortfolioError when a document names what is not there, or two cannot stand beside each other
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

/** What is stored under the keys of documents, and around them: all that a plan to write them depends on. */
export interface Before {
  readonly stored: Stored;
  readonly surroundings: Surroundings;
}

/** Reads all that a plan to write documents depends on, at one moment; it is held at once. */
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
 * What {@link writePortfolio} would do, for a writer that has other work meanwhile.
 *
 * @param before as it was read for these documents, and perhaps others
 * @param onto where a document leaves parts open: makes it whole by what is stored
 * @throws PortfolioError as {@link writePortfolio} does
 */
export function planPortfolio(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  { stored, surroundings }: Before,
  onto?: Merge,
): PortfolioPlan {
  refuse(findDuplicates(documents));
  const changed = changedAmong(documents, stored, onto);
  refuse(findConflicts(changed, surroundings));
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
      ),
  };
}

function refuse(conflicts: readonly Conflict[]): void {
  if (conflicts.length > 0) throw new PortfolioError(conflicts);
}

/**
 * Those of the documents, as they are to be written and with their places, that differ from what is stored; times left
 * open make no difference.
 */
export async function findChanged(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  onto?: Merge,
): Promise<Placed[]> {
  return changedAmong(documents, await readStored(db, accountId, documents), onto);
}

function changedAmong(
  documents: readonly PortfolioDocument[],
  stored: Stored,
  onto: Merge = (document) => document,
): Placed[] {
  return documents.flatMap((given, index): Placed[] => {
    const before = stored.get(documentKey(given));
    const document = withLaterTimes(onto(given, before), before);
    return before !== undefined && isDeepStrictEqual(document, withOpenTimes(before, document))
      ? []
      : [[index, document]];
  });
}

/**
 * The document with the times left to the database that are not later than what feeds have shown: readers take a record
 * whose time has not moved for one that they have.
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

/** What is stored, less the times that the document leaves to the database. */
function withOpenTimes(stored: PortfolioDocument, document: PortfolioDocument): PortfolioDocument {
  if (stored.kind !== 'property' || document.kind !== 'property') return stored;
  return {
    ...stored,
    sale_updated_at: document.sale_updated_at && stored.sale_updated_at,
    rental_updated_at: document.rental_updated_at && stored.rental_updated_at,
  };
}
