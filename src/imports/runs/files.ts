import { storeBytes } from '../../http/store-bytes.ts';
import { largeChunks } from '../../lib/bytes/chunks.ts';
import { message } from '../../messages/messages.ts';
import type { Input } from '../input/input.ts';
import { ImportError } from '../pipeline/error.ts';
import type { RecordStore } from '../pipeline/kept.ts';

/** The platform refuses the body of a request of more than 100 MB with a page of its own. */
export const MAX_FILE_BYTES = 95_000_000;

/** A file that is received is larger than {@link MAX_FILE_BYTES}. */
export class FileTooLarge extends ImportError {
  constructor() {
    super('too_large', message('large_file', { megabytes: MAX_FILE_BYTES / 1e6 }));
  }
}

/**
 * The stored file of an import, or what has been read of it, is gone: to repeat the import would
 * not bring it back.
 */
export class FileLost extends ImportError {
  constructor() {
    super('incomplete', message('file_lost'));
  }
}

/** How the keys of the files of an account's imports begin. */
export function importsOf(accountId: number): string {
  return `imports/${accountId}/`;
}

/** Names an import and its account. */
export interface ImportAddress {
  readonly accountId: number;
  readonly id: number;
}

/** Where the files of an import are in the bucket. */
export function keysOf({ accountId, id }: ImportAddress) {
  const prefix = `${importsOf(accountId)}${id}/`;
  return {
    prefix,
    file: `${prefix}file`,
    report: `${prefix}report.json`,
    plan: (lease: string) => `${prefix}plan-${lease}.json`,
  };
}

/** Where the records of an import are that belong to its plan. */
export function recordsKeyOf(plan: string): string {
  return plan.replace(/\.json$/, '.ndjson');
}

/** Deletes the files of an import, except its report, and its file if that is still needed. */
export async function deleteFiles(
  bucket: R2Bucket,
  run: ImportAddress,
  isNeeded = false,
): Promise<void> {
  const { prefix, file, report } = keysOf(run);
  const kept = isNeeded ? [file, report] : [report];
  const { objects } = await bucket.list({ prefix });
  const keys = objects.map(({ key }) => key).filter((key) => !kept.includes(key));
  if (keys.length > 0) await bucket.delete(keys);
}

/**
 * Stores the file of an import.
 *
 * @returns its bytes
 * @throws FileTooLarge, and what {@link storeBytes} throws
 */
export function storeFile(
  bucket: R2Bucket,
  owner: ImportAddress,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  return storeBytes(bucket, owner.accountId, keysOf(owner).file, limited(chunks));
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > MAX_FILE_BYTES) throw new FileTooLarge();
    yield chunk;
  }
}

/** Bytes of a file between two pauses: about 50 records, which take a tenth of a second. */
const PAUSE_BYTES = 256 * 1024;

/**
 * A stored file from a position on. Reading pauses now and then: workerd accepts requests only once it has nothing else to
 * do, and a local import, whose bucket and database are in the same process, would keep it busy from beginning to end.
 */
async function* readFile(
  bucket: R2Bucket,
  key: string,
  offset: number,
): AsyncGenerator<Uint8Array> {
  // An empty file has no range.
  const found = await bucket.get(key, offset === 0 ? {} : { range: { offset } });
  if (found === null) throw new FileLost();
  let read = 0;
  for await (const chunk of largeChunks(found.body)) {
    if (read >= PAUSE_BYTES) {
      await scheduler.wait(1);
      read = 0;
    }
    read += chunk.length;
    yield chunk;
  }
}

/** A stored file as an import reads it, from its beginning each time. */
export function storedInput(bucket: R2Bucket, key: string): Input {
  return { open: () => readFile(bucket, key, 0) };
}

/** Where the records of an import are kept that belong to a plan. */
export function storedRecords(bucket: R2Bucket, accountId: number, plan: string): RecordStore {
  const key = recordsKeyOf(plan);
  return {
    // Records have more bytes than their file, above all if that is gzipped.
    write: (chunks) => storeBytes(bucket, accountId, key, chunks),
    open: (position) => readFile(bucket, key, position),
  };
}
