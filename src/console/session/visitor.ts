import type { Context } from 'hono';
import { type Account, findAccount } from '../../db/accounts.ts';
import { type ManifestReader, readManifest } from '../../db/manifest.ts';
import type { AppEnv, Env } from '../../env.ts';
import { accountCodeIn, isAccountCode } from '../../feed/request/credentials.ts';
import { keyDigest } from '../../feed/request/reader-key.ts';
import { passwordMatches, UNMATCHABLE_PASSWORD } from '../../lib/secrets.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { checkLimited, checkLimitedByAddress } from '../../rate-limits.ts';
import { FINDINGS_SET } from '../../report/load.ts';
import { isLanguage, type Language } from '../texts/language.ts';
import { createSession, isValidSession, parseSession, SESSION_LIFETIME, type SessionKey } from './token.ts';

/** The prefix makes browsers insist on Secure, on the path / and on this very host (RFC 6265bis section 4.1.3). */
const SESSION = '__Host-session';
const LANGUAGE = '__Host-language';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Seconds for which a browser keeps the language. */
const LANGUAGE_LIFETIME = 365 * 24 * 3600;

/** A reader that has signed in. */
export interface SignedInReader extends ManifestReader {
  /** The digest of the key that it has signed in with. */
  readonly digest: string;
}

/** Who has signed in. */
export interface SignedIn {
  readonly account: Account;
  /** The reader of the account, if a reader's key was given; `null` for the account's password. */
  readonly reader: SignedInReader | null;
}

/**
 * Who has signed in; `null` without a valid session, and for a sender of too many invalid ones.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function whoIsSignedIn(c: Context<AppEnv>): Promise<SignedIn | null> {
  const token = readCookie(c, SESSION);
  const claim = token === undefined ? null : parseSession(token);
  if (claim === null) return null;
  const now = Date.now();
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => {
    const found = await orUnavailable('session', find(c.env.DB, claim.account, claim.keyDigest));
    const isValid = found !== null && isValidSession(claim, keyOf(found.account, c.env), now);
    return isValid ? ({ kind: 'authorized', found } as const) : ({ kind: 'denied' } as const);
  });
  return verdict.kind === 'authorized' ? verdict.found : null;
}

/** The account with a code, and its reader with a key that is valid; `null` if either is missing or disabled. */
async function find(db: D1Database, code: string, digest: string): Promise<SignedIn | null> {
  if (digest === '') {
    const account = await findAccount(db, code);
    return account && { account, reader: null };
  }
  // A manifest comes with the reader that a key belongs to.
  const [account, { reader }] = await Promise.all([
    findAccount(db, code),
    readManifest(db, code, FINDINGS_SET, { digest, ofPreset: false }),
  ]);
  return account && reader && { account, reader: { ...reader, digest } };
}

/**
 * Checks an account's password or a reader's key, with the same limits as a feed's, and a password in the same time for an
 * unknown account.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function checkPassword(
  env: Env,
  request: Request,
  user: string,
  password: string,
): Promise<SignedIn | 'denied' | 'too many attempts'> {
  const code = accountCodeIn(user) ?? user.trim().toUpperCase();
  if (!isAccountCode(code)) return 'denied';
  const digest = keyDigest(password) ?? '';
  const verdict = await checkLimited(
    { env, request, subject: `feed:${code}`, secret: digest || password },
    async () => {
      const found = await orUnavailable('account', find(env.DB, code, digest));
      const matches =
        digest !== '' || (await passwordMatches(password, found?.account.password ?? UNMATCHABLE_PASSWORD));
      return matches && found !== null ? ({ kind: 'authorized', found } as const) : ({ kind: 'denied' } as const);
    },
  );
  return verdict.kind === 'authorized' ? verdict.found : verdict.kind;
}

/** Begins a session. */
export function signIn(c: Context<AppEnv>, { account, reader }: SignedIn): void {
  const token = createSession(account.code, reader?.digest ?? '', keyOf(account, c.env), Date.now());
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
