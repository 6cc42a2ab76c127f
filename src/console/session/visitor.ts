import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { environmentFor } from '../../databases/environments.ts';
import { type Account, findAccount } from '../../db/accounts.ts';
import { type ManifestReader, readManifest } from '../../db/manifest.ts';
import { endSession, findAccountOfSession } from '../../db/sessions.ts';
import type { AppEnv, Env } from '../../env.ts';
import { accountCodeIn, isAccountCode } from '../../feed/request/credentials.ts';
import { keyDigest } from '../../feed/request/reader-key.ts';
import { passwordMatches, UNMATCHABLE_PASSWORD } from '../../lib/secrets.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { checkLimited, checkLimitedByAddress } from '../../rate-limits.ts';
import { FINDINGS_SET } from '../../report/load.ts';
import { isLanguage, type Language } from '../texts/language.ts';
import {
  createSession,
  isSessionSecret,
  isValidSession,
  parseSession,
  SESSION_LIFETIME_SECONDS,
  type SessionClaim,
  type SessionKey,
} from './token.ts';

const SESSION = 'session';
const LANGUAGE = 'language';

/** The prefix makes browsers insist on Secure, on the path / and on this very host (RFC 6265bis section 4.1.3). */
const PREFIX = 'host';
const ATTRIBUTES = { prefix: PREFIX, httpOnly: true, sameSite: 'Strict' } as const;

const LANGUAGE_LIFETIME_SECONDS = 365 * 24 * 3600;

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
  return (await verifiedSession(c))?.found ?? null;
}

async function verifiedSession(c: Context<AppEnv>): Promise<{ claim: SessionClaim; found: SignedIn } | null> {
  const claim = parseSession(getCookie(c, SESSION, PREFIX) ?? '');
  if (claim === null) return null;
  const now = Date.now();
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => {
    const account = findAccountOfSession(c.env.DB, claim.account, claim.id);
    const found = await orUnavailable('session', find(c.env.DB, account, claim.account, claim.keyDigest));
    const isValid = found !== null && isValidSession(claim, keyOf(found.account, c.env), now);
    return isValid ? ({ kind: 'authorized', found } as const) : ({ kind: 'denied' } as const);
  });
  return verdict.kind === 'authorized' ? { claim, found: verdict.found } : null;
}

/** The account with a code, and its reader with a key that is valid; `null` if either is missing or disabled. */
async function find(
  db: D1Database,
  finding: Promise<Account | null>,
  code: string,
  digest: string,
): Promise<SignedIn | null> {
  if (digest === '') {
    const account = await finding;
    return account && { account, reader: null };
  }
  // A manifest comes with the reader that a key belongs to.
  const [account, { reader }] = await Promise.all([
    finding,
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
  const { DB } = await orUnavailable('directory', environmentFor(env, { kind: 'account', name: code }, 0));
  const verdict = await checkLimited(
    { env, request, subject: `feed:${code}`, secret: digest || password },
    async () => {
      const found = await orUnavailable('account', find(DB, findAccount(DB, code), code, digest));
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
  setCookie(c, SESSION, token, { ...ATTRIBUTES, maxAge: SESSION_LIFETIME_SECONDS });
}

/**
 * Ends the session of this browser, here and in the browser: a copy of its cookie is worth nothing from then on.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function signOut(c: Context<AppEnv>): Promise<void> {
  const session = await verifiedSession(c);
  if (session !== null) {
    const { claim, found } = session;
    await orUnavailable('session', endSession(c.env.DB, found.account.id, claim.id, claim.expires));
  }
  setCookie(c, SESSION, '', { ...ATTRIBUTES, maxAge: 0 });
}

/** The language that was chosen, else the browser's. */
export function languageOf(c: Context<AppEnv>): Language {
  const chosen = getCookie(c, LANGUAGE, PREFIX);
  if (isLanguage(chosen)) return chosen;
  const preferred = (c.req.header('Accept-Language') ?? '').split(',').map((range) => range.trim().slice(0, 2));
  return preferred.find(isLanguage) ?? 'en';
}

/** Remembers a language. */
export function chooseLanguage(c: Context<AppEnv>, language: Language): void {
  setCookie(c, LANGUAGE, language, { ...ATTRIBUTES, maxAge: LANGUAGE_LIFETIME_SECONDS });
}

function keyOf({ password }: Account, { SESSION_KEY }: Env): SessionKey {
  if (!isSessionSecret(SESSION_KEY)) throw new Error('SESSION_KEY is missing or too short');
  return { storedPassword: password, secret: SESSION_KEY };
}
