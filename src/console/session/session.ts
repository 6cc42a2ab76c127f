import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import {
  type Account,
  endSession,
  findAccount,
  findAccountOfSession,
} from '../../accounts/accounts.ts';
import {
  findPerson,
  findPersonByName,
  hasOwner,
  type Person,
  type Role,
} from '../../accounts/people.ts';
import type { AppEnv, Env } from '../../env.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { checkLimitedByAddress } from '../../rate-limits.ts';
import { findReaderOfKey, type KeyReader } from '../../readers/keys.ts';
import { isLanguage, type Language } from '../texts/language.ts';
import { parseSession } from './claim.ts';

const SESSION = 'session';
const LANGUAGE = 'language';

/** The prefix makes browsers insist on Secure, on the path / and on this very host (RFC 6265bis section 4.1.3). */
export const COOKIE_PREFIX = 'host';
export const COOKIE_ATTRIBUTES = {
  prefix: COOKIE_PREFIX,
  httpOnly: true,
  sameSite: 'Strict',
} as const;

export const SESSION_LIFETIME_SECONDS = 8 * 3600;
const LANGUAGE_LIFETIME_SECONDS = 365 * 24 * 3600;

/** A reader that has signed in, with the digest of its key. */
export type SignedInReader = KeyReader & { readonly digest: string };

/** Who has signed in: a person, a reader, or, if both are `null`, whoever has the account's password. */
export interface SignedIn {
  readonly account: Account;
  readonly person: Person | null;
  readonly reader: SignedInReader | null;
  /** What they may do; a reader may look at its feed. */
  readonly role: Role;
}

/** Whether a secret is long enough to sign sessions: 32 characters. */
export function isSessionSecret(secret: string | undefined): secret is string {
  return secret !== undefined && secret.length >= 32;
}

/**
 * What a person's tokens are signed with: their stored password and second factor, or the account's
 * password, so that another one ends all sessions; and the service's own secret, so that what the
 * database contains is not enough to sign.
 */
function keyOf({ account, person }: SignedIn, { SESSION_KEY }: Env): Uint8Array {
  if (!isSessionSecret(SESSION_KEY)) throw new Error('SESSION_KEY is missing or too short');
  return createHmac('sha256', SESSION_KEY)
    .update(`session\n${person?.password ?? account.password}${person?.totpSecret ?? ''}`)
    .digest();
}

/** A token that proves, for `lifetime` seconds, that a person has signed in or, with another subject, knows the password. */
export function createToken(
  who: SignedIn,
  env: Env,
  lifetime: number,
  sub = subjectOf(who),
  jti = randomBytes(16).toString('base64url'),
): Promise<string> {
  const exp = nowInSeconds() + lifetime;
  const token = new SignJWT({ account: who.account.code, sub, jti, exp });
  return token.setProtectedHeader({ alg: 'HS256' }).sign(keyOf(who, env));
}

/** Whether a token about somebody was signed here and has not expired. */
export function isValidToken(token: string, who: SignedIn, env: Env): Promise<boolean> {
  return jwtVerify(token, keyOf(who, env), { algorithms: ['HS256'] }).then(Boolean, () => false);
}

/** The subject of somebody's sessions. */
export function subjectOf({ person, reader }: Pick<SignedIn, 'person' | 'reader'>): string {
  return person === null ? (reader?.digest ?? '') : `person:${person.id}`;
}

/**
 * The session of this browser and whose it is; `null` without a valid one, and for a sender of too many invalid ones.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function findSession(c: Context<AppEnv>) {
  const token = getCookie(c, SESSION, COOKIE_PREFIX) ?? '';
  const claim = parseSession(token);
  if (claim === null) return null;
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => {
    const who = await findSubject(c.env.DB, claim.account, claim.sub, claim.jti);
    const isValid = who !== null && (await isValidToken(token, who, c.env));
    return isValid ? ({ kind: 'authorized', who } as const) : ({ kind: 'denied' } as const);
  });
  return verdict.kind === 'authorized' ? { claim, who: verdict.who } : null;
}

/**
 * Whoever the subject of a session is; `null` if the account, the person or the reader's key is missing or disabled, or if the
 * session has ended.
 */
export async function findSubject(
  db: D1Database,
  code: string,
  subject: string,
  session?: string,
): Promise<SignedIn | null> {
  const finding =
    session === undefined ? findAccount(db, { code }) : findAccountOfSession(db, code, session);
  if (/^[0-9a-f]{64}$/.test(subject)) {
    const [account, reader] = await Promise.all([finding, findReaderOfKey(db, code, subject)]);
    return (
      account &&
      reader && { account, person: null, reader: { ...reader, digest: subject }, role: 'viewer' }
    );
  }
  const account = await finding;
  const [, personId] = /^person:([1-9]\d{0,14})$/.exec(subject) ?? [];
  if (personId !== undefined)
    return account && asPerson(account, await findPerson(db, account.id, Number(personId)));
  const isAgency = subject === '' && !(await hasOwner(db, account?.id ?? 0));
  return account && isAgency ? { account, person: null, reader: null, role: 'owner' } : null;
}

/** Somebody with a name and a password; `null` if the account or the person is missing or disabled. */
export async function findNamed(
  db: D1Database,
  code: string,
  name: string,
): Promise<SignedIn | null> {
  const account = await findAccount(db, { code });
  // Also for an unknown account, so that it takes as long as a known one.
  const person = await findPersonByName(db, account?.id ?? 0, name);
  return account && asPerson(account, person);
}

function asPerson(account: Account, person: Person | null): SignedIn | null {
  return person?.password == null ? null : { account, person, reader: null, role: person.role };
}

/** @param session that goes on, with what is kept for it; by default, another one begins */
export async function signIn(c: Context<AppEnv>, who: SignedIn, session?: string): Promise<void> {
  const token = await createToken(who, c.env, SESSION_LIFETIME_SECONDS, subjectOf(who), session);
  setCookie(c, SESSION, token, { ...COOKIE_ATTRIBUTES, maxAge: SESSION_LIFETIME_SECONDS });
}

/**
 * Ends the session of this browser, here and in the browser: a copy of its cookie is worth nothing from then on.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function signOut(c: Context<AppEnv>): Promise<Response> {
  const session = await findSession(c);
  if (session !== null) {
    const { claim, who } = session;
    await endSession(c.env.DB, who.account.id, claim.jti, claim.exp);
  }
  setCookie(c, SESSION, '', { ...COOKIE_ATTRIBUTES, maxAge: 0 });
  return c.redirect('/', 303);
}

/** The language that was chosen, else the browser's. */
export function languageOf(c: Context<AppEnv>): Language {
  const chosen = getCookie(c, LANGUAGE, COOKIE_PREFIX);
  if (isLanguage(chosen)) return chosen;
  const preferred = (c.req.header('Accept-Language') ?? '')
    .split(',')
    .map((range) => range.trim().slice(0, 2));
  return preferred.find(isLanguage) ?? 'en';
}

export function chooseLanguage(c: Context<AppEnv>, language: Language): void {
  setCookie(c, LANGUAGE, language, { ...COOKIE_ATTRIBUTES, maxAge: LANGUAGE_LIFETIME_SECONDS });
}
