import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ReadableStream as NodeStream } from 'node:stream/web';
import type { Validators } from '../../api/imports/fetch-file.ts';
import type { Input } from '../../import/input/input.ts';
import { STANDARD_INPUT } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { Failure } from '../command/failure.ts';
import { type DownloadOptions, download, store, type TemporaryFile } from './download.ts';
import type { Progress } from './progress.ts';

interface FileInput extends Input {
  /** The server's validators, if the file was downloaded. */
  readonly validators?: Validators | undefined;
}

/** The URL in an argument; `null` for a path. */
export function addressIn(argument: string | undefined): URL | null {
  if (argument === undefined || !/^https?:\/\//i.test(argument)) return null;
  const address = URL.parse(argument);
  if (address === null) throw new Failure('no_file', 'The URL of the file is invalid.');
  return address;
}

/**
 * Reads a file by its path or URL, or the standard input; gzipped or not. Since an import reads its file twice, what can be
 * read only once is stored in a temporary file.
 *
 * @returns what the work returns; `null` if the server responds that the file has not changed
 */
export async function withInput<Result>(
  file: string | undefined,
  { input }: Pick<Context, 'input'>,
  options: DownloadOptions,
  progress: Progress,
  work: (input: FileInput) => Promise<Result>,
): Promise<Result | null> {
  const stored = await storedFile(file, input, options, progress);
  if (stored === null) return null;
  try {
    const { path, validators } = stored;
    return await work({ open: opener(path, progress), validators });
  } finally {
    stored.remove?.();
  }
}

async function storedFile(
  file: string | undefined,
  standardInput: Context['input'],
  options: DownloadOptions,
  progress: Progress,
): Promise<(Pick<TemporaryFile, 'path'> & Partial<TemporaryFile> & Pick<FileInput, 'validators'>) | null> {
  if (file === undefined || file === STANDARD_INPUT) return store(standardInput);
  const address = addressIn(file);
  if (address !== null) return download(address, options, progress);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `${file} cannot be read: ${error.code ?? error.message}`);
  });
  if (found.isFIFO()) return store(createReadStream(file));
  if (!found.isFile()) throw new Failure('no_file', `${file} is not a regular file.`);
  return { path: file };
}

/** Opens a file again and again; the first reading is shown as progress. */
function opener(path: string, progress: Progress): Input['open'] {
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
  return () => NodeStream.from(chunks()) as unknown as ReadableStream<Uint8Array>;
}
