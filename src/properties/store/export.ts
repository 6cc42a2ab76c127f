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

/** Where a page of an export begins: in which kind of documents, and after which of them. */
export interface ExportPosition {
  /** The index of the kind; properties follow the others. */
  readonly kind: number;
  readonly after: number;
}

export const EXPORT_START: ExportPosition = { kind: 0, after: 0 };

/** A page of an export. */
interface ExportPage {
  readonly documents: readonly PortfolioDocument[];
  /** Where the next one begins; `null` if this is the last one. */
  readonly next: ExportPosition | null;
}

/** Some documents of an account's portfolio, and where the next ones begin. */
export async function readExportPage(
  db: D1Database,
  accountId: number,
  from: ExportPosition,
): Promise<ExportPage> {
  const { kind, after } = from;
  if (kind === KINDS.length) return readProperties(db, accountId, after);
  const { sql, toDocument } = KINDS[kind]!;
  const { results } = await db.prepare(sql).bind(accountId, after).all<Placed<never>>();
  const documents = results.map(toDocument);
  const last = results.at(-1) as { readonly position: number } | undefined;
  const next =
    results.length === PAGE ? { kind, after: last!.position } : { kind: kind + 1, after: 0 };
  return { documents, next };
}

const SIZES = `
  SELECT number, bytes FROM properties WHERE account_id = ?1 AND number > ?2 ORDER BY number LIMIT ${PAGE}`;

const PROPERTIES = `
  SELECT identifier, document, pictures, texts, changed_at FROM properties
   WHERE account_id = ?1 AND number > ?2 AND number <= ?3 ORDER BY number`;

async function readProperties(
  db: D1Database,
  accountId: number,
  after: number,
): Promise<ExportPage> {
  const sizes = await db
    .prepare(SIZES)
    .bind(accountId, after)
    .all<{ number: number; bytes: number }>();
  const last = onePage(sizes.results).at(-1);
  if (last === undefined) return { documents: [], next: null };
  const { results } = await db
    .prepare(PROPERTIES)
    .bind(accountId, after, last.number)
    .all<PropertyRow>();
  const isLast = sizes.results.length < PAGE && sizes.results.at(-1) === last;
  return {
    documents: results.map(storedProperty),
    next: isLast ? null : { kind: KINDS.length, after: last.number },
  };
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
