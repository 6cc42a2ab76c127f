import { ELEMENTS, type StoredLanguage } from '../../lib/languages.ts';
import { isoTime } from '../../lib/time/time.ts';
import {
  type CategoryDocument,
  type DevelopmentDocument,
  documentKey,
  type FeatureDocument,
  type PortfolioDocument,
  type PropertyDocument,
  type TypeDocument,
  type UnitDocument,
} from '../../portfolio/documents.ts';
import { FIELDS } from '../../portfolio/property-fields.ts';
import { readAccount, type Select } from '../account-read.ts';
import { type Row, rowsOf } from '../json-rows.ts';
import type { developments, FieldRow, ImportNames, units } from '../schema.ts';
import { VOCABULARY, type VocabularyTable } from '../vocabulary.ts';
import { fieldsOf } from './field-values.ts';

/** The stored documents of an account by {@link documentKey}; missing ones are omitted. */
export type Stored = ReadonlyMap<string, PortfolioDocument>;

/** Reads the stored documents of an account with the keys of these documents. */
export async function readStored(db: D1Database, accountId: number, documents: readonly PortfolioDocument[]) {
  return (await readAccount(db, accountId, (select) => selectStored(select, documents))).stored;
}

/** Stored documents with what tells whether they have changed since. */
export interface Read {
  readonly stored: Stored;
  /** The versions of properties and units, by {@link documentKey}. */
  readonly versions: ReadonlyMap<string, Readonly<{ version: number; changeNumber: number }>>;
  /** The revision of types, categories and features. */
  readonly vocabularyRevision: number;
}

/** Like {@link readStored}, to be combined with other reads. */
export function selectStored(select: Select, documents: readonly PortfolioDocument[]): () => Read {
  const keys = Map.groupBy(documents, ({ kind }) => kind);
  const keysOf = (kind: PortfolioDocument['kind']): (Row | string)[] =>
    (keys.get(kind) ?? []).map((document) => {
      if (document.kind === 'unit') return [document.development, document.name];
      return 'code' in document ? document.code : document.id;
    });
  const entries = VOCABULARY.map((table) => {
    const rows = select<EntryRow>(selectEntries(table), keysOf(table.kind));
    return () => entriesOf(table, rows());
  });
  const foundDevelopments = select<DevelopmentRow>(DEVELOPMENTS, keysOf('development'));
  const foundUnits = select<UnitRow>(UNITS, keysOf('unit'));
  const foundProperties = select<PropertyRow>(PROPERTIES, keysOf('property'));
  const account = select<{ revision: number }>('SELECT vocabulary_revision AS revision FROM accounts WHERE id = ?1');
  const texts = select<TextRow>(TEXTS, keysOf('property'));
  return () => {
    const [units, properties] = [foundUnits(), foundProperties()];
    const byId = new Map(properties.map((row) => [row.identifier, propertyOf(row)]));
    for (const { identifier, language, title, description, url } of texts()) {
      const element = ELEMENTS.get(language);
      if (element !== undefined) byId.get(identifier)!.texts[element] = { title, description, url };
    }
    const unitDocuments = units.map(unitOf);
    const stored = [
      ...entries.flatMap((entriesOfKind) => entriesOfKind()),
      ...foundDevelopments().map(developmentOf),
      ...unitDocuments,
      ...byId.values(),
    ];
    const versioned = [...unitDocuments, ...byId.values()].map(documentKey);
    const versions = [...units, ...properties].map(
      ({ version, change_number: changeNumber }, index) => [versioned[index]!, { version, changeNumber }] as const,
    );
    return {
      stored: new Map(stored.map((document) => [documentKey(document), document])),
      versions: new Map(versions),
      vocabularyRevision: account()[0]?.revision ?? 0,
    };
  };
}

const MEANT = `
  SELECT kind, code FROM (
    SELECT account_id, 'type' AS kind, code, '$.types' AS names FROM property_types
     UNION ALL SELECT account_id, 'feature', code, '$.features' FROM features
     UNION ALL SELECT account_id, 'category', code, NULL FROM feature_categories)
   WHERE account_id = ?1
     AND (names IS NULL OR code IN (SELECT value FROM accounts a, json_each(a.import_names, names) WHERE a.id = ?1))`;

/** Selects the names that an account has mapped, and its stored entries that they can mean, with all categories: only their codes. */
export function selectMappedNames(select: Select) {
  const account = select<{ names: string }>('SELECT import_names AS names FROM accounts WHERE id = ?1');
  const entries = select<PortfolioDocument>(MEANT);
  return () => ({
    names: JSON.parse(account()[0]?.names ?? '{}') as ImportNames,
    stored: new Map(entries().map((entry) => [documentKey(entry), entry])),
  });
}

/** The keys of a {@link Select}, which says why these statements are plain SQL. */
const KEYS = '(SELECT value FROM json_each(?2))';

