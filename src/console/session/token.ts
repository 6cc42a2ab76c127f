import { Buffer } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import { isAccountCode } from '../../feed/request/credentials.ts';
import { digestsEqual } from '../../lib/secrets/secrets.ts';
import type { EpochMilliseconds, EpochSeconds } from '../../lib/time/time.ts';

/** The name of the cookie that contains a session: as `hono/cookie` composes it with the prefix `host`. */
export const SESSION_COOKIE = '__Host-session';

/** How long a session lasts. */
export const SESSION_LIFETIME_SECONDS = 8 * 3600;

/** How long somebody whose password was right may take to enter a code. */
export const CODE_LIFETIME_SECONDS = 300;

const MIN_SECRET_LENGTH = 32;

/** What a session is signed with. */
export interface SessionKey {
  /** The password as stored, of the account or the person: another password ends all sessions. */
  readonly storedPassword: string;
  /** The service's own secret, so that what the database contains is not enough to sign. */
  readonly secret: string;
}

/**
 * Who has signed in: `` for the account's password, the digest of a reader's key, `person:7`; `code:7` for a person who has
 * yet to enter a code, which is no session.
 */
export type Subject = string;

/** What a session token claims, before it is verified. */
export interface SessionClaim {
  /** The account's code. */
  readonly account: string;
  readonly subject: Subject;
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
 * A token that proves for a while that somebody has signed in to an account: its code, who, when it expires, a random id, and
 * a signature.
 */
export function createSession(
  account: string,
  subject: Subject,
  key: SessionKey,
  now: EpochMilliseconds,
  lifetime = SESSION_LIFETIME_SECONDS,
): string {
  const expires = Math.floor(now / 1000) + lifetime;
  const claim = `${account}~${subject}~${expires}~${randomBytes(16).toString('base64url')}`;
  return `${claim}~${sign(claim, key).toString('base64url')}`;
}

/** What a token claims; `null` if it does not have the form of one. */
export function parseSession(token: string): SessionClaim | null {
  const [account = '', subject = '', expires = '', id = '', signature = '', ...rest] = token.split('~');
  if (!isAccountCode(account) || !/^\d{1,12}$/.test(expires) || id.length !== 22 || rest.length > 0) return null;
  return { account, subject, expires: Number(expires), id, signature };
}

/** Whether a claim is true and has not expired. */
export function isValidSession(
  { account, subject, expires, id, signature }: SessionClaim,
  key: SessionKey,
  now: EpochMilliseconds,
): boolean {
  if (expires * 1000 <= now) return false;
  return digestsEqual(Buffer.from(signature, 'base64url'), sign(`${account}~${subject}~${expires}~${id}`, key));
}

/** The id of the person in a subject of a kind; `null` for any other. */
export function personIn(subject: Subject, kind: 'person' | 'code' = 'person'): number | null {
  const [, found, id] = /^(person|code):([1-9]\d{0,14})$/.exec(subject) ?? [];
  return found === kind ? Number(id) : null;
}

function sign(claim: string, { storedPassword, secret }: SessionKey): Buffer {
  const key = createHmac('sha256', secret).update(`session\n${storedPassword}`).digest();
  return createHmac('sha256', key).update(claim).digest();
}
