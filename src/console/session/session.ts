import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import { type Account, findAccount } from '../../accounts/accounts.ts';
import {
  findPerson,
  findPersonByName,
  hasOwner,
  type Person,
  type Role,
} from '../../accounts/people.ts';
import {
  type AccountInUse,
  endSession,
  findAccountOfSession,
  isUnnoted,
  noteUse,
  type SessionOwner,
  startSession,
} from '../../accounts/sessions.ts';
import type { AppEnv, Env } from '../../env.ts';
import { describeError, log } from '../../lib/log.ts';
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

function newSessionId(): string {
  return randomBytes(16).toString('base64url');
}

/** A token that proves, for `lifetime` seconds, that a person has signed in or, with another subject, knows the password. */
export function createToken(
  who: SignedIn,
  env: Env,
  lifetime: number,
  sub = subjectOf(who),
  jti = newSessionId(),
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

/** Somebody's sessions whose cookies are signed as they are now. */
export function sessionsOf(who: SignedIn, env: Env): SessionOwner {
  const signedWith = createHash('sha256').update(keyOf(who, env)).digest('base64url');
  return { accountId: who.account.id, subject: subjectOf(who), signedWith };
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
    const account = await findAccountOfSession(c.env.DB, claim.account, claim.jti);
    const who = await whoIs(c.env.DB, account, claim.sub);
    const isValid = who !== null && (await isValidToken(token, who, c.env));
    if (!isValid) return { kind: 'denied' } as const;
    noteSession(c, account!, claim.jti);
    return { kind: 'authorized', who } as const;
  });
  return verdict.kind === 'authorized' ? { claim, who: verdict.who } : null;
}

/** Notes after the response that a session is used, now and then. */
function noteSession(c: Context<AppEnv>, account: AccountInUse, session: string): void {
  const now = nowInSeconds();
  if (!isUnnoted(account, now)) return;
  const noting = noteUse(c.env.DB, session, now).catch((error) =>
    log('error', 'session.not_noted', { error: describeError(error) }),
  );
  c.executionCtx.waitUntil(noting);
}

/** Whoever the subject of a token is; `null` if the account, the person or the reader's key is missing or disabled. */
export async function findSubject(
  db: D1Database,
  code: string,
  subject: string,
): Promise<SignedIn | null> {
  return whoIs(db, await findAccount(db, { code }), subject);
}

/** Asks for an unknown account as well, so that it takes as long as for a known one. */
async function whoIs(
  db: D1Database,
  account: Account | null,
  subject: string,
): Promise<SignedIn | null> {
  const { id, code } = account ?? { id: 0, code: '' };
  if (/^[0-9a-f]{64}$/.test(subject)) {
    const reader = await findReaderOfKey(db, code, subject);
    const signedIn = reader && { ...reader, digest: subject };
    return account && signedIn && { account, person: null, reader: signedIn, role: 'viewer' };
  }
  const [, personId] = /^person:([1-9]\d{0,14})$/.exec(subject) ?? [];
  if (personId !== undefined) return asPerson(account, await findPerson(db, id, Number(personId)));
  const isAgency = subject === '' && !(await hasOwner(db, id));
  return account && isAgency ? { account, person: null, reader: null, role: 'owner' } : null;
}

/** Somebody with a name and a password; `null` if the account or the person is missing or disabled. */
export async function findNamed(
  db: D1Database,
  code: string,
  name: string,
): Promise<SignedIn | null> {
  const account = await findAccount(db, { code });
  return asPerson(account, await findPersonByName(db, account?.id ?? 0, name));
}

function asPerson(account: Account | null, person: Person | null): SignedIn | null {
  if (account === null || person?.password == null) return null;
  return { account, person, reader: null, role: person.role };
}

/**
 * Signs somebody in.
 *
 * @param db the database of their account
 * @param session that goes on, with what is kept for it; by default, another one begins
 */
export async function signIn(
  c: Context<AppEnv>,
  db: D1Database,
  who: SignedIn,
  session = newSessionId(),
): Promise<void> {
  const now = nowInSeconds();
  const token = await createToken(who, c.env, SESSION_LIFETIME_SECONDS, subjectOf(who), session);
  const started = { id: session, browser: c.req.header('User-Agent') ?? '' };
  await startSession(db, sessionsOf(who, c.env), started, now, now + SESSION_LIFETIME_SECONDS);
  setCookie(c, SESSION, token, { ...COOKIE_ATTRIBUTES, maxAge: SESSION_LIFETIME_SECONDS });
}

/**
 * Ends the session of this browser, here and in the browser: a copy of its cookie is worth nothing from then on.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function signOut(c: Context<AppEnv>): Promise<Response> {
  const session = await findSession(c);
  if (session !== null)
    await endSession(c.env.DB, sessionsOf(session.who, c.env), session.claim.jti);
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
