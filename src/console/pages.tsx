import type { Context, Next } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Role } from '../accounts/people.ts';
import type { AppEnv } from '../env.ts';
import { readBody } from '../lib/http/body.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { log } from '../lib/log.ts';
import { nowInSeconds } from '../lib/time/time.ts';
import { FlashNotice, takeFlash } from './flash.tsx';
import { DEFAULT_TIME_ZONE } from './format.ts';
import { Layout } from './frame/layout.tsx';
import { ButtonLink } from './frame/parts.tsx';
import { SESSION_COOKIE } from './session/claim.ts';
import { findSession, isSessionSecret, languageOf } from './session/session.ts';
import { isCarriable, signInPage } from './session/sign-in.tsx';
import { textsOf } from './texts/texts.ts';
import type { Guest, Page, Visitor } from './visit.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The media type of a form with a file. */
export const UPLOAD_TYPE = 'multipart/form-data';

/** The page or the response to a request of somebody who has signed in. */
export type Handle = (visitor: Visitor) => Promise<Page | Response>;

const RANKS: readonly Role[] = ['viewer', 'editor', 'owner'];

/** Whether a role may do what another one may do. */
function may(role: Role, needed: Role): boolean {
  return RANKS.indexOf(role) >= RANKS.indexOf(needed);
}

/** Browsers ask for HTML and never for JSON; programs ask for either, or for anything. */
export function wantsPage(c: Context): boolean {
  const accepted = c.req.header('Accept') ?? '';
  return /text\/html/i.test(accepted) && !/application\/json/i.test(accepted);
}

/** Middleware: 503 without a secret for sessions, which whoever reads the database could forge otherwise. */
export async function requireSessionKey(c: Context<AppEnv>, next: Next) {
  if (isSessionSecret(c.env.SESSION_KEY)) return next();
  log('error', 'session_key.missing', { requestId: c.var.requestId });
  return failurePage(c, 503, guestOf(c).common.disabled);
}

/** Middleware: 415 for a body that is not a form, of a type that a form without or with a file has. */
export function requireForm(type: typeof FORM_TYPE | typeof UPLOAD_TYPE = FORM_TYPE) {
  return async (c: Context<AppEnv>, next: Next) => {
    if (mediaType(c.req.header('Content-Type')) === type) return next();
    return failurePage(c, 415, guestOf(c).common.notForm, { Accept: type });
  };
}

/** Maximum size of a form: the texts of a property in every language fit. */
const MAX_FORM_BYTES = 2_000_000;

/** @throws BodyError if the form is too large or incomplete */
export async function readForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await readBody(c.req.raw, MAX_FORM_BYTES)));
}

/**
 * A handler for those who are signed in and have at least a role; for readers only if stated. Others get the form to sign in,
 * which leads back here, with what they have typed into a form that they have sent, or says that it is lost.
 */
export function signedIn(handle: Handle, needs: Role, forReaders: boolean) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const guest = guestOf(c);
    const session = await findSession(c);
    const { pathname, search } = new URL(c.req.url);
    if (session === null) {
      const isSent = c.req.method === 'POST';
      const isForm = isSent && mediaType(c.req.header('Content-Type')) === FORM_TYPE;
      const fields = isForm ? await readForm(c).catch(() => null) : null;
      const typed = fields && isCarriable(fields) ? fields : null;
      const message = isSent ? (typed ? 'expired' : 'expiredUnsaved') : undefined;
      const isHome = pathname === '/';
      // An invitation leads home, with who has accepted it.
      const given = isHome ? { ...c.req.query(), to: '/' } : { to: pathname + search };
      const page = signInPage(guest, { ...given, typed }, message);
      const isFirstVisit = isHome && !(c.req.header('Cookie') ?? '').includes(SESSION_COOKIE);
      return respond(guest, { ...page, status: isFirstVisit ? 200 : 401 });
    }
    const { who } = session;
    const { role, account } = who;
    c.set('caller', { accountId: account.id, clientId: 'console' });
    const rights = { isEditor: may(role, 'editor'), isOwner: may(role, 'owner') };
    const visitor = {
      ...guest,
      ...who,
      ...rights,
      timeZone: account.timeZone,
      session: session.claim.jti,
      db: c.env.DB,
    };
    if (visitor.reader !== null && !forReaders) {
      return pathname === '/' ? c.redirect('/feed', 303) : respond(visitor, notFoundPage(visitor));
    }
    if (!may(role, needs)) return respond(visitor, forbiddenPage(visitor, needs));
    const page = await handle(visitor);
    if (page instanceof Response) return page;
    const flash = c.req.method === 'GET' ? await takeFlash(visitor) : null;
    if (flash === null) return respond(visitor, page);
    const notice = (
      <>
        <FlashNotice flash={flash} />
        {page.notice}
      </>
    );
    return respond(visitor, { ...page, notice });
  };
}

/** A page as a response. It belongs to whoever is signed in, so nothing may store it. */
export async function respond(guest: Guest | Visitor, page: Page): Promise<Response> {
  const { c } = guest;
  // A page that can be requested again, also after a form was sent to it.
  const { pathname, search } = new URL(c.req.url);
  const here = pathname === '/sign-in' ? '/' : pathname + search;
  const html = await (<Layout page={page} guest={guest} here={here} />);
  // Unlike a response of its own, this one has the cookies that were set.
  return c.body(`<!doctype html>${html}`, (page.status ?? 200) as ContentfulStatusCode, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Language, Cookie',
    ...page.headers,
  });
}

export function guestOf(c: Context<AppEnv>): Guest {
  const language = languageOf(c);
  const common = textsOf({ language }, 'common');
  return { c, language, common, now: nowInSeconds(), timeZone: DEFAULT_TIME_ZONE };
}

/** A page with nothing but a message, and a link to go on. */
function deadEnd(
  { common }: Guest,
  status: number,
  title: string,
  lead?: string,
  href = '/',
  to = common.toHome,
): Page {
  return { title, lead, status, content: <ButtonLink href={href} text={to} /> };
}

/** @param why by default, says that the account does not have what the address names */
export function notFoundPage(guest: Guest, why = guest.common.notFoundWhy): Page {
  return deadEnd(guest, 404, guest.common.notFound, why);
}

function forbiddenPage(visitor: Visitor, needs: Role): Page {
  const { common } = visitor;
  const isForOwners = needs === 'owner';
  const title = isForOwners ? common.ownersOnly : common.mayNotChange;
  const lead = isForOwners ? common.ownersOnlyWhy : common.mayNotChangeWhy;
  return deadEnd(visitor, 403, title, lead, '/settings', common.settings);
}

/** A page that says why a request failed. */
export function failurePage(
  c: Context<AppEnv>,
  status: number,
  text: string,
  headers = {},
): Promise<Response> {
  const guest = guestOf(c);
  return respond(guest, { ...deadEnd(guest, status, text), headers });
}
