import { hash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Validators } from './download.ts';

const storedSchema = z.record(
  z.string(),
  z.object({ etag: z.string().nullable(), lastModified: z.string().nullable() }),
);

/** What the result of an import depends on besides the file: if any of it differs, the file is imported again. */
export interface ImportedFrom {
  readonly address: URL;
  /** The account's id in its database. */
  readonly accountId: number;
  /** Options that affect the result of an import. */
  readonly options: readonly unknown[];
}

/** The file with the validators of imports, in the directory of the database's state. */
function pathIn(directory: string): string {
  return join(directory, 'lindero-imports.json');
}

/**
 * The validators of the last import of a file, if it was imported in the same way.
 *
 * @param directory the directory of the database's state
 */
export async function readValidators(directory: string, from: ImportedFrom): Promise<Validators | undefined> {
  return (await readAll(directory))[keyOf(from)];
}

/** Stores the validators of a file that was imported. */
export async function storeValidators(directory: string, from: ImportedFrom, validators: Validators): Promise<void> {
  const path = pathIn(directory);
  const all = { ...(await readAll(directory)), [keyOf(from)]: validators };
  await mkdir(dirname(path), { recursive: true });
  // Renamed into place, so that no incomplete file is read.
  await writeFile(`${path}.new`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

async function readAll(directory: string): Promise<Record<string, Validators>> {
  const text = await readFile(pathIn(directory), 'utf8').catch(() => '{}');
  try {
    return storedSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A digest, since a URL may contain credentials. */
function keyOf({ address, accountId, options }: ImportedFrom): string {
  return hash('sha256', JSON.stringify([address.href, accountId, options]), 'hex');
}
