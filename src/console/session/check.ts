import { environmentFor } from '../../databases/environments.ts';
import { findAccount } from '../../db/accounts/accounts.ts';
import {
  countWrongCode,
  findPerson,
  findPersonByName,
  hasOwner,
  type Person,
  useTotpStep,
} from '../../db/accounts/people.ts';
import type { Env } from '../../env.ts';
import { accountCodeIn, isAccountCode } from '../../feed/request/credentials.ts';
import { keyDigest } from '../../feed/request/reader-key.ts';
import { open } from '../../lib/secrets/sealed.ts';
import { passwordMatches, UNMATCHABLE_PASSWORD } from '../../lib/secrets/secrets.ts';
import { totpStep } from '../../lib/secrets/totp.ts';
import { checkLimited } from '../../rate-limits.ts';
import { CODE_LIFETIME_SECONDS, createSession, isValidSession, parseSession, personIn } from './token.ts';
import { findReader, keyOf, ofAccount, type SignedIn } from './visitor.ts';

/** What was entered to sign in. */
export interface Entered {
  readonly account: string;
  /** Empty for the account's password or a reader's key. */
  readonly name: string;
  readonly password: string;
}

/** Somebody who has signed in, or why not; `code` if a code has to be entered as well, with a token for that. */
export type Checked =
  | { readonly kind: 'signed in'; readonly who: SignedIn }
  | { readonly kind: 'code'; readonly token: string }
  | { readonly kind: 'denied' | 'too many attempts' };

/**
 * Checks a person's or an account's password or a reader's key, with the same limits as a feed's, and a password in the same
 * time for an unknown account or person. The account's password, which portals may have, opens the console only until an
 * owner has a sign-in of their own.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function checkPassword(env: Env, request: Request, entered: Entered): Promise<Checked> {
  const code = accountCodeIn(entered.account) ?? entered.account.trim().toUpperCase();
  if (!isAccountCode(code)) return { kind: 'denied' };
  const { password } = entered;
  const name = entered.name.trim();
  const digest = name === '' ? keyDigest(password) : null;
  const { DB } = await databaseOf(env, code);
  const check = async () => {
    const found = await (digest === null ? find(DB, code, name) : keyed(DB, code, digest));
    const stored = found?.person?.password ?? found?.account.password ?? UNMATCHABLE_PASSWORD;
    const matches = digest !== null || (await passwordMatches(password, stored));
    return matches && found !== null ? ({ kind: 'authorized', found } as const) : ({ kind: 'denied' } as const);
  };
  const subject = name === '' ? `feed:${code}` : `person:${code}:${name.toLowerCase()}`;
  const verdict = await checkLimited({ env, request, subject, secret: digest ?? password }, check);
  if (verdict.kind !== 'authorized') return { kind: verdict.kind };
  const who = verdict.found;
  if (who.person?.totpSecret == null) return { kind: 'signed in', who };
  const token = createSession(code, `code:${who.person.id}`, keyOf(who, env), Date.now(), CODE_LIFETIME_SECONDS);
  return { kind: 'code', token };
}

/** The environment with an account's database. */
function databaseOf(env: Env, code: string): Promise<Env> {
  return environmentFor(env, { kind: 'account', name: code }, 0);
}

function keyed(db: D1Database, code: string, digest: string): Promise<SignedIn | null> {
  return findReader(db, findAccount(db, code), code, digest);
}

async function find(db: D1Database, code: string, name: string): Promise<SignedIn | null> {
  const account = await findAccount(db, code);
  if (account === null) return null;
  if (name === '') return (await hasOwner(db, account.id)) ? null : ofAccount(account);
  const person = await findPersonByName(db, account.id, name);
  return person && { account, person, reader: null, role: person.role };
}

/**
 * Checks the code of somebody whose password was right.
 *
 * @param token of {@link checkPassword}
 * @throws DependencyUnavailable if D1 fails
 */
export async function checkCode(env: Env, request: Request, token: string, code: string): Promise<Checked> {
  const claim = parseSession(token);
  const personId = claim && personIn(claim.subject, 'code');
  if (claim === null || personId === null) return { kind: 'denied' };
  const there = await databaseOf(env, claim.account);
  const check = async () => {
    const account = await findAccount(there.DB, claim.account);
    const person = account && (await findPerson(there.DB, account.id, personId));
    if (account === null || person == null) return { kind: 'denied' } as const;
    const who = { account, person, reader: null, role: person.role };
    const now = Date.now();
    if (!isValidSession(claim, keyOf(who, env), now)) return { kind: 'denied' } as const;
    const isRight = await acceptsCode(there, person, code, Math.floor(now / 1_000));
    return isRight ? ({ kind: 'authorized', who } as const) : ({ kind: 'denied' } as const);
  };
  const credentials = { env, request, subject: `code:${claim.account}:${personId}`, secret: code };
  const verdict = await checkLimited(credentials, () => check());
  return verdict.kind === 'authorized' ? { kind: 'signed in', who: verdict.who } : { kind: verdict.kind };
}

/** Whether a code is that of a person's second factor; it is used up then. */
async function acceptsCode(env: Env, person: Person, code: string, now: number): Promise<boolean> {
  const { id, accountId, totpSecret } = person;
  const secret = totpSecret === null ? null : await open(totpSecret, env.SEALING_KEY ?? '', totpContext(person));
  const step = secret === null ? null : totpStep(secret, code, now);
  if (step !== null) return useTotpStep(env.DB, accountId, id, step);
  await countWrongCode(env.DB, accountId, id);
  return false;
}

/** What the secret of a second factor is sealed for. */
export function totpContext({ accountId, id }: Pick<Person, 'accountId' | 'id'>): string {
  return `totp:${accountId}:${id}`;
}
