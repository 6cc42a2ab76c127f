import { expect } from 'vitest';
import type { ImportReport } from '../../../src/imports/pipeline/report.ts';
import type { PortfolioDocument, PropertyDocument } from '../../../src/properties/documents.ts';
import { exportPortfolio } from '../../../src/properties/store/export.ts';
import { openAccount, PASSWORD } from '../../support/accounts/open-account.ts';
import { operator } from '../operator.ts';

let accounts = 0;

export interface Agency {
  readonly code: string;
  readonly id: number;
  readonly password: string;
}

export async function openAgency(): Promise<Agency> {
  const code = `A${++accounts}`;
  return { code, id: await openAccount(operator.server.db, code), password: PASSWORD };
}

/** What an import of a file prints as JSON; it must end with this exit code. */
async function imported<Printed>(
  { code }: Agency,
  content: string | Uint8Array,
  options: readonly string[],
  exit: number,
): Promise<Printed> {
  const file = await operator.file('import', content);
  return operator.json(['import', file, '--account', code, ...options], '', exit);
}

export async function load(
  agency: Agency,
  content: string | Uint8Array,
  options: readonly string[] = [],
  exit = 0,
) {
  return withSums(await imported<ImportReport>(agency, content, options, exit));
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

/** The error of an import that must change nothing. */
export async function importError(
  agency: Agency,
  content: string | Uint8Array,
  options: readonly string[] = [],
): Promise<string> {
  const before = await everything(agency);
  const { error } = await imported<{ error: { code: string; message: string } }>(
    agency,
    content,
    options,
    1,
  );
  expect(await everything(agency)).toEqual(before);
  return `${error.code}: ${error.message}`;
}

export async function documents({ id }: Agency): Promise<PortfolioDocument[]> {
  const found: PortfolioDocument[] = [];
  for await (const document of exportPortfolio(operator.server.db, id)) found.push(document);
  return found;
}

export async function everything(agency: Agency): Promise<unknown> {
  return [await documents(agency), await revisions(agency)];
}

export async function properties(agency: Agency): Promise<PropertyDocument[]> {
  return (await documents(agency)).filter((document) => document.kind === 'property');
}

export async function theProperty(agency: Agency): Promise<PropertyDocument> {
  const [only, ...others] = await properties(agency);
  expect(others).toEqual([]);
  return only!;
}

/** NDJSON. */
export function lines(...all: readonly object[]): string {
  return all.map((document) => `${JSON.stringify(document)}\n`).join('');
}

/** What feeds depend on. The number of the account also counts what webhooks are told, such as an import that has failed. */
function revisions({ id }: Agency) {
  const read = operator.server.db.prepare(
    'SELECT segments, developments, vocabulary FROM accounts WHERE id = ?',
  );
  return read.bind(id).first();
}
