import type { Context } from 'hono';
import { type Account, findAccount } from '../db/accounts.ts';
import type { AppEnv, Env } from '../env.ts';
import { accountCodeIn, isAccountCode } from '../feed/credentials.ts';
import { passwordMatches, UNMATCHABLE_PASSWORD } from '../lib/secrets.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { checkLimited, checkLimitedByAddress } from '../rate-limits.ts';
import { isLanguage, type Language } from './language.ts';
import { createSession, isValidSession, parseSession, SESSION_LIFETIME, type SessionKey } from './session.ts';

/** The prefix makes browsers insist on Secure, on the path / and on this very host (RFC 6265bis section 4.1.3). */
const SESSION = '__Host-session';
const LANGUAGE = '__Host-language';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Seconds for which a browser keeps the language. */
const LANGUAGE_LIFETIME = 365 * 24 * 3600;

/**
 * The account that somebody has signed in to; `null` without a valid session, and for a sender of too many invalid ones.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function signedInAccount(c: Context<AppEnv>): Promise<Account | null> {
  const token = readCookie(c, SESSION);
  const claim = token === undefined ? null : parseSession(token);
  if (claim === null) return null;
  const now = Date.now();
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => {
    const account = await orUnavailable('session', findAccount(c.env.DB, claim.account));
    const isValid = account !== null && isValidSession(claim, keyOf(account, c.env), now);
    return isValid ? ({ kind: 'authorized', account } as const) : ({ kind: 'denied' } as const);
  });
  return verdict.kind === 'authorized' ? verdict.account : null;
}

/**
 * Checks an account's password, with the same limits as a feed's, and in the same time for an unknown account.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function checkPassword(
  env: Env,
  request: Request,
  user: string,
  password: string,
): Promise<Account | 'denied' | 'too many attempts'> {
  const code = accountCodeIn(user) ?? user.trim().toUpperCase();
  if (!isAccountCode(code)) return 'denied';
  const verdict = await checkLimited({ env, request, subject: `feed:${code}`, secret: password }, async () => {
    const account = await orUnavailable('account', findAccount(env.DB, code));
    const matches = await passwordMatches(password, account?.password ?? UNMATCHABLE_PASSWORD);
    return matches && account !== null ? ({ kind: 'authorized', account } as const) : ({ kind: 'denied' } as const);
  });
  return verdict.kind === 'authorized' ? verdict.account : verdict.kind;
}

/** Begins a session. */
export function signIn(c: Context<AppEnv>, account: Account): void {
  const token = createSession(account.code, keyOf(account, c.env), Date.now());
  setCookie(c, SESSION, token, SESSION_LIFETIME);
}

/** Ends the session of this browser. */
export function signOut(c: Context<AppEnv>): void {
  setCookie(c, SESSION, '', 0);
}

/** The language that was chosen, else the browser's. */
export function languageOf(c: Context<AppEnv>): Language {
  const chosen = readCookie(c, LANGUAGE);
  if (isLanguage(chosen)) return chosen;
  const preferred = (c.req.header('Accept-Language') ?? '').split(',').map((range) => range.trim().slice(0, 2));
  return preferred.find(isLanguage) ?? 'en';
}

/** Remembers a language. */
export function chooseLanguage(c: Context<AppEnv>, language: Language): void {
  setCookie(c, LANGUAGE, language, LANGUAGE_LIFETIME);
}

function keyOf({ password }: Account, { SIGNING_KEYS }: Env): SessionKey {
  return { storedPassword: password, signingKeys: SIGNING_KEYS };
}

/** The value of a cookie; the two here have no characters that would need encoding. */
function readCookie(c: Context<AppEnv>, name: string): string | undefined {
  const pairs = (c.req.header('Cookie') ?? '').split('; ');
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** @param lifetime seconds; 0 deletes it */
function setCookie(c: Context<AppEnv>, name: string, value: string, lifetime: number): void {
  c.header('Set-Cookie', `${name}=${value}; Max-Age=${lifetime}; ${ATTRIBUTES}`);
}
