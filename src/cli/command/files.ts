import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { atExit } from './ending.ts';

/** Both files are readable by their owner only. */
const PRIVATE = { mode: 0o600 };

type Content = string | AsyncIterable<string | Uint8Array>;

export interface TemporaryFile extends Disposable {
  readonly path: string;
}

/**
 * Writes a temporary file, which is deleted when it is disposed of, or else at the end of the
 * process.
 */
export async function temporaryFile(name: string, content: Content): Promise<TemporaryFile> {
  const directory = await mkdtemp(join(tmpdir(), 'lindero-'));
  const remove = atExit(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, name);
  await writeFile(path, content, PRIVATE);
  return { path, [Symbol.dispose]: remove };
}

/** Why a file cannot be used, in words instead of a code such as ENOENT. */
export function reasonOf({ errno, message }: NodeJS.ErrnoException): string {
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

/** Writes a draft in the same directory and renames it, so that the file is never incomplete. */
export async function replaceFile(file: string, content: Content): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  const removeDraft = atExit(() => rmSync(draft, { force: true }));
  try {
    await writeFile(draft, content, PRIVATE);
    await rename(draft, file);
  } finally {
    removeDraft();
  }
}
