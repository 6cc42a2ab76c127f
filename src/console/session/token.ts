import { createHmac } from 'node:crypto';
import { isAccountCode } from '../../feed/request/credentials.ts';
import { digestsEqual } from '../../lib/secrets.ts';

/** Seconds for which somebody stays signed in. */
export const SESSION_LIFETIME = 8 * 3600;

/** What a session is signed with. */
export interface SessionKey {
  /** The account's password as stored: another password ends all sessions. */
  readonly storedPassword: string;
  /** The service's signing keys, so that what the database contains is not enough to sign. */
  readonly signingKeys: string | undefined;
}

/** What a session token claims, before it is verified. */
export interface SessionClaim {
  /** The account's code. */
  readonly account: string;
  /** The digest of the reader's key that was signed in with; empty for the account's password. */
  readonly keyDigest: string;
  /** Seconds since 1970-01-01 UTC. */
  readonly expires: number;
  readonly signature: string;
}

/**
 * A token that proves for a while that somebody has signed in to an account: its code, the digest of a reader's key, when it
 * expires, and a signature.
 *
 * @param keyDigest empty for the account's password
 * @param now milliseconds since 1970-01-01 UTC
 */
export function createSession(account: string, keyDigest: string, key: SessionKey, now: number): string {
  const claim = `${account}~${keyDigest}~${Math.floor(now / 1000) + SESSION_LIFETIME}`;
  return `${claim}~${sign(claim, key).toString('base64url')}`;
}

/** What a token claims; `null` if it does not have the form of one. */
export function parseSession(token: string): SessionClaim | null {
  const [account = '', keyDigest = '', expires = '', signature = '', ...rest] = token.split('~');
  if (!isAccountCode(account) || !/^\d{1,12}$/.test(expires) || rest.length > 0) return null;
  return { account, keyDigest, expires: Number(expires), signature };
}

/**
 * Whether a claim is true and has not expired.
 *
 * @param now milliseconds since 1970-01-01 UTC
 */
export function isValidSession(
  { account, keyDigest, expires, signature }: SessionClaim,
  key: SessionKey,
  now: number,
): boolean {
  if (expires * 1000 <= now) return false;
  return digestsEqual(Buffer.from(signature, 'base64url'), sign(`${account}~${keyDigest}~${expires}`, key));
}

function sign(claim: string, { storedPassword, signingKeys = '' }: SessionKey): Buffer {
  const key = createHmac('sha256', signingKeys).update(`session\n${storedPassword}`).digest();
  return createHmac('sha256', key).update(claim).digest();
}
