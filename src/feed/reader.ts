import { createHmac, randomBytes } from 'node:crypto';
import type { FeedHead } from '../db/feed-head.ts';
import { LruMap } from '../lib/lru.ts';
import { digestsEqual, passwordMatches, UNMATCHABLE_PASSWORD } from '../lib/secrets.ts';
import type { Credentials } from './credentials.ts';
import type { FoundHead } from './head.ts';

/** What came of checking a reader. `unknown`: D1 fails, and this isolate has not verified the password before. */
export type Verdict =
  | { readonly kind: 'welcome'; readonly head: FeedHead }
  | { readonly kind: 'refused' | 'too many attempts' | 'unknown' };

/**
 * Digests of the passwords that this isolate has checked in full, by account. A digest covers the stored form too, so a
 * changed password ends it.
 */
const verified = new LruMap<number, Uint8Array>(10_000);

/** The stored password that remembered credentials were checked against; no digest is needed to see them again. */
const checkedAgainst = new WeakMap<Credentials, string>();

/** Made at the first use, since the platform gives no random bytes before a request. */
let digestKey: Uint8Array | undefined;

/**
 * Checks a reader's password: by remembered credentials, by its remembered digest, or in full, which costs the same
 * whether the account exists.
 *
 * @param mayCheck asked before a full check; false where the caller has presented too many
 */
export async function verifyReader(
  credentials: Credentials,
  { head, onlyForKnownReaders }: FoundHead,
  mayCheck: () => Promise<boolean>,
): Promise<Verdict> {
  if (head !== null && checkedAgainst.get(credentials) === head.password) return { kind: 'welcome', head };
  const stored = head?.password ?? UNMATCHABLE_PASSWORD;
  const digest = digestOf(stored, credentials.password);
  const remembered = head === null ? undefined : verified.get(head.accountId);
  if (head !== null && remembered !== undefined && digestsEqual(digest, remembered)) {
    checkedAgainst.set(credentials, stored);
    return { kind: 'welcome', head };
  }
  if (onlyForKnownReaders) return { kind: 'unknown' };
  if (!(await mayCheck())) return { kind: 'too many attempts' };
  const matches = await passwordMatches(credentials.password, stored);
  if (!matches || head === null) return { kind: 'refused' };
  verified.set(head.accountId, digest);
  checkedAgainst.set(credentials, stored);
  return { kind: 'welcome', head };
}

function digestOf(stored: string, password: string): Uint8Array {
  digestKey ??= randomBytes(32);
  return createHmac('sha256', digestKey).update(`${stored}\n${password}`).digest();
}
