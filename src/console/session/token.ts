import { Buffer } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import { isAccountCode } from '../../feed/request/credentials.ts';
import { digestsEqual } from '../../lib/secrets.ts';
import type { EpochMilliseconds, EpochSeconds } from '../../lib/time.ts';

/** The name of the cookie that contains a session: as `hono/cookie` composes it with the prefix `host`. */
export const SESSION_COOKIE = '__Host-session';

/** How long a session lasts. */
export const SESSION_LIFETIME_SECONDS = 8 * 3600;

const MIN_SECRET_LENGTH = 32;

/** What a session is signed with. */
export interface SessionKey {
  /** The account's password as stored: another password ends all sessions. */
  readonly storedPassword: string;
  /** The service's own secret, so that what the database contains is not enough to sign. */
  readonly secret: string;
}

/** What a session token claims, before it is verified. */
export interface SessionClaim {
  /** The account's code. */
  readonly account: string;
  /** The digest of the reader's key that was signed in with; empty for the account's password. */
  readonly keyDigest: string;
  readonly expires: EpochSeconds;
  /** Random: names the session when it is ended. */
  readonly id: string;
  readonly signature: string;
}

/** Whether a secret is long enough to sign sessions. */
export function isSessionSecret(secret: string | undefined): secret is string {
  return secret !== undefined && secret.length >= MIN_SECRET_LENGTH;
}

/**
 * A token that proves for a while that somebody has signed in to an account: its code, the digest of a reader's key, when it
 * expires, a random id, and a signature.
 *
 * @param keyDigest empty for the account's password
 */
export function createSession(account: string, keyDigest: string, key: SessionKey, now: EpochMilliseconds): string {
  const expires = Math.floor(now / 1000) + SESSION_LIFETIME_SECONDS;
  const claim = `${account}~${keyDigest}~${expires}~${randomBytes(16).toString('base64url')}`;
  return `${claim}~${sign(claim, key).toString('base64url')}`;
}

/** What a token claims; `null` if it does not have the form of one. */
export function parseSession(token: string): SessionClaim | null {
  const [account = '', keyDigest = '', expires = '', id = '', signature = '', ...rest] = token.split('~');
  if (!isAccountCode(account) || !/^\d{1,12}$/.test(expires) || id.length !== 22 || rest.length > 0) return null;
  return { account, keyDigest, expires: Number(expires), id, signature };
}

/**
 * Whether a claim is true and has not expired.
 */
export function isValidSession(
  { account, keyDigest, expires, id, signature }: SessionClaim,
  key: SessionKey,
  now: EpochMilliseconds,
): boolean {
  if (expires * 1000 <= now) return false;
  return digestsEqual(Buffer.from(signature, 'base64url'), sign(`${account}~${keyDigest}~${expires}~${id}`, key));
}

function sign(claim: string, { storedPassword, secret }: SessionKey): Buffer {
  const key = createHmac('sha256', secret).update(`session\n${storedPassword}`).digest();
  return createHmac('sha256', key).update(claim).digest();
}
