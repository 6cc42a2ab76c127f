import { type Actor, actorText } from '../../accounts/actor.ts';
import { readAccount, type Select } from '../../db/account-read.ts';
import { statementsOf } from '../../db/json-rows.ts';
import { isEqual } from '../../lib/bytes/equal.ts';
import { withCauses } from '../../lib/log.ts';
import { inEnglish } from '../../messages/messages.ts';
import { documentKey, keyOf, type PortfolioDocument } from '../documents.ts';
import { storedPictures } from '../pictures.ts';
import {
  type Conflict,
  type ExistingState,
  findConflicts,
  type Placed,
  selectExisting,
  withoutUnused,
  withUnitsHandedOn,
} from './conflicts.ts';
import { type Read, type Stored, selectStored } from './read.ts';
import { GUARD, guards, portfolioWrites, purge } from './statements.ts';

/**
 * Merges a document with what is stored; gives the document to be written, or `undefined` if nothing is to be written. It
 * is called again if another writer was faster.
 *
 * @param states the state of what is stored, as {@link Read} has it
 */
export type Merge = (
  document: PortfolioDocument,
  stored: Stored,
  states: Read['states'],
) => PortfolioDocument | undefined;

/** How documents were written, or are about to be. */
export interface Written {
  /** Documents that differ from what was stored, merged with it. */
  readonly changed: readonly PortfolioDocument[];
  /** Documents that are already stored like this. */
  readonly unchanged: readonly PortfolioDocument[];
  /** Why the other documents cannot be written. */
  readonly conflicts: readonly Conflict[];
  /** What was stored before. */
  readonly before: Read;
  /** What is stored now, if {@link Writing.readAfter} asks for it. */
  readonly after?: Read;
}

interface Writing {
  readonly actor: Actor;
  /** What it is done together with, if that can be undone together, as `readChanges` finds it. */
  readonly batch?: string | undefined;
  /** By default, each document replaces what is stored under its key. */
  readonly merge?: Merge | undefined;
  /** Whether types, features and categories are only written if a property needs them that is written as well. */
  readonly onlyUsed?: boolean;
  /** Called with what is about to be written. By default it throws if a document refers to what does not exist, or two conflict. */
  readonly check?: (written: Written) => void;
  /** The number of a new property; by default the account's next one. */
  readonly numberOf?: ((id: string) => number | undefined) | undefined;
  /** Properties to be deleted for good, by their identifiers: of those that were read. */
  readonly purge?: ((written: Written) => readonly string[]) | undefined;
  /** Further statements of the transaction. */
  readonly also?: ((written: Written) => readonly D1PreparedStatement[]) | undefined;
  /** Documents to be read in the same transaction, once all are written. */
  readonly readAfter?: readonly PortfolioDocument[] | undefined;
  /** What {@link readBefore} has read for these documents, if it was called early. */
  readonly before?: Before | undefined;
}

/** What is stored under the keys of documents and around them: all that writing them depends on. */
export interface Before extends Read {
  readonly existing: ExistingState;
}

/** Times that a writer tries again after another one was faster, and the longest pause before the first of them, in ms. */
const MAX_ATTEMPTS = 40;
const PAUSE_MS = 20;

/** Reads all that writing these documents depends on, as of one moment. */
export function readBefore(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
) {
  return readAccount(db, accountId, (select) => selectBefore(select, documents));
}

/** Like {@link readBefore}, to be combined with other reads. */
export function selectBefore(
  select: Select,
  documents: readonly PortfolioDocument[],
): () => Before {
  const stored = selectStored(select, documents);
  const existing = selectExisting(select, documents);
  return () => ({ ...stored(), existing: existing() });
}

/**
 * Writes documents into an account's portfolio in one transaction; nothing else writes properties. No two have the same key. New
 * properties get the next numbers in the order of the documents. A document that equals what is stored writes nothing. They are
 * merged with what is stored when the transaction begins: if another writer has changed that since it was read, it is read and
 * merged again.
 */
