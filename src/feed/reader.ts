import { Buffer } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import type { Manifest } from '../db/manifest.ts';
import { LruMap } from '../lib/lru.ts';
import { digestsEqual, passwordMatches, UNMATCHABLE_PASSWORD } from '../lib/secrets.ts';
import { SingleFlight } from '../lib/single-flight.ts';
import type { Credentials } from './credentials.ts';
import type { FoundManifest } from './manifest-cache.ts';

/** The outcome of checking a reader's credentials. */
export type Authorization =
  | { readonly kind: 'authorized'; readonly manifest: Manifest }
  /** `unverifiable`: D1 fails, and this isolate has not verified the password before. */
  | { readonly kind: 'denied' | 'too many attempts' | 'unverifiable' };

/**
 * Digests of the passwords that this isolate has checked in full, by account. A digest covers the stored form too, so it
 * no longer matches once the password has changed.
 */
const verified = new LruMap<number, Uint8Array>(10_000);

/** Milliseconds after which a full check counts as cancelled: it takes some 50. */
const MAX_CHECK = 2_000;

/** Full checks that are running, by digest: a burst of requests with the same password computes one. */
const checks = new SingleFlight<boolean>(MAX_CHECK);

/** Generated at the first use: the platform provides no random bytes before the first request. */
let digestKey: Uint8Array | undefined;

/**
 * Checks a reader's password: against what its URL was verified against before, by a cached digest, or in full, which
 * takes the same time for an account that does not exist.
 *
 * @param verifiedAgainst the stored password that these credentials are known to match, if any
 * @param mayCheck called before a full check; false if the caller has attempted too many
 */
export async function authorize(
  credentials: Credentials,
  verifiedAgainst: string | null,
  { manifest, onlyForVerifiedReaders }: FoundManifest,
  mayCheck: () => Promise<boolean>,
): Promise<Authorization> {
  if (manifest !== null && verifiedAgainst === manifest.password) return { kind: 'authorized', manifest };
  const stored = manifest?.password ?? UNMATCHABLE_PASSWORD;
  const digest = digestOf(stored, credentials.password);
  const known = manifest === null ? undefined : verified.get(manifest.accountId);
  if (manifest !== null && known !== undefined && digestsEqual(digest, known)) return { kind: 'authorized', manifest };
  if (onlyForVerifiedReaders) return { kind: 'unverifiable' };
  const check = await checks
    .run(Buffer.from(digest).toString('base64'), async () => {
      if (!(await mayCheck())) throw new TooManyAttempts();
      return passwordMatches(credentials.password, stored);
    })
    .catch(asTooManyAttempts);
  if (check === 'too many attempts') return { kind: check };
  if (!check || manifest === null) return { kind: 'denied' };
  verified.set(manifest.accountId, digest);
  return { kind: 'authorized', manifest };
}

/** Fails the check of one caller only: others that wait for the same check may have attempts left. */
class TooManyAttempts extends Error {}

function asTooManyAttempts(error: unknown): 'too many attempts' {
  if (error instanceof TooManyAttempts) return 'too many attempts';
  throw error;
}

function digestOf(stored: string, password: string): Uint8Array {
  digestKey ??= randomBytes(32);
  return createHmac('sha256', digestKey).update(`${stored}\n${password}`).digest();
}
