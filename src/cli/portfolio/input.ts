import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ReadableStream as NodeStream } from 'node:stream/web';
import type { Input } from '../../imports/input/input.ts';
import { ImportError } from '../../imports/pipeline/error.ts';
import { fetchFile, shownUrl } from '../../imports/runs/fetch-file.ts';
import type { Context } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { reasonOf, type TemporaryFile, temporaryFile } from '../command/files.ts';
import type { Progress } from './progress.ts';

/** Bytes of a download that is checked. */
const MAX_BYTES = 2 * 1024 ** 3;

/** Milliseconds that a server may keep this waiting. */
const TIMEOUT_MS = 60_000;

/** The URL in an argument; `null` for a path. */
export function addressIn(argument: string | undefined): URL | null {
  if (argument === undefined || !/^https?:\/\//i.test(argument)) return null;
  const address = URL.parse(argument);
  if (address === null) throw new Failure('no_file', 'The URL of the file is invalid.');
  return address;
}

/** The bytes of a file, or of standard input, as they are read; gzipped or not. */
export async function openFile(
  file: string | undefined,
  { input }: Pick<Context, 'input'>,
  progress: Progress,
): Promise<ReadableStream<Uint8Array>> {
  const size = file === undefined ? 0 : await sizeOf(file);
  progress.begin('Sending', size);
  const chunks = file === undefined ? input : createReadStream(file);
  const counted = async function* () {
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      progress.add(chunk.length);
      yield chunk;
    }
  };
  return NodeStream.from(counted()) as unknown as ReadableStream<Uint8Array>;
}

/** Bytes of a file; 0 for a pipe. @throws Failure if it cannot be read */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `Cannot read ${file}: ${reasonOf(error)}.`);
  });
  if (found.isFIFO()) return 0;
  if (!found.isFile()) throw new Failure('no_file', `${file} is not a regular file.`);
  return found.size;
}

/**
 * Works on a file by its path or URL, or on standard input; gzipped or not. Since it is read twice, what can be read only once is
 * stored in a temporary file.
 */
export async function withInput<Result>(
  file: string | undefined,
  { input }: Pick<Context, 'input'>,
  progress: Progress,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  const address = addressIn(file);
  if (file !== undefined && address === null && (await sizeOf(file)) > 0)
    return work({ open: opener(file, progress) });
  const source =
    address !== null
      ? download(address, progress)
      : file === undefined
        ? input
        : createReadStream(file);
  using stored: TemporaryFile = await temporaryFile('file', source);
  return await work({ open: opener(stored.path, progress) });
}

/** A file at a URL. Credentials in the URL are sent to its own origin only, as HTTP Basic, and never shown. */
async function* download(address: URL, progress: Progress): AsyncGenerator<Uint8Array> {
  const shown = shownUrl(address.href);
  const unknown = { etag: null, lastModified: null };
  try {
    const file = (await fetchFile(address.href, unknown, { local: true, timeout: TIMEOUT_MS }))!;
    progress.begin('Downloading', file.length ?? 0);
    let received = 0;
    for await (const chunk of file.chunks) {
      received += chunk.length;
      if (received > MAX_BYTES)
        throw new Failure('too_large', `${shown} is larger than ${MAX_BYTES / 1024 ** 3} GiB.`);
      progress.add(chunk.length);
      yield chunk;
    }
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