export async function writePortfolio(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  writing: Writing,
): Promise<Written> {
  const { check = refuseConflicts, readAfter, purge: purged = () => [] } = writing;
  const plan = async () => planned(documents, await readBefore(db, accountId, documents), writing);
  const early = writing.before && planned(documents, writing.before, writing);
  // What was read early may lack what has been written since, to which these documents may refer.
  let written = early?.conflicts.length === 0 ? early : await plan();
  for (let attempt = 1; ; attempt++) {
    check(written);
    const { changed, before } = written;
    const ids = purged(written);
    const deleted = ids.map((id) => before.stored.get(keyOf('property', id))!);
    const writes = [
      ...guards([...changed, ...deleted], before),
      ...portfolioWrites({
        documents: changed,
        stored: before.stored,
        actor: actorText(writing.actor),
        batch: writing.batch,
        // A number that another writer has taken in the meantime is not tried again.
        numberOf: attempt === 1 ? writing.numberOf : undefined,
      }),
      ...purge(ids),
    ];
    const statements = [...statementsOf(db, accountId, writes), ...(writing.also?.(written) ?? [])];
    if (statements.length === 0) return { ...written, ...(readAfter && { after: before }) };
    try {
      if (readAfter) {
        const after = await readAccount(
          db,
          accountId,
          (select) => selectStored(select, readAfter),
          statements,
        );
        return { ...written, after };
      }
      await db.batch(statements);
      return written;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isOutdated(error)) throw error;
      // Writers that began together would otherwise read together again, and all but one lose again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * attempt));
      written = await plan();
    }
  }
}

function refuseConflicts({ conflicts }: Written): void {
  if (conflicts.length > 0)
    throw new Error(conflicts.map(({ message }) => inEnglish(message)).join('; '), {
      cause: conflicts,
    });
}

/** What writing documents would do; documents in conflict are left out, and with them those that depend on them. */
function planned(
  documents: readonly PortfolioDocument[],
  before: Before,
  { merge, onlyUsed = false }: Pick<Writing, 'merge' | 'onlyUsed'>,
): Written {
  const { existing } = before;
  const { changed, unchanged } = comparedWithStored(documents, before, merge);
  const conflicts: Conflict[] = [];
  for (let writable = changed; ; ) {
    const found = findConflicts(writable, existing);
    if (found.length === 0) {
      const written = withUnitsHandedOn(writable.map(([, document]) => document));
      return { changed: onlyUsed ? withoutUnused(written) : written, unchanged, conflicts, before };
    }
    conflicts.push(...found);
    const conflicting = new Set(found.map(({ index }) => index));
    writable = writable.filter(([index]) => !conflicting.has(index));
  }
}

/** The documents that differ from what is stored, merged and with their positions, and the others. */
export function comparedWithStored(
  documents: readonly PortfolioDocument[],
  { stored, states }: Read,
  merge: Merge = (document) => document,
): { readonly changed: readonly Placed[]; readonly unchanged: readonly PortfolioDocument[] } {
  const changed: Placed[] = [];
  const unchanged: PortfolioDocument[] = [];
  for (const [index, given] of documents.entries()) {
    const before = stored.get(documentKey(given));
    const merged = merge(given, stored, states);
    if (merged === undefined) continue;
    const document = withLaterTime(completed(merged, before), before);
    const ifUnchanged = before?.kind === 'property' ? { ...before, updated_at: null } : before;
    if (isEqual(document, ifUnchanged)) unchanged.push(document);
    else changed.push([index, document]);
  }
  return { changed, unchanged };
}

/**
 * Completes a property that leaves unspecified which channels it is assigned to, or what is known of its pictures, and a
 * development without its details.
 */
function completed(
  document: PortfolioDocument,
  stored: PortfolioDocument | undefined,
): PortfolioDocument {
  if (
    document.kind === 'development' &&
    document.details === undefined &&
    stored?.kind === 'development'
  ) {
    const { details } = stored;
    return details === undefined ? document : { ...document, details };
  }
  if (document.kind !== 'property') return document;
  const before = stored?.kind === 'property' ? stored : undefined;
  return {
    ...document,
    channels: document.channels ?? before?.channels ?? [],
    pictures: storedPictures(document.pictures, before?.pictures ?? []),
  };
}

/**
 * Drops a time that is not later than the one in feeds so far, so that the database sets it: readers skip a record whose time has
 * not advanced.
 */
function withLaterTime(
  document: PortfolioDocument,
  stored: PortfolioDocument | undefined,
): PortfolioDocument {
  if (document.kind !== 'property' || stored?.kind !== 'property') return document;
  const isLater = document.updated_at !== null && document.updated_at > (stored.updated_at ?? '');
  return isLater ? document : { ...document, updated_at: null };
}

/**
 * Whether a transaction failed because of another writer: a guard has found a change, or what the documents refer to has been removed
 * or taken since it was read. The next reading shows which. A lease that an import has lost stays lost.
 */
function isOutdated(error: unknown): boolean {
  const reason = withCauses(error);
  return reason.includes(GUARD) || /(UNIQUE|FOREIGN KEY) constraint failed/.test(reason);
}
