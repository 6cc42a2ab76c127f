import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { inflated } from '../../import/input/compressed.ts';
import { STANDARD_INPUT } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { addressIn } from './address.ts';
import { type DownloadOptions, download, type Validators } from './download.ts';
import type { Progress } from './progress.ts';

/** The uncompressed bytes of the imported file. */
export interface Input {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The server's validators, if the file was downloaded. */
  readonly validators?: Validators;
  /** Removes temporary files. */
  close(): void;
}

/**
 * Opens a file by its path or URL, or the standard input; gzipped or not.
 *
 * @returns `null` if the server responds that the file has not changed
 * @throws Failure if the file does not exist or cannot be downloaded
 */
export async function openInput(
  file: string | undefined,
  standardInput: AsyncIterable<Uint8Array>,
  options: DownloadOptions,
  progress: Progress,
): Promise<Input | null> {
  if (file === undefined || file === STANDARD_INPUT) return { bytes: inflated(standardInput), close() {} };
  const address = addressIn(file);
  if (address === null) return { bytes: inflated(await bytesOf(file, progress)), close() {} };
  const found = await download(address, options, progress);
  return found && { bytes: inflated(found.bytes), validators: found.validators, close: found.remove };
}

/** The bytes of a file; reports progress as they are read. */
async function bytesOf(file: string, progress: Progress): Promise<AsyncIterable<Uint8Array>> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `${file} cannot be read: ${error.code ?? error.message}`);
  });
  if (!found.isFile() && !found.isFIFO()) throw new Failure('no_file', `${file} is not a regular file.`);
  if (found.isFIFO()) return createReadStream(file);
  return (async function* () {
    progress.begin('Reading', found.size);
    for await (const chunk of createReadStream(file)) {
      yield chunk;
      progress.add(chunk.length);
    }
  })();
}
