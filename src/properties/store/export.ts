import { type VocabularyRow, vocabularyDocument } from '../../vocabulary/stored.ts';
import type { PortfolioDocument } from '../documents.ts';
import { onePage } from './listed.ts';
import { type PropertyRow, storedProperty } from './property-rows.ts';
import { type DevelopmentRow, developmentOf, type UnitRow, unitOf } from './read.ts';

/** Documents read at a time: fewer if they are large, which bounds the memory they take. */
const PAGE = 200;

/** A row, with its place among those of its kind. */
type Placed<Row> = Row & { readonly position: number };

/** How the documents of a kind are read, in their order. Parameter 1 is the account, parameter 2 the place after which they come. */
interface Kind {
  readonly sql: string;
  toDocument(row: Placed<never>): PortfolioDocument;
}

function ofVocabulary(kind: VocabularyRow['kind']): Kind {
  return {
    sql: `SELECT id AS position, kind, code, document FROM vocabulary
           WHERE account_id = ?1 AND kind = '${kind}' AND id > ?2 ORDER BY id LIMIT ${PAGE}`,
    toDocument: (row: VocabularyRow) => vocabularyDocument(row),
  };
}

/** Vocabulary comes before what refers to it, and properties in the order of their numbers, so that a copy has the same feeds. */
const KINDS: readonly Kind[] = [
  ofVocabulary('type'),
  ofVocabulary('category'),
  ofVocabulary('feature'),
  {
    sql: `SELECT id AS position, identifier, document FROM developments
           WHERE account_id = ?1 AND developments.id > ?2 ORDER BY developments.id LIMIT ${PAGE}`,
    toDocument: (row: DevelopmentRow) => developmentOf(row),
  },
  {
    sql: `SELECT u.id AS position, v.identifier AS development, u.name, u.status, u.price, u.directions
            FROM units u JOIN developments v ON v.id = u.development_id
           WHERE u.account_id = ?1 AND u.id > ?2 ORDER BY u.id LIMIT ${PAGE}`,
    toDocument: (row: UnitRow) => unitOf(row),
  },
];

/** Where a page of an export begins. */
export interface ExportPosition {
  /** For each of {@link KINDS}, the place of the last document that was read. */
  readonly places: readonly number[];
  /** The number of the last property that was read; `null` until all that precedes them was read. */
  readonly number: number | null;
}

export const EXPORT_START: ExportPosition = { places: KINDS.map(() => 0), number: null };

/** A page of an export. */
export interface ExportPage {
  readonly documents: readonly PortfolioDocument[];
  /** Where the next one begins; `null` if this is the last one. */
  readonly next: ExportPosition | null;
}

const SIZES = `
  SELECT number, bytes FROM properties WHERE account_id = ?1 AND number > ?2 ORDER BY number LIMIT ${PAGE}`;

const PROPERTIES = `
  SELECT identifier, document, pictures, texts, changed_at FROM properties
   WHERE account_id = ?1 AND number > ?2 AND number <= ?3 ORDER BY number`;

/**
 * Some documents of an account's portfolio, and where the next ones begin. Properties are read in
 * one transaction with the documents that are newer than those before, and only follow once these
 * are complete: so everything that a property refers to precedes it, even if it was created
 * meanwhile.
 */
export async function readExportPage(
  db: D1Database,
  accountId: number,
  { places, number }: ExportPosition,
): Promise<ExportPage> {
  const sizes = number === null ? [] : await readSizes(db, accountId, number);
  const last = onePage(sizes).at(-1)?.number;
  const results = await db.batch<Placed<never>>([
    ...KINDS.map(({ sql }, index) => db.prepare(sql).bind(accountId, places[index])),
    ...(last === undefined ? [] : [db.prepare(PROPERTIES).bind(accountId, number, last)]),
  ]);
  const rows = results.map((result) => result.results);
  const properties = last === undefined ? [] : (rows.pop() as unknown as readonly PropertyRow[]);
  const incomplete = rows.findIndex((found) => found.length === PAGE);
  const read = incomplete === -1 ? rows : rows.slice(0, incomplete + 1);
  const documents = read.flatMap((found, index) => found.map(KINDS[index]!.toDocument));
  const after = places.map((place, index) => {
    const row = read[index]?.at(-1) as { readonly position: number } | undefined;
    return row?.position ?? place;
  });
  if (incomplete !== -1) return { documents, next: { places: after, number } };
  if (number === null) return { documents, next: { places: after, number: 0 } };
  const isLast = sizes.length < PAGE && sizes.at(-1)?.number === last;
  return {
    documents: [...documents, ...properties.map(storedProperty)],
    next: isLast ? null : { places: after, number: last! },
  };
}

async function readSizes(db: D1Database, accountId: number, after: number) {
  const { results } = await db
    .prepare(SIZES)
    .bind(accountId, after)
    .all<{ number: number; bytes: number }>();
  return results;
}

/**
 * An account's whole portfolio, document by document, each after those that it refers to. Each page is of one moment; what
 * changes in the meantime is given in its old or its new state.
 */
export async function* exportPortfolio(
  db: D1Database,
  accountId: number,
): AsyncGenerator<PortfolioDocument> {
  for (let position: ExportPosition | null = EXPORT_START; position !== null; ) {
    const page: ExportPage = await readExportPage(db, accountId, position);
    yield* page.documents;
    position = page.next;
  }
}
