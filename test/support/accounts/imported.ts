import type { ImportReport } from '../../../src/imports/pipeline/report.ts';
import type { PortfolioDocument } from '../../../src/properties/documents.ts';
import { exportPortfolio } from '../../../src/properties/store/export.ts';

/** NDJSON. */
export function lines(...all: readonly object[]): string {
  return all.map((document) => `${JSON.stringify(document)}\n`).join('');
}

/** Adds the totals over all kinds of documents to a report. */
export function withSums(report: ImportReport) {
  const groups = [report.properties, report.entries, report.developments, report.units];
  const sum = (of: (group: ImportReport['units']) => number) =>
    groups.reduce((total, group) => total + of(group), 0);
  return {
    ...report,
    read: sum(({ read }) => read),
    written: sum(({ created, updated }) => created + updated),
    unchanged: sum(({ unchanged }) => unchanged),
    rejected: sum(({ rejected }) => rejected),
    withdrawn: report.properties.withdrawn,
  };
}

/** Everything that an account's export has. */
export async function documentsOf(db: D1Database, id: number): Promise<PortfolioDocument[]> {
  const found: PortfolioDocument[] = [];
  for await (const document of exportPortfolio(db, id)) found.push(document);
  return found;
}

/**
 * The same, and what feeds depend on. The number of the account also counts what webhooks are told, such as an import that has
 * failed.
 */
export async function everythingOf(db: D1Database, id: number): Promise<unknown> {
  const revisions = 'SELECT segments, developments, vocabulary FROM accounts WHERE id = ?';
  return [await documentsOf(db, id), await db.prepare(revisions).bind(id).first()];
}
