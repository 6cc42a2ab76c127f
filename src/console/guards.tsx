import type { Context, Next } from 'hono';
import type { AppEnv } from '../env.ts';
import { readBody } from '../lib/body.ts';
import { log } from '../lib/log.ts';
import { mediaType } from '../lib/media-type.ts';
import { requestId } from '../request-log.ts';
import { type Guest, Notice, type Page, respond, type Visitor } from './page.tsx';
import { signInPage } from './session/sign-in.tsx';
import { isSessionSecret, SESSION_COOKIE } from './session/token.ts';
import { languageOf, whoIsSignedIn } from './session/visitor.ts';
import { TEXTS } from './texts/texts.ts';

/** What a reader may see; all other pages are the account's own. */
const READERS_PAGES = ['/feed', '/report', '/report.csv'];

const MAX_FORM_BYTES = 16 * 1024;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Browsers ask for HTML and never for JSON; programs ask for either, or for anything. */
export function wantsPage(c: Context): boolean {
  const accepted = c.req.header('Accept') ?? '';
  return /text\/html/i.test(accepted) && !/application\/json/i.test(accepted);
}

/** Middleware: 503 without a secret for sessions, which whoever reads the database could forge otherwise. */
export async function requireSessionKey(c: Context<AppEnv>, next: Next) {
  if (isSessionSecret(c.env.SESSION_KEY)) return next();
  log('error', 'session_key.missing', { requestId: requestId(c) });
  return failurePage(c, 503, guestOf(c).texts.consoleDisabled);
}

/** Middleware: 415 for a body that is not a form. */
export async function requireForm(c: Context<AppEnv>, next: Next) {
  if (mediaType(c.req.header('Content-Type')) === FORM_TYPE) return next();
  return failurePage(c, 415, guestOf(c).texts.notForm, { Accept: FORM_TYPE });
}

/**
 * The fields of a form, each with its values.
 *
 * @throws BodyError if it is too large or incomplete
 */
export async function readForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await readBody(c.req.raw, MAX_FORM_BYTES)));
}

/** A handler for those who are signed in; others get the form to sign in, which leads back here. */
export function signedIn(handle: (c: Context<AppEnv>, visitor: Visitor) => Promise<Page | Response>) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const guest = guestOf(c);
    const found = await whoIsSignedIn(c);
    const { pathname, search } = new URL(c.req.url);
    if (found === null) {
      const page = signInPage(guest, { to: c.req.method === 'POST' ? '/' : pathname + search });
      const isFirstVisit = pathname === '/' && !(c.req.header('Cookie') ?? '').includes(SESSION_COOKIE);
      return respond(c, guest, { ...page, status: isFirstVisit ? 200 : 401 });
    }
    c.set('caller', { accountId: found.account.id, clientId: 'console' });
    const visitor = { ...guest, ...found };
    if (visitor.reader !== null && !READERS_PAGES.includes(pathname)) {
      return pathname === '/' ? c.redirect('/feed', 303) : respond(c, visitor, notFoundPage(visitor));
    }
    const page = await handle(c, visitor);
    return page instanceof Response ? page : respond(c, visitor, page);
  };
}

export function guestOf(c: Context<AppEnv>): Guest {
  const language = languageOf(c);
  return { language, texts: TEXTS[language] };
}

export function notFoundPage({ texts }: Visitor): Page {
  return { title: texts.notFound, status: 404, content: null };
}

/** A page that says why a request failed. */
export function failurePage(c: Context<AppEnv>, status: number, text: string, headers = {}): Promise<Response> {
  return respond(c, guestOf(c), { title: 'Lindero', status, headers, content: <Notice kind="bad">{text}</Notice> });
}
