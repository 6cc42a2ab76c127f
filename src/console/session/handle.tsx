import type { Context } from 'hono';
import { recordActivity } from '../../accounts/activity.ts';
import { isAccountCode } from '../../accounts/directory.ts';
import { writableEnvironmentFor } from '../../accounts/environments.ts';
import {
  countWrongCode,
  MAX_PERSON_NAME,
  type Person,
  useRecoveryCode,
  useTotpStep,
} from '../../accounts/people.ts';
import type { AppEnv, Env } from '../../env.ts';
import { accountCodeIn, keyDigest } from '../../feed/request/credentials.ts';
import { recoveryDigest } from '../../lib/secrets/recovery-codes.ts';
import { open } from '../../lib/secrets/sealed.ts';
import { passwordMatches, unmatchablePassword } from '../../lib/secrets/secrets.ts';
import { totpStep } from '../../lib/secrets/totp.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { checkLimited, retryAfter } from '../../rate-limits.ts';
import { leaveFlash } from '../flash.tsx';
import { guestOf, readForm, respond } from '../pages.tsx';
import { localPath } from '../paths.ts';
import { isLanguage } from '../texts/language.ts';
import { parseSession } from './claim.ts';
import * as session from './session.ts';
import { carriedFields, codePage, resumePage, signInPage } from './sign-in.tsx';

/** How long somebody whose password was right may take to enter a code, and how the subject of their token begins. */
const CODE_LIFETIME_SECONDS = 300;
const CODE = 'code:';

/** Somebody who has signed in, or why not; `code` if a code has to be entered as well, with a token for that. */
type Checked =
  | {
      readonly kind: 'signed in';
      readonly who: session.SignedIn;
      /** The database of the account. */
      readonly db: D1Database;
      readonly codesLeft?: number;
    }
  | { readonly kind: 'code'; readonly token: string }
  | { readonly kind: 'denied' | 'too many attempts' };

const DENIED = { kind: 'denied' } as const;

/** Signs somebody in by password and, if they have a second factor, by code; then leads where they wanted to go. */
export async function postSignIn(c: Context<AppEnv>): Promise<Response> {
  const fields = await readForm(c);
  const {
    account = '',
    name = '',
    password = '',
    token = '',
    code = '',
  } = Object.fromEntries(fields);
  const guest = guestOf(c);
  const destination = { to: localPath(fields.get('to')), typed: carriedFields(fields) };
  const isCode = token !== '';
  const checked = await (isCode
    ? checkCode(c, token, code)
    : checkPassword(c, account, name.trim(), password));
  if (checked.kind === 'code') return respond(guest, codePage(guest, checked.token, destination));
  if (checked.kind === 'signed in') {
    c.set('caller', { accountId: checked.who.account.id, clientId: 'console' });
    await session.signIn(c, checked.db, checked.who);
    const { codesLeft: count } = checked;
    if (count !== undefined) {
      const messages = [{ code: 'recoveryUsed', values: { count } }] as const;
      await leaveFlash({ c, ...checked.who }, destination.to, { kind: 'warn', messages });
    }
    if (destination.typed === null) return c.redirect(destination.to, 303);
    return respond(guest, resumePage(guest, destination));
  }
  const isLimited = checked.kind === 'too many attempts';
  const message = isLimited ? 'limited' : isCode ? 'wrongCode' : 'wrong';
  const isTooLate = isCode && (parseSession(token)?.exp ?? 0) <= nowInSeconds();
  const page =
    isCode && !isTooLate
      ? codePage(guest, token, destination, message)
      : signInPage(guest, { ...destination, account, name }, isTooLate ? 'codeExpired' : message);
  const limited = { status: 429, headers: { 'Retry-After': String(retryAfter(c.req.raw)) } };
  return respond(guest, { ...page, ...(isLimited ? limited : { status: 401 }) });
}

