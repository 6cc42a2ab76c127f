import type { Context } from 'hono';
import type { AppEnv } from '../../env.ts';
import { LIMIT_PERIOD_SECONDS } from '../../rate-limits.ts';
import { guestOf, readForm, readGuestForm } from '../guards.tsx';
import { localPath } from '../paths.ts';
import { respond } from '../respond.tsx';
import { isLanguage } from '../texts/texts.ts';
import { type Checked, checkCode, checkPassword } from './check.ts';
import { carriedFields, codePage, resumePage, signInPage } from './sign-in.tsx';
import { chooseLanguage, signIn, signOut } from './visitor.ts';

/** Signs somebody in by password and, if they have a second factor, by code; then leads where they wanted to go. */
export async function postSignIn(c: Context<AppEnv>): Promise<Response> {
  const fields = await readGuestForm(c);
  const { account = '', name = '', password = '', token = '', code = '' } = Object.fromEntries(fields);
  const guest = guestOf(c);
  const destination = { to: localPath(fields.get('to')), typed: carriedFields(fields) };
  const isCode = token !== '';
  const checked: Checked = isCode
    ? await checkCode(c.env, c.req.raw, token, code)
    : await checkPassword(c.env, c.req.raw, { account, name, password });
  switch (checked.kind) {
    case 'denied': {
      const given = { ...destination, account, name };
      const page = isCode ? codePage(guest, token, destination, 'wrongCode') : signInPage(guest, given, 'wrong');
      return respond(c, guest, { ...page, status: 401 });
    }
    case 'too many attempts': {
      const headers = { 'Retry-After': String(LIMIT_PERIOD_SECONDS) };
      const given = { ...destination, account, name };
      const page = isCode ? codePage(guest, token, destination, 'limited') : signInPage(guest, given, 'limited');
      return respond(c, guest, { ...page, status: 429, headers });
    }
    case 'code':
      return respond(c, guest, codePage(guest, checked.token, destination));
    case 'signed in': {
      c.set('caller', { accountId: checked.who.account.id, clientId: 'console' });
      signIn(c, checked.who);
      if (destination.typed === null) return c.redirect(destination.to, 303);
      return respond(c, guest, resumePage(guest, destination));
    }
  }
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
