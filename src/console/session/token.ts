import { createHmac, randomBytes } from 'node:crypto';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import { isAccountCode } from '../../feed/request/credentials.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';

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
 * What a session, a signed JWT, claims before it is verified: the account's code; who has signed in: `` for the account's
 * password, the digest of a reader's key, or `person:7`, and `code:7` for a person who has yet to enter a code, which is no
 * session; and the random id by which it is ended.
 */
const claim = z.object({ account: z.string().refine(isAccountCode), sub: z.string(), exp: z.int(), jti: z.string() });

export type SessionClaim = Readonly<z.output<typeof claim>>;

/** Whether a secret is long enough to sign sessions. */
export function isSessionSecret(secret: string | undefined): secret is string {
  return secret !== undefined && secret.length >= MIN_SECRET_LENGTH;
}

/** A token that proves for a while that somebody has signed in to an account. */
export function createSession(
  { account, sub }: Pick<SessionClaim, 'account' | 'sub'>,
  key: SessionKey,
  now: EpochMilliseconds,
  lifetime = SESSION_LIFETIME_SECONDS,
): Promise<string> {
  const jti = randomBytes(16).toString('base64url');
  const token = new SignJWT({ account, sub, jti, exp: Math.floor(now / 1_000) + lifetime });
  return token.setProtectedHeader({ alg: 'HS256' }).sign(bytesOf(key));
}

/** What a token claims; `null` if it does not have the form of one. */
export function parseSession(token: string): SessionClaim | null {
  try {
    return claim.parse(decodeJwt(token));
  } catch {
    return null;
  }
}

/** Whether what a token claims is true and has not expired. */
export async function isValidSession(token: string, key: SessionKey, now: EpochMilliseconds): Promise<boolean> {
  const checks = { algorithms: ['HS256'], currentDate: new Date(now) };
  return jwtVerify(token, bytesOf(key), checks).then(
    () => true,
    () => false,
  );
}

/** The id of the person in a subject of a kind; `null` for any other. */
export function personIn(subject: string, kind: 'person' | 'code'): number | null {
  const [, found, id] = /^(person|code):([1-9]\d{0,14})$/.exec(subject) ?? [];
  return found === kind ? Number(id) : null;
}

function bytesOf({ storedPassword, secret }: SessionKey): Uint8Array {
  return createHmac('sha256', secret).update(`session\n${storedPassword}`).digest();
}
