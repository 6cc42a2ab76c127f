import { beforeAll, expect } from 'vitest';
import { exportPortfolio } from '../../../src/db/portfolio/export.ts';
import type { PortfolioDocument, PropertyDocument } from '../../../src/portfolio/documents.ts';
import { openAccount, PASSWORD } from '../../support/open-account.ts';
import { type Operator, sharedOperator } from '../../support/operator.ts';

/** The operator of the running tests: see {@link useOperator}. */
export let operator: Operator;
let accounts = 0;

/** Gives the tests of a file the operator that files share; each test has an agency of its own. */
export function useOperator(): void {
  beforeAll(async () => {
    operator = await sharedOperator();
  });
}

export interface Agency {
  readonly code: string;
  readonly id: number;
  readonly password: string;
}

export async function openAgency(): Promise<Agency> {
  const code = `A${++accounts}`;
  return { code, id: await openAccount(operator.server.db, code), password: PASSWORD };
}

/** The report of an import. */
export interface Report {
  readonly format: string;
  readonly dry_run: boolean;
  readonly properties: Group & { readonly written: number; readonly withdrawn: number };
  readonly entries: Group;
  readonly developments: Group;
  readonly units: Group;
  readonly new_channels: readonly string[];
  readonly rejected_records: readonly {
    readonly line: number;
    readonly id: string | null;
    readonly problems: readonly { readonly field: string; readonly detail: string }[];
  }[];
  readonly interpreted: readonly { readonly node: string; readonly interpretation: string; readonly times: number }[];
  readonly ignored: readonly { readonly name: string; readonly times: number; readonly line: number }[];
}

interface Group {
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** A report, with the totals over all kinds of documents. */
export interface Loaded extends Report {
  readonly read: number;
  readonly written: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly withdrawn: number;
}

export async function load(
  { code }: Agency,
  content: string | Uint8Array,
  options: readonly string[] = [],
  exit = 0,
): Promise<Loaded> {
  const file = await operator.file('import', content);
  return withSums(await operator.json<Report>(['import', file, '--account', code, ...options], '', exit));
}

/** Adds the totals to a report; the error of a failed import is returned unchanged. */
export function withSums(report: Report): Loaded {
  if (!('properties' in report)) return report as Loaded;
  const groups = [report.properties, report.entries, report.developments, report.units];
  const sum = (of: (group: Group) => number) => groups.reduce((total, group) => total + of(group), 0);
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
  const { error } = (await load(agency, content, options, 1)) as unknown as {
    error: { code: string; message: string };
  };
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

export function revisions({ id }: Agency) {
  return operator.server.db
    .prepare('SELECT sale_revision, rental_revision, vocabulary_revision FROM accounts WHERE id = ?')
    .bind(id)
    .first();
}

export function pictures(count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `<image id="${i + 1}"><url>https://p.example/${i + 1}.jpg</url></image>`,
  ).join('');
}
