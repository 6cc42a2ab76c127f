import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ReadableStream as NodeStream } from 'node:stream/web';
import type { Input } from '../../import/input/input.ts';
import { STANDARD_INPUT } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { addressIn } from './address.ts';
import { type DownloadOptions, download, type Validators } from './download.ts';
import type { Progress } from './progress.ts';
import { temporaryFile } from './temporary-file.ts';

/** A file to be imported. */
interface FileInput extends Input {
  /** The server's validators, if the file was downloaded. */
  readonly validators?: Validators;
  /** Removes temporary files. */
  close(): void;
}

/**
 * Opens a file by its path or URL, or the standard input; gzipped or not. Since an import reads its file twice, what can be
 * read only once is stored in a temporary file.
 *
 * @returns `null` if the server responds that the file has not changed
 * @throws Failure if the file does not exist or cannot be downloaded
 */
export async function openInput(
  file: string | undefined,
  standardInput: AsyncIterable<Uint8Array>,
  options: DownloadOptions,
  progress: Progress,
): Promise<FileInput | null> {
  if (file === undefined || file === STANDARD_INPUT) return storedInput(standardInput, progress);
  const address = addressIn(file);
  if (address !== null) {
    const found = await download(address, options, progress);
    return found && { ...fileInput(found.path, progress), validators: found.validators, close: found.remove };
  }
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `${file} cannot be read: ${error.code ?? error.message}`);
  });
  if (found.isFIFO()) return storedInput(createReadStream(file), progress);
  if (!found.isFile()) throw new Failure('no_file', `${file} is not a regular file.`);
  return fileInput(file, progress);
}

async function storedInput(bytes: AsyncIterable<Uint8Array>, progress: Progress): Promise<FileInput> {
  const { path, remove } = await temporaryFile();
  try {
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    remove();
    throw error;
  }
  return { ...fileInput(path, progress), close: remove };
}

/** A file whose first reading is shown as progress. */
function fileInput(path: string, progress: Progress): FileInput {
  let isFirst = true;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const shown = isFirst ? progress : null;
    isFirst = false;
    shown?.begin('Reading', (await stat(path)).size);
    for await (const chunk of createReadStream(path)) {
      yield chunk;
      shown?.add(chunk.length);
    }
  }
  return { open: () => NodeStream.from(chunks()) as unknown as ReadableStream<Uint8Array>, close() {} };
}
