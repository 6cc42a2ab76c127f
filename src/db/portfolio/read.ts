import { ELEMENTS } from '../../lib/languages.ts';
import { isoTime } from '../../lib/time/time.ts';
import {
  type CategoryDocument,
  type DevelopmentDocument,
  documentKey,
  type FeatureDocument,
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
  type TypeDocument,
  type UnitDocument,
} from '../../portfolio/documents.ts';
import type { FieldRow } from '../../portfolio/field-shapes.ts';
import { FIELDS } from '../../portfolio/property-fields.ts';
import { type Row, rowsOf } from '../json-rows.ts';
import { fieldsOf } from './field-values.ts';
import { allOf, type Reading, read, selection, together } from './reading.ts';
import { VOCABULARY, type VocabularyTable } from './vocabulary-tables.ts';

/** The stored documents of an account by {@link documentKey}; missing ones are omitted. */
export type Stored = ReadonlyMap<string, PortfolioDocument>;

/** Reads the stored documents of an account with the keys of these documents. */
export async function readStored(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Promise<Stored> {
  return (await read(db, storedReading(db, accountId, documents))).stored;
}

/** Stored documents with what tells whether they have changed since. */
export interface Read {
  readonly stored: Stored;
  /** Of properties and units, by {@link documentKey}. */
  readonly versions: ReadonlyMap<string, Version>;
  /** Of types, categories and features. */
  readonly vocabularyRevision: number;
}

/** The state in which a property or a unit was read. */
export interface Version {
  readonly version: number;
  readonly changeNumber: number;
}

/** Like {@link readStored}, to be combined with other reads. */
export function storedReading(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): Reading<Read> {
  const keys: Record<PortfolioDocument['kind'], (Row | string)[]> = {
    type: [],
    category: [],
    feature: [],
    development: [],
    unit: [],
    property: [],
  };
  for (const document of documents) {
    if (document.kind === 'unit') keys.unit.push([document.development, document.name]);
    else keys[document.kind].push('code' in document ? document.code : document.id);
  }
  const { statements, value } = together({
    vocabulary: allOf(
      VOCABULARY.map((table) =>
        selection(db, accountId, entries(table), keys[table.kind], (rows: readonly EntryRow[]) =>
          entriesOf(table, rows),
        ),
      ),
    ),
    developments: selection(db, accountId, DEVELOPMENTS, keys.development, developmentsOf),
    units: selection(db, accountId, UNITS, keys.unit, (rows: readonly UnitRow[]) => rows),
    properties: selection(db, accountId, PROPERTIES, keys.property, (rows: readonly PropertyRow[]) => rows),
    revisions: {
      statements: [db.prepare('SELECT vocabulary_revision AS revision FROM accounts WHERE id = ?1').bind(accountId)],
      value: ([rows = []]) => (rows as readonly { revision: number }[])[0]?.revision ?? 0,
    } satisfies Reading<number>,
    texts: selection(db, accountId, TEXTS, keys.property, (rows: readonly TextRow[]) => rows),
  });
  return {
    statements,
    value: (results) => {
      const { texts, units, properties, revisions, developments, vocabulary } = value(results);
      const byId = new Map(properties.map((row) => [row.identifier, propertyOf(row)]));
      for (const { identifier, language, title, description, url } of texts) {
        const element = ELEMENTS.get(language);
        if (element !== undefined) byId.get(identifier)!.texts[element] = { title, description, url };
      }
      const documents = [...vocabulary.flat(), ...developments, ...units.map(unitOf), ...byId.values()];
      const versionOf = ({ version, change_number }: VersionRow): Version => ({ version, changeNumber: change_number });
      return {
        stored: new Map(documents.map((document) => [documentKey(document), document])),
        versions: new Map([
          ...units.map((row) => [keyOf('unit', row.development, row.name), versionOf(row)] as const),
          ...properties.map((row) => [keyOf('property', row.identifier), versionOf(row)] as const),
        ]),
        vocabularyRevision: revisions,
      };
    },
  };
}

/** The keys of a {@link selection}; its documentation says why these statements are plain SQL. */
const KEYS = '(SELECT value FROM json_each(?2))';

function entries({ table, labels, owner, columns, category }: VocabularyTable): string {
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
            FROM property_channels a JOIN channels c ON c.id = a.channel_id
           WHERE a.account_id = p.account_id AND a.sequence_number = p.sequence_number) AS channel_names
    FROM properties p
    JOIN property_types t ON t.id = p.type_id
    LEFT JOIN units u ON u.id = p.unit_id
    LEFT JOIN developments v ON v.id = u.development_id
   WHERE p.account_id = ?1 AND p.identifier IN ${KEYS}`;

const TEXTS = `
  SELECT p.identifier, x.language, x.title, x.description, x.url
    FROM properties p JOIN property_texts x ON x.property_id = p.id
   WHERE p.account_id = ?1 AND p.identifier IN ${KEYS} ORDER BY p.id, x.language`;

/** A row of {@link entries}: a code, a language and the columns of a label. */
type EntryRow = Readonly<Record<string, string | number | null>> & { readonly code: string };

interface VersionRow {
  version: number;
  change_number: number;
}

interface UnitRow extends VersionRow {
  development: string;
  name: string;
  status: UnitDocument['status'];
  price: number;
  directions: string;
}

interface TextRow {
  identifier: string;
  language: number;
  title: string | null;
  description: string | null;
  url: string | null;
}

interface PropertyRow extends FieldRow, VersionRow {
  identifier: string;
  type: string;
  development: string | null;
  unit: string | null;
  status: PropertyDocument['status'];
  sale_updated_at: number;
  rental_updated_at: number;
  feature_codes: string;
  channel_names: string;
}

/** Rows, of which each entry has one per language, as documents. */
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

interface DevelopmentRow {
  identifier: string;
  name: string;
  details: string | null;
}

function developmentsOf(rows: readonly DevelopmentRow[]): DevelopmentDocument[] {
  return rows.map(({ identifier, name, details }) => ({
    kind: 'development',
    id: identifier,
    name,
    ...(details !== null && { details: JSON.parse(details) }),
  }));
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