function selectEntries({ table, labels, owner, columns, category }: VocabularyTable): string {
  return `
  SELECT e.code, l.language, ${columns.map((column) => `l.${column}`).join(', ')}${category ? ', c.code AS category' : ''}
    FROM ${table} e ${category ? 'JOIN feature_categories c ON c.id = e.category_id' : ''}
    LEFT JOIN ${labels} l ON l.${owner} = e.id
   WHERE e.account_id = ?1 AND e.code IN ${KEYS} ORDER BY e.id, l.language`;
}

const DEVELOPMENTS = `SELECT identifier, name, details FROM developments WHERE account_id = ?1 AND identifier IN ${KEYS}`;

const UNITS = `
  SELECT v.identifier AS development, u.name, u.status, u.price, u.directions, u.version, u.change_number
    FROM ${rowsOf(['development', 'name'])}
    CROSS JOIN developments v ON v.account_id = ?1 AND v.identifier = d.development
    CROSS JOIN units u ON u.development_id = v.id AND u.name = d.name`;

const PROPERTIES = `
  SELECT p.identifier, p.version, p.change_number, p.status, p.sale_updated_at, p.rental_updated_at,
         ${FIELDS.map(([column]) => `p.${column}`).join(', ')},
         t.code AS type, v.identifier AS development, u.name AS unit,
         (SELECT json_group_array(f.code ORDER BY given.key)
            FROM json_each('[' || p.features || ']') given JOIN features f ON f.id = given.value) AS feature_codes,
         (SELECT json_group_array(c.name ORDER BY c.name)
            FROM property_channels a JOIN channels c ON c.account_id = a.account_id AND c.id = a.channel_id
           WHERE a.account_id = p.account_id AND a.sequence_number = p.sequence_number) AS channel_names
    FROM properties p
    JOIN property_types t ON t.id = p.type_id
    LEFT JOIN units u ON u.id = p.unit_id
    LEFT JOIN developments v ON v.id = u.development_id
   WHERE p.account_id = ?1 AND p.identifier IN ${KEYS}`;

const TEXTS = `
  SELECT p.identifier, x.language, x.title, x.description, x.url
    FROM properties p JOIN property_texts x ON x.id BETWEEN p.id * 128 AND p.id * 128 + 127
   WHERE p.account_id = ?1 AND p.identifier IN ${KEYS} ORDER BY p.id, x.language`;

/** A row of {@link selectEntries}: a code, a language and the columns of a label. */
type EntryRow = Readonly<Record<string, string | number | null>> & { readonly code: string };

interface VersionRow {
  readonly version: number;
  readonly change_number: number;
}

type UnitRow = VersionRow &
  Pick<typeof units.$inferSelect, 'name' | 'price' | 'directions'> &
  Pick<UnitDocument, 'development' | 'status'>;

type TextRow = PropertyDocument['texts'][StoredLanguage] & { readonly identifier: string; readonly language: number };

interface PropertyRow extends FieldRow, VersionRow, Pick<PropertyDocument, 'type' | 'status'> {
  readonly identifier: string;
  readonly development: string | null;
  readonly unit: string | null;
  readonly sale_updated_at: number;
  readonly rental_updated_at: number;
  readonly feature_codes: string;
  readonly channel_names: string;
}

/** Entries as documents, from rows with one language of an entry each. */
function entriesOf(
  { kind, columns, category }: VocabularyTable,
  rows: readonly EntryRow[],
): (TypeDocument | CategoryDocument | FeatureDocument)[] {
  return [...Map.groupBy(rows, ({ code }) => code)].map(([code, own]) => {
    const labels = own.flatMap((row) => {
      const element = ELEMENTS.get(row.language as number | null);
      const label =
        columns.length === 1 ? row[columns[0]!] : Object.fromEntries(columns.map((name) => [name, row[name]]));
      return element === undefined ? [] : [[element, label]];
    });
    const given = { kind, code, ...(category && { category: own[0]!.category }), labels: Object.fromEntries(labels) };
    return given as TypeDocument | CategoryDocument | FeatureDocument;
  });
}

type DevelopmentRow = Pick<typeof developments.$inferSelect, 'identifier' | 'name' | 'details'>;

function developmentOf({ identifier: id, name, details }: DevelopmentRow): DevelopmentDocument {
  return { kind: 'development', id, name, ...(details !== null && { details: JSON.parse(details) }) };
}

function unitOf({ development, name, status, price, directions }: UnitRow): UnitDocument {
  return { kind: 'unit', development, name, status, price, directions: JSON.parse(directions) };
}

function propertyOf(row: PropertyRow): PropertyDocument {
  return {
    kind: 'property',
    id: row.identifier,
    type: row.type,
    unit: row.development === null || row.unit === null ? null : { development: row.development, name: row.unit },
    status: row.status,
    sale_updated_at: isoTime(row.sale_updated_at),
    rental_updated_at: isoTime(row.rental_updated_at),
    ...fieldsOf(row),
    texts: {},
    features: JSON.parse(row.feature_codes),
    channels: JSON.parse(row.channel_names),
  };
}
