import { expect } from 'vitest';
import type { ImportReport } from '../../../src/imports/pipeline/report.ts';
import type { PortfolioDocument, PropertyDocument } from '../../../src/properties/documents.ts';
import { documentsOf, everythingOf, withSums } from '../../support/accounts/imported.ts';
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

/** The error of an import that must change nothing. */
export async function importError(
  agency: Agency,
  content: string | Uint8Array,
  options: readonly string[] = [],
): Promise<string> {
  const { db } = operator.server;
  const before = await everythingOf(db, agency.id);
  const { error } = await imported<{ error: { code: string; message: string } }>(
    agency,
    content,
    options,
    1,
  );
  expect(await everythingOf(db, agency.id)).toEqual(before);
  return `${error.code}: ${error.message}`;
}

export function documents({ id }: Agency): Promise<PortfolioDocument[]> {
  return documentsOf(operator.server.db, id);
}

export async function properties(agency: Agency): Promise<PropertyDocument[]> {
  return (await documents(agency)).filter((document) => document.kind === 'property');
}
