import { STORED_LANGUAGES } from '../../lib/languages.ts';
import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';
import { fromRows, parameters, type Row, rowsOf, upsert, type Write } from '../json-rows.ts';
import { VOCABULARY, type VocabularyTable } from '../vocabulary.ts';
import { propertyWrites } from './property-statements.ts';
import type { Stored } from './read.ts';

/**
 * The statements that store documents, to be run in their order in one batch: each document is written whether it differs
 * or not. New properties get the account's next sequence numbers in the order of the documents. Parameter 1 of every
 * statement is the account, parameter 2 a JSON array of rows. They are plain SQL: drizzle's `sql` has no numbered
 * parameters and would bind a value again wherever it occurs.
 *
 * @param stored the documents that are stored under their keys
 * @param sequenceNumberOf the sequence number of a new property; by default the account's next one
 */
export function portfolioStatements(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  stored: Stored = new Map(),
  sequenceNumberOf?: (id: string) => number | undefined,
): D1PreparedStatement[] {
  const of = <Kind extends PortfolioDocument['kind']>(kind: Kind) =>
    documents.filter((document) => document.kind === kind) as Extract<PortfolioDocument, { kind: Kind }>[];
  const properties = of('property').map((property) => {
    const before = stored.get(documentKey(property));
    return { property, stored: before?.kind === 'property' ? before : undefined };
  });
  const developments = of('development').map(
    ({ id, name, details }): Row => [id, name, details === undefined ? null : JSON.stringify(details)],
  );
  const units = of('unit').map(
    ({ development, name, status, price, directions }): Row => [
      ...[development, name, status, price],
      JSON.stringify(directions),
    ],
  );
  return [
    ...VOCABULARY.flatMap((table) => vocabularyWrites(table, of(table.kind))),
    upsert(
      { table: 'developments', key: ['account_id', 'identifier'], values: fromRows(['name', 'details']) },
      { account_id: '?1', identifier: 'd.identifier' },
      ['identifier', 'name', 'details'],
      developments,
    ),
    upsert(
      { table: 'units', key: ['development_id', 'name'], values: fromRows(['status', 'price', 'directions']) },
      {
        account_id: '?1',
        development_id: '(SELECT id FROM developments WHERE account_id = ?1 AND identifier = d.development)',
        name: 'd.name',
      },
      ['development', 'name', 'status', 'price', 'directions'],
      units,
    ),
    ...propertyWrites(properties, sequenceNumberOf),
  ].flatMap(({ sql, rows }) => parameters(rows).map((json) => db.prepare(sql).bind(accountId, json)));
}

/** Labels are written one by one: the triggers advance only the properties that show a label that differs. */
function vocabularyWrites(
  { table, labels, owner, columns, category }: VocabularyTable,
  documents: readonly Extract<PortfolioDocument, { labels: unknown }>[],
): Write[] {
  const given: Row[] = [];
  const languages: Row[] = [];
  for (const document of documents) {
    const present = STORED_LANGUAGES.filter(({ element }) => document.labels[element] !== undefined);
    languages.push([document.code, present.map(({ code }) => code)]);
    for (const { code, element } of present) {
      const label = document.labels[element]! as string | Record<string, string | null>;
      const values = columns.map((column) => (typeof label === 'string' ? label : label[column]!));
      given.push([document.code, code, ...values]);
    }
  }
  return [
    upsert(
      { table, key: ['account_id', 'code'], values: category ? { category_id: category } : {} },
      { account_id: '?1', code: 'd.code' },
      ['code', 'category'],
      documents.map((document) => [document.code, 'category' in document ? document.category : null]),
    ),
    {
      sql: `DELETE FROM ${labels} WHERE (${owner}, language) IN (
              SELECT o.id, l.language
                FROM ${rowsOf(['code', 'languages'])}
                CROSS JOIN ${table} o ON o.account_id = ?1 AND o.code = d.code
                CROSS JOIN ${labels} l ON l.${owner} = o.id
               WHERE l.language NOT IN (SELECT value FROM json_each(d.languages)))`,
      rows: languages,
    },
    upsert(
      { table: labels, key: [owner, 'language'], values: fromRows(columns) },
      { [owner]: `(SELECT id FROM ${table} WHERE account_id = ?1 AND code = d.code)`, language: 'd.language' },
      ['code', 'language', ...columns],
      given,
    ),
  ];
}
