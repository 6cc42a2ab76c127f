import { documentKey, type PortfolioDocument } from '../../portfolio/documents.ts';
import { parameters, type Row, rowsOf } from '../json-rows.ts';
import type { Read } from './read.ts';

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
 * Whether a transaction failed because of another writer: an expectation was not met, or what the documents refer to has
 * been removed or taken since it was read. The next reading shows which.
 */
export function isOvertaken(error: unknown): boolean {
  return (
    error instanceof Error && /has changed since it was read|constraint failed|must be at most/.test(error.message)
  );
}
