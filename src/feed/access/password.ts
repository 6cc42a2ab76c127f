import { Buffer } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Manifest } from '../../db/feed/manifest.ts';
import { digestsEqual, passwordMatches, UNMATCHABLE_PASSWORD } from '../../lib/secrets/secrets.ts';
import { SingleFlight } from '../../lib/time/single-flight.ts';
import type { FoundManifest } from '../manifest/manifest-cache.ts';
import type { Credentials } from '../request/credentials.ts';

export type Authorization =
  | { readonly kind: 'authorized'; readonly manifest: Manifest; readonly staleSince: number | null }
  /** `unverifiable`: D1 fails, and this isolate has not verified the password before. */
  | { readonly kind: 'denied' | 'unverifiable' };

/** A password that this isolate has checked in full: the stored form that it matches, and its keyed digest. */
interface VerifiedPassword {
  readonly stored: string;
  readonly digest: Uint8Array;
}

/** By the account's code. Only right passwords are here, so that nobody can evict them by guessing. */
const verified = new LRUCache<string, VerifiedPassword>({ max: 10_000 });

/** A password check that takes longer (ms) is treated as abandoned; one takes about 50. */
const MAX_CHECK = 2_000;

/** Full checks that are running, by digest: requests with the same password from several addresses compute one. */
const checks = new SingleFlight<boolean>(MAX_CHECK);

/** Generated at the first use: the platform provides no random bytes before the first request. */
let digestKey: Uint8Array | undefined;

/** Whether this isolate has verified these credentials before, against this stored form or the last one that it knows. */
export function isVerified({ account, password }: Credentials, stored = verified.get(account)?.stored): boolean {
  const known = verified.get(account);
  if (known === undefined || known.stored !== stored) return false;
  return digestsEqual(digestOf(stored, password), known.digest);
}

/**
 * Checks a reader's password: by a cached digest, or in full, which takes the same time for an account that does not exist.
 */
export async function authorize(credentials: Credentials, found: FoundManifest): Promise<Authorization> {
  const { account, password } = credentials;
  const { manifest, staleSince } = found;
  if (verified.get(account)?.stored !== manifest?.password) verified.delete(account);
  if (manifest !== null && isVerified(credentials)) return { kind: 'authorized', manifest, staleSince };
  if (staleSince !== null) return { kind: 'unverifiable' };
  const stored = manifest?.password ?? UNMATCHABLE_PASSWORD;
  const digest = digestOf(stored, password);
  const key = Buffer.from(digest).toString('base64');
  const matches = await checks.run(key, () => passwordMatches(password, stored));
  if (!matches || manifest === null) return { kind: 'denied' };
  verified.set(account, { stored, digest });
  return { kind: 'authorized', manifest, staleSince };
}

function digestOf(stored: string, password: string): Uint8Array {
  digestKey ??= randomBytes(32);
  return createHmac('sha256', digestKey).update(`${stored}\n${password}`).digest();
}
