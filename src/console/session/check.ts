import { environmentFor } from '../../databases/environments.ts';
import { countWrongCode, type Person, useTotpStep } from '../../db/accounts/people.ts';
import type { Env } from '../../env.ts';
import { accountCodeIn, isAccountCode, keyDigest } from '../../feed/request/credentials.ts';
import { open } from '../../lib/secrets/sealed.ts';
import { passwordMatches, UNMATCHABLE_PASSWORD } from '../../lib/secrets/secrets.ts';
import { totpStep } from '../../lib/secrets/totp.ts';
import { checkLimited } from '../../rate-limits.ts';
import { CODE_LIFETIME_SECONDS, createSession, isValidSession, parseSession, personIn } from './token.ts';
import { findNamed, findSubject, keyOf, type SignedIn } from './visitor.ts';

/** What was entered to sign in; the name is empty for the account's password or a reader's key. */
type Entered = Readonly<Record<'account' | 'name' | 'password', string>>;

/** Somebody who has signed in, or why not; `code` if a code has to be entered as well, with a token for that. */
export type Checked =
  | { readonly kind: 'signed in'; readonly who: SignedIn }
  | { readonly kind: 'code'; readonly token: string }
  | { readonly kind: 'denied' | 'too many attempts' };

const DENIED = { kind: 'denied' } as const;

/**
 * Checks a person's or an account's password or a reader's key, with the same limits as a feed's, and a password in the same
 * time for an unknown account or person. The account's password, which portals may have, opens the console only until an
 * owner has a sign-in of their own.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function checkPassword(env: Env, request: Request, entered: Entered): Promise<Checked> {
  const code = accountCodeIn(entered.account) ?? entered.account.trim().toUpperCase();
  if (!isAccountCode(code)) return DENIED;
  const { password } = entered;
  const name = entered.name.trim();
  const digest = name === '' ? keyDigest(password) : null;
  const { DB } = await databaseOf(env, code);
  const subject = name === '' ? `feed:${code}` : `person:${code}:${name.toLowerCase()}`;
  const verdict = await checkLimited({ env, request, subject, secret: digest ?? password }, async () => {
    const who = await (name === '' ? findSubject(DB, code, digest ?? '') : findNamed(DB, code, name));
    const stored = who?.person?.password ?? who?.account.password ?? UNMATCHABLE_PASSWORD;
    const matches = digest !== null || (await passwordMatches(password, stored));
    return matches && who !== null ? ({ kind: 'signed in', who } as const) : DENIED;
  });
  const person = verdict.kind === 'signed in' ? verdict.who.person : null;
  if (verdict.kind !== 'signed in' || person?.totpSecret == null) return verdict;
  const claim = { account: code, sub: `code:${person.id}` };
  const key = keyOf(verdict.who, env);
  return { kind: 'code', token: await createSession(claim, key, Date.now(), CODE_LIFETIME_SECONDS) };
}

/** The environment with an account's database. */
function databaseOf(env: Env, code: string): Promise<Env> {
  return environmentFor(env, { kind: 'account', name: code }, 0);
}

/**
 * Checks the code of somebody whose password was right.
 *
 * @param token of {@link checkPassword}
 * @throws DependencyUnavailable if D1 fails
 */
export async function checkCode(env: Env, request: Request, token: string, code: string): Promise<Checked> {
  const claim = parseSession(token);
  const personId = claim && personIn(claim.sub, 'code');
  if (claim === null || personId === null) return DENIED;
  const there = await databaseOf(env, claim.account);
  const subject = `code:${claim.account}:${personId}`;
  return checkLimited({ env, request, subject, secret: code }, async () => {
    const who = await findSubject(there.DB, claim.account, `person:${personId}`);
    if (who === null || !(await isValidSession(token, keyOf(who, env), Date.now()))) return DENIED;
    return (await acceptsCode(there, who.person!, code)) ? ({ kind: 'signed in', who } as const) : DENIED;
  });
}

/** Whether a code is that of a person's second factor; it is used up then. */
async function acceptsCode(env: Env, person: Person, code: string): Promise<boolean> {
  const { id, accountId, totpSecret } = person;
  const secret = totpSecret === null ? null : await open(totpSecret, env.SEALING_KEY ?? '', totpContext(person));
  const step = secret === null ? null : totpStep(secret, code, Math.floor(Date.now() / 1_000));
  if (step !== null) return useTotpStep(env.DB, accountId, id, step);
  await countWrongCode(env.DB, accountId, id);
  return false;
}

/** What the secret of a second factor is sealed for. */
export function totpContext({ accountId, id }: Pick<Person, 'accountId' | 'id'>): string {
  return `totp:${accountId}:${id}`;
}
