import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { ImportError } from '../../../src/imports/pipeline/error.ts';
import type { PortfolioDocument, PropertyDocument } from '../../../src/properties/documents.ts';
import { documentsOf, everythingOf, withSums } from '../../support/accounts/imported.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { SOMEBODY } from '../../support/accounts/portfolio.ts';
import { inputOf, READ_AT } from '../../support/documents/import-source.ts';
import { importPortfolio } from '../../support/import.ts';

type Options = Parameters<typeof importPortfolio>[3];

/** As `lindero import` without options. */
export const USUAL: Options = {
  actor: SOMEBODY,
  now: READ_AT,
  replace: false,
  maxWithdrawn: 20,
  dryRun: false,
  strict: false,
};

/** All listed properties may be withdrawn. */
export const REPLACE_ALL = { replace: true, maxWithdrawn: 100 };

let accounts = 0;

/** The id of a new account. */
export function openImporter(): Promise<number> {
  return openAccount(env.DB, `IMPORTER${++accounts}`);
}

/** Imports a file, and returns the report. */
export async function load(id: number, content: string, options: Partial<Options> = {}) {
  return withSums(await importPortfolio(env, id, inputOf(content), { ...USUAL, ...options }));
}

/** What the error of an import says, which must change nothing. */
export async function importError(id: number, content: string, options: Partial<Options> = {}) {
  const before = await everything(id);
  const error = await load(id, content, options).catch((thrown: unknown) => thrown);
  expect(await everything(id)).toEqual(before);
  if (!(error instanceof ImportError)) throw new Error('No error of an import', { cause: error });
  const { code, reason, missing } = error;
  return { code, parameters: reason.parameters, missing: missing.map((one) => one.id) };
}

export const documents = (id: number): Promise<PortfolioDocument[]> => documentsOf(env.DB, id);

export const everything = (id: number): Promise<unknown> => everythingOf(env.DB, id);

export async function properties(id: number): Promise<PropertyDocument[]> {
  return (await documents(id)).filter((document) => document.kind === 'property');
}

export async function theProperty(id: number): Promise<PropertyDocument> {
  const [only, ...others] = await properties(id);
  expect(others).toEqual([]);
  return only!;
}
