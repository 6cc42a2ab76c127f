import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { shownUrl } from '../../api/imports/address.ts';
import { FetchFailure, fetchFile, type Validators } from '../../api/imports/fetch-file.ts';
import { atExit } from '../command/ending.ts';
import { Failure } from '../command/failure.ts';
import type { Progress } from './progress.ts';

/** A file that is deleted when the process ends. */
export interface TemporaryFile {
  readonly path: string;
  remove(): void;
}

export interface DownloadOptions {
  /** Validators of the last imported version: if the server still has it, nothing is downloaded. */
  readonly known?: Validators | undefined;
  /** Milliseconds that a server may keep this waiting: for its response, and for each further piece of it. */
  readonly timeout: number;
  readonly most: number;
}

export async function store(bytes: AsyncIterable<Uint8Array>): Promise<TemporaryFile> {
  const directory = await mkdtemp(join(tmpdir(), 'lindero-import-'));
  const path = join(directory, 'file');
  const remove = atExit(() => rmSync(directory, { recursive: true, force: true }));
  try {
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    remove();
    throw error;
  }
  return { path, remove };
}

/**
 * Downloads a file to disk. Credentials in the URL are sent to its own origin only, as HTTP Basic, and never shown.
 *
 * @returns `null` if the server still has the known version
 */
export async function download(
  address: URL,
  { known = { etag: null, lastModified: null }, timeout, most }: DownloadOptions,
  progress: Progress,
): Promise<(TemporaryFile & { readonly validators: Validators }) | null> {
  const shown = shownUrl(address.href);
  try {
    const file = await fetchFile(address.href, known, { local: true, timeout });
    if (file === null) return null;
    const { etag, lastModified, length, chunks } = file;
    progress.begin('Downloading', length ?? 0);
    const counted = async function* () {
      let received = 0;
      for await (const chunk of chunks) {
        received += chunk.length;
        if (received > most)
          throw new Failure('too_large', `${shown} is larger than ${Math.floor(most / 1024 ** 2)} MiB.`);
        progress.add(chunk.length);
        yield chunk;
      }
    };
    return { ...(await store(counted())), validators: { etag, lastModified } };
  } catch (error) {
    if (error instanceof FetchFailure) {
      throw new Failure('download_failed', `${shown} cannot be downloaded. ${error.message}`);
    }
    throw error;
  }
}
