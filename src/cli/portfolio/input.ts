import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Input } from '../../imports/input/input.ts';
import { ImportError } from '../../imports/pipeline/error.ts';
import { fetchFile, shownUrl } from '../../imports/runs/fetch-file.ts';
import type { Context } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import { reasonOf } from '../command/files.ts';
import type { Progress } from './progress.ts';

const CHUNK_BYTES = 64 * 1024;

/** Bytes of a file that is checked: as many as the service imports. */
const MAX_BYTES = 100 * 1024 ** 2;

/** Milliseconds that a server may keep this waiting. */
const TIMEOUT_MS = 60_000;

/** The URL in an argument; `null` for a path. */
export function addressIn(argument: string | undefined): URL | null {
  if (argument === undefined || !/^https?:\/\//i.test(argument)) return null;
  const address = URL.parse(argument);
  if (address === null) throw new Failure('no_file', 'The URL of the file is invalid.');
  return address;
}

/**
 * The bytes of a file, or of standard input, as they are sent; gzipped or not. A chunk is valid
 * until the next one.
 */
export async function openFile(
  file: string | undefined,
  { input }: Pick<Context, 'input'>,
  progress: Progress,
): Promise<AsyncIterable<Uint8Array>> {
  progress.begin('Sending', await sizeOf(file));
  return counted(file === undefined ? input : chunksOf(file), progress);
}

/**
 * The bytes of a file, all read into the same memory: with a stream, the process grows by 18 MB of
 * garbage.
 */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path);
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    progress.add(chunk.length);
    yield chunk;
  }
}

/** Bytes of a file; 0 for a pipe. @throws Failure if it cannot be read */
async function sizeOf(file: string | undefined): Promise<number> {
  if (file === undefined) return 0;
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `Cannot read ${file}: ${reasonOf(error)}.`);
  });
  if (found.isFIFO()) return 0;
  if (!found.isFile()) throw new Failure('no_file', `${file} is not a regular file.`);
  return found.size;
}

/**
 * A file by its path or URL, or standard input; gzipped or not. It is kept, because a check reads
 * it twice.
 */
export async function readInput(
  file: string | undefined,
  { input }: Pick<Context, 'input'>,
  progress: Progress,
): Promise<Input> {
  const address = addressIn(file);
  if (address === null) progress.begin('Reading', await sizeOf(file));
  const source =
    address === null
      ? file === undefined
        ? input
        : createReadStream(file)
      : download(address, progress);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of counted(source, progress)) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new Failure('too_large', `The file is larger than ${MAX_BYTES / 1024 ** 2} MiB.`);
    chunks.push(chunk);
  }
  return {
    async *open() {
      yield* chunks;
    },
  };
}

/**
 * A file at a URL. Credentials in the URL are sent to its own origin only, as HTTP Basic, and never
 * shown.
 */
async function* download(address: URL, progress: Progress): AsyncGenerator<Uint8Array> {
  const shown = shownUrl(address.href);
  const unknown = { etag: null, lastModified: null };
  try {
    const file = (await fetchFile(address.href, unknown, { local: true, timeout: TIMEOUT_MS }))!;
    progress.begin('Downloading', file.length ?? 0);
    yield* file.chunks;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new Failure('download_failed', `${shown} cannot be downloaded. ${error.message}`);
  }
}
