import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';
import { VOCABULARY } from '../vocabulary.ts';
import { bytesOf, onePage } from './listed.ts';
import { readStored } from './read.ts';

/** Documents read at a time: fewer if their texts are long, which bounds the memory they take. */
const PAGE = 200;

/**
 * The statements that read the keys of a page of documents, by kind. Vocabulary comes before what refers to it, and
 * properties in the order of their sequence numbers, so that a copy written in this order has the same feeds.
 */
const KINDS = [
  ...VOCABULARY.map(({ kind, table }) => selectKeys(kind, 'id', 'x.code', `${table} x`)),
  selectKeys('development', 'id', 'x.identifier AS id', 'developments x'),
  selectKeys(
    'unit',
    'id',
    'd.identifier AS development, x.name',
    'units x JOIN developments d ON d.id = x.development_id',
  ),
  selectKeys('property', 'sequence_number', `x.identifier AS id, ${bytesOf('x')} AS bytes`, 'properties x'),
];

function selectKeys(kind: PortfolioDocument['kind'], position: string, key: string, from: string) {
  const sql = `SELECT x.${position} AS position, ${key} FROM ${from}
    WHERE x.account_id = ?1 AND x.${position} > ?2 ORDER BY x.${position} LIMIT ${PAGE}`;
  return { kind, sql };
}

/** Where a page of an export begins: in which kind of documents, and after which of them. */
export interface ExportPosition {
  /** The index of the kind. */
  readonly kind: number;
  readonly after: number;
}

export const EXPORT_START: ExportPosition = { kind: 0, after: 0 };

/** Some documents of an account's portfolio, and where the next ones begin; `null` if there are no others. */
export async function readExportPage(db: D1Database, accountId: number, { kind: index, after }: ExportPosition) {
  const { kind, sql } = KINDS[index]!;
  const read = db.prepare(sql).bind(accountId, after);
  const { results } = await read.all<{ readonly position: number; readonly bytes?: number }>();
  const page = onePage(results);
  // Documents are read by their keys: the other fields are not needed.
  const keys = page.map((key) => ({ kind, ...key }) as unknown as PortfolioDocument);
  const stored = await readStored(db, accountId, keys);
  const documents = keys.flatMap((key) => stored.get(documentKey(key)) ?? []);
  const hasMore = results.length === PAGE || page.length < results.length;
  if (hasMore) return { documents, next: { kind: index, after: page.at(-1)!.position } };
  return { documents, next: index + 1 < KINDS.length ? { kind: index + 1, after: 0 } : null };
}

/**
 * An account's whole portfolio, document by document, each after those that it refers to. Each page is of one moment; what
 * changes in the meantime is given in its old or its new state.
 */
export async function* exportPortfolio(db: D1Database, accountId: number): AsyncGenerator<PortfolioDocument> {
  for (let position: ExportPosition | null = EXPORT_START; position !== null; ) {
    const page: Awaited<ReturnType<typeof readExportPage>> = await readExportPage(db, accountId, position);
    yield* page.documents;
    position = page.next;
  }
}
