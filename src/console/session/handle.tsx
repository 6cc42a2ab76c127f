import type { Context } from 'hono';
import type { AppEnv } from '../../env.ts';
import { LIMIT_PERIOD_SECONDS } from '../../rate-limits.ts';
import { guestOf, readForm, readGuestForm, respond } from '../guards.tsx';
import { localPath } from '../paths.ts';
import { isLanguage } from '../texts/texts.ts';
import { checkCode, checkPassword } from './check.ts';
import { carriedFields, codePage, resumePage, signInPage } from './sign-in.tsx';
import { chooseLanguage, signIn, signOut } from './visitor.ts';

/** Signs somebody in by password and, if they have a second factor, by code; then leads where they wanted to go. */
export async function postSignIn(c: Context<AppEnv>): Promise<Response> {
  const fields = await readGuestForm(c);
  const { account = '', name = '', password = '', token = '', code = '' } = Object.fromEntries(fields);
  const guest = guestOf(c);
  const destination = { to: localPath(fields.get('to')), typed: carriedFields(fields) };
  const isCode = token !== '';
  const checked = await (isCode
    ? checkCode(c.env, c.req.raw, token, code)
    : checkPassword(c.env, c.req.raw, { account, name, password }));
  if (checked.kind === 'code') return respond(c, guest, codePage(guest, checked.token, destination));
  if (checked.kind === 'signed in') {
    c.set('caller', { accountId: checked.who.account.id, clientId: 'console' });
    await signIn(c, checked.who);
    if (destination.typed === null) return c.redirect(destination.to, 303);
    return respond(c, guest, resumePage(guest, destination));
  }
  const isLimited = checked.kind === 'too many attempts';
  const failure = isLimited ? 'limited' : isCode ? 'wrongCode' : 'wrong';
  const page = isCode
    ? codePage(guest, token, destination, failure)
    : signInPage(guest, { ...destination, account, name }, failure);
  const limited = { status: 429, headers: { 'Retry-After': String(LIMIT_PERIOD_SECONDS) } };
  return respond(c, guest, { ...page, ...(isLimited ? limited : { status: 401 }) });
}

export async function postSignOut(c: Context<AppEnv>): Promise<Response> {
  await signOut(c);
  return c.redirect('/', 303);
}

export async function chooseALanguage(c: Context<AppEnv>): Promise<Response> {
  const { language, to } = Object.fromEntries(await readForm(c));
  if (isLanguage(language)) chooseLanguage(c, language);
  return c.redirect(localPath(to), 303);
}
