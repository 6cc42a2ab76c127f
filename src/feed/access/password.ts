import { Buffer } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Manifest } from '../../db/feed/manifest.ts';
import { digestsEqual, passwordMatches, UNMATCHABLE_PASSWORD } from '../../lib/secrets/secrets.ts';
import { SingleFlight } from '../../lib/time/single-flight.ts';
import type { FoundManifest } from '../manifest/manifest-cache.ts';
import type { Credentials } from '../request/credentials.ts';

/** The outcome of checking a reader's credentials. */
export type Authorization =
  | { readonly kind: 'authorized'; readonly manifest: Manifest; readonly staleSince: number | null }
  /** `unverifiable`: D1 fails, and this isolate has not verified the password before. */
  | { readonly kind: 'denied' | 'unverifiable' };

/** A password that this isolate has checked in full. */
interface VerifiedPassword {
  /** The stored form that it matches. */
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

/**
 * Whether this isolate has verified these credentials before, and has found no other password of the account since.
 *
 * @param verifiedAgainst the stored password that these credentials are known to match, if any
 */
export function isVerified({ account, password }: Credentials, verifiedAgainst: string | null): boolean {
  const known = verified.get(account);
  if (known === undefined) return false;
  return known.stored === verifiedAgainst || digestsEqual(digestOf(known.stored, password), known.digest);
}

/**
 * Whether a reader has access because its URL was verified before, against the password that the account still has, and this
 * isolate has found no other since.
 *
 * @param verifiedAgainst the stored password that the URL's credentials are known to match, if any
 */
export function isStillVerified(account: string, verifiedAgainst: string | null, manifest: Manifest): boolean {
  return manifest.password === verifiedAgainst && verified.get(account)?.stored === verifiedAgainst;
}

/**
 * Checks a reader's password: against what its URL was verified against before, by a cached digest, or in full, which
 * takes the same time for an account that does not exist.
 *
 * @param verifiedAgainst the stored password that these credentials are known to match, if any
 */
export async function authorize(
  { account, password }: Credentials,
  verifiedAgainst: string | null,
  { manifest, staleSince }: FoundManifest,
): Promise<Authorization> {
  const known = verified.get(account);
  if (known !== undefined && known.stored !== manifest?.password) verified.delete(account);
  if (manifest !== null && isStillVerified(account, verifiedAgainst, manifest))
    return { kind: 'authorized', manifest, staleSince };
  const stored = manifest?.password ?? UNMATCHABLE_PASSWORD;
  const digest = digestOf(stored, password);
  if (manifest !== null && known !== undefined && digestsEqual(digest, known.digest)) {
    return { kind: 'authorized', manifest, staleSince };
  }
  if (staleSince !== null) return { kind: 'unverifiable' };
  const matches =
    verifiedAgainst === stored ||
    (await checks.run(Buffer.from(digest).toString('base64'), () => passwordMatches(password, stored)));
  if (!matches || manifest === null) return { kind: 'denied' };
  verified.set(account, { stored, digest });
  return { kind: 'authorized', manifest, staleSince };
}

function digestOf(stored: string, password: string): Uint8Array {
  digestKey ??= randomBytes(32);
  return createHmac('sha256', digestKey).update(`${stored}\n${password}`).digest();
}