/**
 * Checks a person's or an account's password or a reader's key, with the same limits as a feed's, and a password in the same
 * time for an unknown account or person. The account's password, which portals may have, opens the console only until an
 * owner has their own sign-in.
 *
 * @param name empty for the account's password or a reader's key
 * @throws DependencyUnavailable if D1 fails
 */
async function checkPassword(
  { env, req }: Context<AppEnv>,
  account: string,
  name: string,
  password: string,
): Promise<Checked> {
  const code = accountCodeIn(account) ?? account.trim().toUpperCase();
  if (!isAccountCode(code) || name.length > MAX_PERSON_NAME) return DENIED;
  const digest = name === '' ? keyDigest(password) : null;
  const subject = name === '' ? `feed:${code}` : `person:${code}:${name.toLowerCase()}`;
  const verdict = await checkLimited({ env, request: req.raw, subject }, async () => {
    const { DB: db } = await writableEnvironmentFor(env, { kind: 'account', name: code }, 0);
    const who = await (name === ''
      ? session.findSubject(db, code, digest ?? '')
      : session.findNamed(db, code, name));
    const stored = who?.person?.password ?? who?.account.password ?? unmatchablePassword();
    const matches = digest !== null || (await passwordMatches(password, stored));
    return matches && who !== null ? ({ kind: 'signed in', who, db } as const) : DENIED;
  });
  const person = verdict.kind === 'signed in' ? verdict.who.person : null;
  if (verdict.kind !== 'signed in' || person?.totpSecret == null) return verdict;
  return {
    kind: 'code',
    token: await session.createToken(
      verdict.who,
      env,
      CODE_LIFETIME_SECONDS,
      `${CODE}person:${person.id}`,
    ),
  };
}

/**
 * Checks the code of somebody whose password was right.
 *
 * @param token of {@link checkPassword}
 * @throws DependencyUnavailable if D1 fails
 */
async function checkCode(
  { env, req }: Context<AppEnv>,
  token: string,
  code: string,
): Promise<Checked> {
  const claim = parseSession(token);
  if (!claim?.sub.startsWith(CODE)) return DENIED;
  const { account, sub } = claim;
  return checkLimited({ env, request: req.raw, subject: `${account}:${sub}` }, async () => {
    const there = await writableEnvironmentFor(env, { kind: 'account', name: account }, 0);
    const who = await session.findSubject(there.DB, account, sub.slice(CODE.length));
    if (who?.person == null || !(await session.isValidToken(token, who, env))) return DENIED;
    const { person } = who;
    if (await acceptsCode(there, person, code))
      return { kind: 'signed in', who, db: there.DB } as const;
    const { id, accountId, name, recoveryCodes } = person;
    if (await useRecoveryCode(there.DB, accountId, id, recoveryDigest(code))) {
      const entry = { person: name, action: 'person.recovered', subject: '' };
      await recordActivity(there.DB, accountId, entry);
      return { kind: 'signed in', who, db: there.DB, codesLeft: recoveryCodes.length - 1 } as const;
    }
    await countWrongCode(there.DB, accountId, id);
    return DENIED;
  });
}

/** Whether a code is valid for a person's second factor; it is then used up. */
async function acceptsCode(env: Env, person: Person, code: string): Promise<boolean> {
  const { id, accountId, totpSecret } = person;
  const secret =
    totpSecret === null ? null : await open(totpSecret, env.SEALING_KEY, totpContext(person));
  const step = secret === null ? null : totpStep(secret, code, nowInSeconds());
  return step !== null && useTotpStep(env.DB, accountId, id, step);
}

/** What the secret of a second factor is sealed for. */
export function totpContext({ accountId, id }: Pick<Person, 'accountId' | 'id'>): string {
  return `totp:${accountId}:${id}`;
}

export async function chooseALanguage(c: Context<AppEnv>): Promise<Response> {
  const { language, to } = Object.fromEntries(await readForm(c));
  if (isLanguage(language)) session.chooseLanguage(c, language);
  return c.redirect(localPath(to), 303);
}
