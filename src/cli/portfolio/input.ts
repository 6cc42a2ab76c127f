import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fetchFile, shownUrl, type Validators } from '../../api/imports/fetch-file.ts';
import { ImportError } from '../../import/error.ts';
import type { Input } from '../../import/input/input.ts';
import type { Context } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { reasonOf, type TemporaryFile, temporaryFile } from '../command/files.ts';
import type { Progress } from './progress.ts';

interface InputOptions {
  readonly progress: Progress;
  /** Validators of the last imported version: if the server still has it, nothing is downloaded. */
  readonly known?: Validators | undefined;
  /** Milliseconds that a server may keep this waiting: for its response, and for each further piece of it. */
  readonly timeout: number;
  readonly maxBytes: number;
}

interface StoredFile extends TemporaryFile {
  readonly validators?: Validators;
}

/** The URL in an argument; `null` for a path. */
export function addressIn(argument: string | undefined): URL | null {
  if (argument === undefined || !/^https?:\/\//i.test(argument)) return null;
  const address = URL.parse(argument);
  if (address === null) throw new Failure('no_file', 'The URL of the file is invalid.');
  return address;
}

/**
 * Reads a file by its path or URL, or standard input; gzipped or not. Since an import reads its file twice, what can be
 * read only once is stored in a temporary file.
 *
 * @returns what the work returns; `null` if the server responds that the file has not changed
 */
export async function withInput<Result>(
  file: string | undefined,
  { input }: Pick<Context, 'input'>,
  options: InputOptions,
  work: (input: Input & { readonly validators?: Validators | undefined }) => Promise<Result>,
): Promise<Result | null> {
  using stored: StoredFile | null = await storedFile(file, input, options);
  return stored && (await work({ open: opener(stored.path, options.progress), validators: stored.validators }));
}

async function storedFile(file: string | undefined, input: Context['input'], options: InputOptions) {
  if (file === undefined) return temporaryFile('file', input);
  const address = addressIn(file);
  if (address !== null) return download(address, options);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `Cannot read ${file}: ${reasonOf(error)}.`);
  });
  if (found.isFIFO()) return temporaryFile('file', createReadStream(file));
  if (!found.isFile()) throw new Failure('no_file', `${file} is not a regular file.`);
  return { path: file, [Symbol.dispose]() {} };
}

/** Downloads a file to disk. Credentials in the URL are sent to its own origin only, as HTTP Basic, and never shown. */
async function download(address: URL, options: InputOptions): Promise<StoredFile | null> {
  const { known = { etag: null, lastModified: null }, timeout, maxBytes, progress } = options;
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
        if (received > maxBytes)
          throw new Failure('too_large', `${shown} is larger than ${Math.floor(maxBytes / 2 ** 20)} MiB.`);
        progress.add(chunk.length);
        yield chunk;
      }
    };
    return { ...(await temporaryFile('file', counted())), validators: { etag, lastModified } };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new Failure('download_failed', `${shown} cannot be downloaded. ${error.message}`);
  }
}

/** Opens a file again and again; the first reading is shown as progress. */
function opener(path: string, progress: Progress): Input['open'] {
  let isFirst = true;
  return async function* () {
    const shown = isFirst ? progress : null;
    isFirst = false;
    shown?.begin('Reading', (await stat(path)).size);
    for await (const chunk of createReadStream(path)) {
      yield chunk;
      shown?.add(chunk.length);
    }
  };
}
