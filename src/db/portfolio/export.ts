import { and, eq, gt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';
import { developments, featureCategories, features, properties, propertyTypes, units } from '../schema.ts';
import { readStored } from './read.ts';

/** Documents read at a time, which bounds the memory they take. */
const PAGE = 200;

/** A page of keys: those of one kind of documents, after a position. */
type Keys = (db: D1Database, account: number, after: number) => Promise<readonly { readonly position: number }[]>;

/**
 * The keys of an account's documents, a page at a time. Vocabulary comes before what refers to it, and properties in the
 * order of their sequence numbers, so that a copy written in this order has the same feeds.
 */
const KEYS: readonly { readonly kind: PortfolioDocument['kind']; readonly keys: Keys }[] = [
  { kind: 'type', keys: codesOf(propertyTypes) },
  { kind: 'category', keys: codesOf(featureCategories) },
  { kind: 'feature', keys: codesOf(features) },
  {
    kind: 'development',
    keys: (db, account, after) =>
      drizzle(db)
        .select({ position: developments.id, id: developments.identifier })
        .from(developments)
        .where(and(eq(developments.accountId, account), gt(developments.id, after)))
        .orderBy(developments.id)
        .limit(PAGE),
  },
  {
    kind: 'unit',
    keys: (db, account, after) =>
      drizzle(db)
        .select({ position: units.id, development: developments.identifier, name: units.name })
        .from(units)
        .innerJoin(developments, eq(developments.id, units.developmentId))
        .where(and(eq(units.accountId, account), gt(units.id, after)))
        .orderBy(units.id)
        .limit(PAGE),
  },
  {
    kind: 'property',
    keys: (db, account, after) =>
      drizzle(db)
        .select({ position: properties.sequenceNumber, id: properties.identifier })
        .from(properties)
        .where(and(eq(properties.accountId, account), gt(properties.sequenceNumber, after)))
        .orderBy(properties.sequenceNumber)
        .limit(PAGE),
  },
];

function codesOf(table: typeof propertyTypes | typeof featureCategories | typeof features): Keys {
  return (db, account, after) =>
    drizzle(db)
      .select({ position: table.id, code: table.code })
      .from(table)
      .where(and(eq(table.accountId, account), gt(table.id, after)))
      .orderBy(table.id)
      .limit(PAGE);
}

/** Where a page of an export begins: in which kind of documents, and after which of them. */
export interface ExportPosition {
  /** The index of the kind. */
  readonly kind: number;
  readonly after: number;
}

/** Where an export begins. */
export const EXPORT_START: ExportPosition = { kind: 0, after: 0 };

/** Some documents of an account's portfolio, and where the next ones begin; `null` if there are no others. */
export async function readExportPage(
  db: D1Database,
  accountId: number,
  { kind: index, after }: ExportPosition,
): Promise<{ readonly documents: readonly PortfolioDocument[]; readonly next: ExportPosition | null }> {
  const { kind, keys: read } = KEYS[index]!;
  const page = await read(db, accountId, after);
  // A document's key is all that is asked for by.
  const keys = page.map((key) => ({ kind, ...key }) as unknown as PortfolioDocument);
  const stored = await readStored(db, accountId, keys);
  const documents = keys.flatMap((key) => stored.get(documentKey(key)) ?? []);
  if (page.length === PAGE) return { documents, next: { kind: index, after: page.at(-1)!.position } };
  return { documents, next: index + 1 < KEYS.length ? { kind: index + 1, after: 0 } : null };
}

/**
 * An account's whole portfolio, document by document, each after those that it refers to. Each page is of one moment; what
 * changes in the meantime is given in its old or its new state.
 */
export async function* exportPortfolio(db: D1Database, accountId: number): AsyncGenerator<PortfolioDocument> {
  for (let position: ExportPosition | null = EXPORT_START; position !== null; ) {
    const { documents, next }: Awaited<ReturnType<typeof readExportPage>> = await readExportPage(
      db,
      accountId,
      position,
    );
    yield* documents;
    position = next;
  }
}
