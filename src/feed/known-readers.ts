import type { ManifestReader } from '../db/manifest.ts';
import { LruMap } from '../lib/lru.ts';

/** A reader whose key this isolate has found to be valid. */
export interface KnownReader {
  readonly reader: ManifestReader;
  readonly accountId: number;
  /** When reading it began, by the isolate's clock, in milliseconds since 1970-01-01 UTC. */
  readonly readAt: number;
}

/** By account and digest of the key. Only valid keys are here, so that nobody can evict them by guessing. */
const known = new LruMap<string, KnownReader>(2_000);

export function knownReader(code: string, digest: string): KnownReader | undefined {
  return known.get(keyOf(code, digest));
}

export function rememberReader(code: string, digest: string, reader: KnownReader): void {
  known.set(keyOf(code, digest), reader);
}

/** Forgets a key that is no longer valid. */
export function forgetReader(code: string, digest: string): void {
  known.delete(keyOf(code, digest));
}

/** Forgets all readers of an account. */
export function forgetReaders(account: number): void {
  known.deleteWhere(({ accountId }) => accountId === account);
}

function keyOf(code: string, digest: string): string {
  return `${code} ${digest}`;
}
