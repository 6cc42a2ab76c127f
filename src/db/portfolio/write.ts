import { isEqual } from '../../lib/bytes/equal.ts';
import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';
import { readAccount, type Select } from '../account-read.ts';
import { parameters, type Row, rowsOf } from '../json-rows.ts';
import { type Conflict, type ExistingState, findConflicts, type Placed, selectExisting } from './conflicts.ts';
import { type Read, type Stored, selectStored } from './read.ts';
import { portfolioStatements } from './statements.ts';

/**
 * Merges a document with what is stored; gives the document to be written, or `undefined` if nothing is to be written. It
 * is called again if another writer was faster.
 */
export type Merge = (document: PortfolioDocument, stored: Stored) => PortfolioDocument | undefined;

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
  /** By default, each document replaces what is stored under its key. */
  readonly merge?: Merge | undefined;
  /** Called with what is about to be written. By default it throws if a document refers to what does not exist, or two conflict. */
  readonly check?: (written: Written) => void;
  /** The sequence number of a new property; by default the account's next one. */
  readonly sequenceNumberOf?: ((id: string) => number | undefined) | undefined;
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

/** Times that a writer tries again after another one was faster. */
const MAX_ATTEMPTS = 20;

/** Reads all that writing these documents depends on, as of one moment. */
export function readBefore(db: D1Database, accountId: number, documents: readonly PortfolioDocument[]) {
  return readAccount(db, accountId, (select) => selectBefore(select, documents));
}

/** Like {@link readBefore}, to be combined with other reads. */
export function selectBefore(select: Select, documents: readonly PortfolioDocument[]): () => Before {
  const [stored, existing] = [selectStored(select, documents), selectExisting(select, documents)];
  return () => ({ ...stored(), existing: existing() });
}

/**
 * Writes documents into an account's portfolio in one transaction. No two have the same key. New properties get the next
 * sequence numbers in the order of the documents. A document that equals what is stored writes nothing and advances no revision.
 * They are merged with what is stored when the transaction begins: if another writer has changed that since it was read, it is
 * read and merged again.
 */
export async function writePortfolio(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  writing: Writing = {},
): Promise<Written> {
  const { check = refuseConflicts } = writing;
  const plan = async () => planned(documents, await readBefore(db, accountId, documents), writing.merge);
  const early = writing.before && planned(documents, writing.before, writing.merge);
  // What was read early may lack what has been written since, to which these documents may refer.
  let written = early?.conflicts.length === 0 ? early : await plan();
  for (let attempt = 1; ; attempt++) {
    check(written);
    const { changed, before } = written;
    // A number that another writer has taken in the meantime is not tried again.
    const numberOf = attempt === 1 ? writing.sequenceNumberOf : undefined;
    const portfolio = portfolioStatements(db, accountId, changed, before.stored, numberOf);
    const expected = expectations(db, accountId, changed, before);
    const statements = [...expected, ...portfolio, ...(writing.also?.(written) ?? [])];
    const { readAfter } = writing;
    if (statements.length === 0) return { ...written, ...(readAfter && { after: before }) };
    try {
      if (readAfter) {
        const after = await readAccount(db, accountId, (select) => selectStored(select, readAfter), statements);
        return { ...written, after };
      }
      await db.batch(statements);
      return written;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !WRITE_CONFLICT.test(String(error))) throw error;
      written = await plan();
    }
  }
}

function refuseConflicts({ conflicts }: Written): void {
  if (conflicts.length > 0) throw new Error(conflicts.map(({ detail }) => detail).join('; '), { cause: conflicts });
}

/** What writing documents would do; documents in conflict are left out, and with them those that depend on them. */
function planned(documents: readonly PortfolioDocument[], before: Before, merge?: Merge): Written {
  const { stored, existing } = before;
  const { changed, unchanged } = comparedWithStored(documents, stored, merge);
  const conflicts: Conflict[] = [];
  for (let writable = changed; ; ) {
    const found = findConflicts(writable, existing);
    if (found.length === 0) {
      return { changed: writable.map(([, document]) => document), unchanged, conflicts, before };
    }
    conflicts.push(...found);
    const conflicting = new Set(found.map(({ index }) => index));
    writable = writable.filter(([index]) => !conflicting.has(index));
  }
}

/** The documents that differ from what is stored, merged and with their positions, and the others. */
export function comparedWithStored(
  documents: readonly PortfolioDocument[],
  stored: Stored,
  merge: Merge = (document) => document,
): { readonly changed: readonly Placed[]; readonly unchanged: readonly PortfolioDocument[] } {
  const changed: Placed[] = [];
  const unchanged: PortfolioDocument[] = [];
  for (const [index, given] of documents.entries()) {
    const before = stored.get(documentKey(given));
    const merged = merge(given, stored);
    if (merged === undefined) continue;
    const document = withLaterTimes(completed(merged, before), before);
    const ifUnchanged = before?.kind === 'property' ? { ...before, ...OPEN_TIMES } : before;
    if (isEqual(document, ifUnchanged)) unchanged.push(document);
    else changed.push([index, document]);
  }
  return { changed, unchanged };
}

/** Completes a property that leaves unspecified which channels it is assigned to, or a development without its details. */
function completed(document: PortfolioDocument, stored: PortfolioDocument | undefined): PortfolioDocument {
  if (document.kind === 'development' && document.details === undefined && stored?.kind === 'development') {
    const { details } = stored;
    return details === undefined ? document : { ...document, details };
  }
  if (document.kind !== 'property' || document.channels !== null) return document;
  return { ...document, channels: stored?.kind === 'property' ? stored.channels : [] };
}

/** The times of a document that leaves them to the database. */
const OPEN_TIMES = { sale_updated_at: null, rental_updated_at: null };

/**
 * Drops times that are not later than those in the feeds so far, so that the database sets them: readers skip a record whose
 * time has not advanced.
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

/** Statements that fail the transaction if another writer has changed what was read; `migrations/0012_expectations.sql` defines them. */
export function expectations(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  { versions, vocabularyRevision }: Read,
): D1PreparedStatement[] {
  const properties: Row[] = [];
  const units: Row[] = [];
  let hasVocabulary = false;
  for (const document of documents) {
    const version = versions.get(documentKey(document));
    if (document.kind === 'property') {
      properties.push([document.id, version?.version ?? null, version?.changeNumber ?? null]);
    } else if (document.kind === 'unit') units.push([document.development, document.name, version?.version ?? null]);
    else hasVocabulary ||= document.kind !== 'development';
  }
  const expected = (view: string, columns: readonly string[], rows: readonly Row[]) =>
    parameters(rows).map((json) =>
      db
        .prepare(
          `INSERT INTO ${view} (account_id, ${columns.join(', ')})
           SELECT ?1, ${columns.map((name) => `d.${name}`).join(', ')}
             FROM ${rowsOf(columns)}`,
        )
        .bind(accountId, json),
    );
  return [
    ...expected('expect_property', ['identifier', 'version', 'change_number'], properties),
    ...expected('expect_unit', ['development', 'name', 'version'], units),
    ...expected('expect_vocabulary', ['revision'], hasVocabulary ? [[vocabularyRevision]] : []),
  ];
}

/**
 * How a transaction fails because of another writer: an expectation was not met, or what the documents refer to has been removed
 * or taken since it was read. The next reading shows which. A lease that an import has lost stays lost.
 */
const WRITE_CONFLICT = /has changed since it was read|constraint failed(?!: imports\.)|must be at most/;
