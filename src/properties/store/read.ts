import { readAccount, type Select } from '../../db/account-read.ts';
import { type Row, rowsOf } from '../../db/json-rows.ts';
import type { ImportNames } from '../../db/schema.ts';
import { type VocabularyRow, vocabularyDocument } from '../../vocabulary/stored.ts';
import {
  type DevelopmentDocument,
  documentKey,
  type PortfolioDocument,
  type UnitDocument,
} from '../documents.ts';
import { type PropertyRow, storedProperty } from './property-rows.ts';

/** The stored documents of an account by {@link documentKey}; missing ones are omitted. */
export type Stored = ReadonlyMap<string, PortfolioDocument>;

/** Stored documents, with what tells whether somebody has changed them since. */
export interface Read {
  readonly stored: Stored;
  /**
   * By {@link documentKey}: the number of the last change of a property, the version of a unit, the stored text of any other
   * document.
   */
  readonly states: ReadonlyMap<string, number | string>;
}

/** Reads the stored documents of an account with the keys of these documents. */
export async function readStored(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Promise<Stored> {
  return (await readAccount(db, accountId, (select) => selectStored(select, documents))).stored;
}

/** Like {@link readStored}, to be combined with other reads. */
export function selectStored(select: Select, documents: readonly PortfolioDocument[]): () => Read {
  const entries: Row[] = [];
  const developments: string[] = [];
  const units: Row[] = [];
  const properties: string[] = [];
  for (const document of documents) {
    if (document.kind === 'property') properties.push(document.id);
    else if (document.kind === 'unit') units.push([document.development, document.name]);
    else if (document.kind === 'development') developments.push(document.id);
    else entries.push([document.kind, document.code]);
  }
  const foundEntries = select<VocabularyRow>(VOCABULARY, entries);
  const foundDevelopments = select<DevelopmentRow>(DEVELOPMENTS, developments);
  const foundUnits = select<UnitRow & { version: number }>(UNITS, units);
  const foundProperties = select<PropertyRow & { change: number }>(PROPERTIES, properties);
  return () => {
    const found: [PortfolioDocument, number | string][] = [
      ...foundEntries().map(
        (row) => [vocabularyDocument(row), row.document] as [PortfolioDocument, string],
      ),
      ...foundDevelopments().map(
        (row) => [developmentOf(row), row.document] as [PortfolioDocument, string],
      ),
      ...foundUnits().map((row) => [unitOf(row), row.version] as [PortfolioDocument, number]),
      ...foundProperties().map(
        (row) => [storedProperty(row), row.change] as [PortfolioDocument, number],
      ),
    ];
    return {
      stored: new Map(found.map(([document]) => [documentKey(document), document])),
      states: new Map(found.map(([document, state]) => [documentKey(document), state])),
    };
  };
}

const VOCABULARY = `
  SELECT v.kind, v.code, v.document
    FROM ${rowsOf(['kind', 'code'])}
    JOIN vocabulary v ON v.account_id = ?1 AND v.kind = d.kind AND v.code = d.code`;

const DEVELOPMENTS = `
  SELECT identifier, document FROM developments
   WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))`;

const UNITS = `
  SELECT v.identifier AS development, u.name, u.status, u.price, u.directions, u.version
    FROM ${rowsOf(['development', 'name'])}
    CROSS JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development
    CROSS JOIN units u ON u.development_id = v.id AND u.name = d.name`;

const PROPERTIES = `
  SELECT identifier, document, pictures, texts, changed_at, change FROM properties
   WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))`;

const MAPPED = `
  SELECT kind, code, document FROM vocabulary
   WHERE account_id = ?1 AND (kind = 'category' OR code IN (
     SELECT value FROM accounts a, json_each(a.import_names, '$.' || kind || 's') WHERE a.id = ?1))`;

/** Selects the names that an account has mapped, and its stored entries that they can mean, with all categories. */
export function selectMappedNames(select: Select) {
  const account = select<{ names: string }>(
    'SELECT import_names AS names FROM accounts WHERE id = ?1',
  );
  const entries = select<VocabularyRow>(MAPPED);
  return () => ({
    names: JSON.parse(account()[0]?.names ?? '{}') as ImportNames,
    stored: new Map<string, PortfolioDocument>(
      entries()
        .map(vocabularyDocument)
        .map((entry) => [documentKey(entry), entry]),
    ),
  });
}

export interface DevelopmentRow {
  readonly identifier: string;
  readonly document: string;
}

export interface UnitRow extends Pick<UnitDocument, 'development' | 'name' | 'status' | 'price'> {
  readonly directions: string;
}

export function developmentOf({ identifier: id, document }: DevelopmentRow): DevelopmentDocument {
  return { kind: 'development', id, ...JSON.parse(document) };
}

export function unitOf({ development, name, status, price, directions }: UnitRow): UnitDocument {
  return { kind: 'unit', development, name, status, price, directions: JSON.parse(directions) };
}
