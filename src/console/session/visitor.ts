import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { FINDINGS_SET } from '../../api/report/load.ts';
import { type Account, findAccount } from '../../db/accounts/accounts.ts';
import { findPerson, findPersonByName, hasOwner, type Person, type Role } from '../../db/accounts/people.ts';
import { endSession, findAccountOfSession } from '../../db/accounts/sessions.ts';
import { type ManifestReader, readManifest } from '../../db/feed/manifest.ts';
import type { AppEnv, Env } from '../../env.ts';
import { checkLimitedByAddress } from '../../rate-limits.ts';
import { isLanguage, type Language } from '../texts/texts.ts';
import {
  createSession,
  isSessionSecret,
  isValidSession,
  parseSession,
  personIn,
  SESSION_LIFETIME_SECONDS,
  type SessionKey,
} from './token.ts';

const SESSION = 'session';
const LANGUAGE = 'language';

/** The prefix makes browsers insist on Secure, on the path / and on this very host (RFC 6265bis section 4.1.3). */
const PREFIX = 'host';
const ATTRIBUTES = { prefix: PREFIX, httpOnly: true, sameSite: 'Strict' } as const;

const LANGUAGE_LIFETIME_SECONDS = 365 * 24 * 3600;

/** A reader that has signed in, with the digest of its key. */
export type SignedInReader = ManifestReader & { readonly digest: string };

/** Who has signed in: a person, a reader, or, if both are `null`, whoever has the account's password. */
export interface SignedIn {
  readonly account: Account;
  readonly person: Person | null;
  readonly reader: SignedInReader | null;
  /** What they may do; a reader may look at its feed. */
  readonly role: Role;
}

/**
 * Who has signed in; `null` without a valid session, and for a sender of too many invalid ones.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function whoIsSignedIn(c: Context<AppEnv>): Promise<SignedIn | null> {
  return (await verifiedSession(c))?.found ?? null;
}

async function verifiedSession(c: Context<AppEnv>) {
  const token = getCookie(c, SESSION, PREFIX) ?? '';
  const claim = parseSession(token);
  if (claim === null) return null;
  const now = Date.now();
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => {
    const found = await findSubject(c.env.DB, claim.account, claim.sub, claim.jti);
    const isValid = found !== null && (await isValidSession(token, keyOf(found, c.env), now));
    return isValid ? ({ kind: 'authorized', found } as const) : ({ kind: 'denied' } as const);
  });
  return verdict.kind === 'authorized' ? { claim, found: verdict.found } : null;
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
  const finding = session === undefined ? findAccount(db, code) : findAccountOfSession(db, code, session);
  if (/^[0-9a-f]{64}$/.test(subject)) {
    // A manifest comes with the reader that a key belongs to.
    const manifest = readManifest(db, code, FINDINGS_SET, { digest: subject, ofPreset: false });
    const [account, { reader }] = await Promise.all([finding, manifest]);
    return account && reader && { account, person: null, reader: { ...reader, digest: subject }, role: 'viewer' };
  }
  const account = await finding;
  if (account === null) return null;
  const personId = personIn(subject, 'person');
  if (personId !== null) return signedIn(account, await findPerson(db, account.id, personId));
  const isAgency = subject === '' && !(await hasOwner(db, account.id));
  return isAgency ? { account, person: null, reader: null, role: 'owner' } : null;
}

/** Somebody with a name and a password; `null` if the account or the person is missing or disabled. */
export async function findNamed(db: D1Database, code: string, name: string): Promise<SignedIn | null> {
  const account = await findAccount(db, code);
  return account && signedIn(account, await findPersonByName(db, account.id, name));
}

function signedIn(account: Account, person: Person | null): SignedIn | null {
  return person?.password == null ? null : { account, person, reader: null, role: person.role };
}

/** Begins a session. */
export async function signIn(c: Context<AppEnv>, who: SignedIn): Promise<void> {
  const sub = who.person === null ? (who.reader?.digest ?? '') : `person:${who.person.id}`;
  const token = await createSession({ account: who.account.code, sub }, keyOf(who, c.env), Date.now());
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
    await endSession(c.env.DB, found.account.id, claim.jti, claim.exp);
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

/** What the sessions of somebody are signed with. */
export function keyOf({ account, person }: Pick<SignedIn, 'account' | 'person'>, { SESSION_KEY }: Env): SessionKey {
  if (!isSessionSecret(SESSION_KEY)) throw new Error('SESSION_KEY is missing or too short');
  return { storedPassword: person?.password ?? account.password, secret: SESSION_KEY };
}
