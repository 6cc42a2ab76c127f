import { LRUCache } from 'lru-cache';
import type { ManifestReader } from '../../db/feed/manifest.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';

/** A reader whose key this isolate has found to be valid. */
export interface KnownReader {
  readonly reader: ManifestReader;
  /** The code of its account, in upper case. */
  readonly code: string;
  readonly accountId: number;
  /** When reading it began, by the isolate's clock. */
  readonly readAt: EpochMilliseconds;
}

/** By digest of the key. Only valid keys are here, so that nobody can evict them by guessing. */
const known = new LRUCache<string, KnownReader>({ max: 2_000 });

/** The reader of the account with this code whose key has this digest. */
export function knownReader(code: string, digest: string): KnownReader | undefined {
  const found = known.get(digest);
  return found?.code === code ? found : undefined;
}

export function rememberReader(digest: string, reader: KnownReader): void {
  known.set(digest, reader);
}

/** Forgets a key that is no longer valid for the account with this code. */
export function forgetReader(code: string, digest: string): void {
  if (knownReader(code, digest) !== undefined) known.delete(digest);
}

/** Forgets all readers of an account. */
export function forgetReaders(account: number): void {
  for (const [digest, { accountId }] of [...known.entries()]) if (accountId === account) known.delete(digest);
}
