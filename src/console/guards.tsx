import type { Context, Next } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { recordActivity } from '../db/accounts/activity.ts';
import type { Role } from '../db/accounts/people.ts';
import type { AppEnv } from '../env.ts';
import { readBody } from '../lib/http/body.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { log } from '../lib/log.ts';
import { Layout } from './frame/layout.tsx';
import { ButtonLink, Notice } from './frame/parts.tsx';
import { findSession, isSessionSecret, languageOf, SESSION_COOKIE } from './session/session.ts';
import { signInPage } from './session/sign-in.tsx';
import { TEXTS } from './texts/texts.ts';
import type { Guest, Page, Visitor } from './visit.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** That of a form with a file. */
export const UPLOAD_TYPE = 'multipart/form-data';

/** The page or the response to a request of somebody who has signed in. */
export type Handle = (c: Context<AppEnv>, visitor: Visitor) => Promise<Page | Response>;

const RANKS: readonly Role[] = ['viewer', 'editor', 'owner'];

/** Whether somebody may do what a role may do. */
export function may(visitor: Pick<Visitor, 'role'>, needed: Role): boolean {
  return RANKS.indexOf(visitor.role) >= RANKS.indexOf(needed);
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
  return failurePage(c, 503, guestOf(c).texts.disabled);
}

/** Middleware: 415 for a body that is not a form, of a type that a form without or with a file has. */
export function requireForm(type: typeof FORM_TYPE | typeof UPLOAD_TYPE = FORM_TYPE) {
  return async (c: Context<AppEnv>, next: Next) => {
    if (mediaType(c.req.header('Content-Type')) === type) return next();
    return failurePage(c, 415, guestOf(c).texts.notForm, { Accept: type });
  };
}

/** The texts of a property in every language fit. */
const MAX_FORM_BYTES = 2_000_000;

/** @throws BodyError if the form is too large or incomplete */
export async function readForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await readBody(c.req.raw, MAX_FORM_BYTES)));
}

/**
 * A handler for those who are signed in and have at least a role; for readers only if stated. Others get the form to sign in,
 * which leads back here, with what they have typed into a form that they have sent.
 */
export function signedIn(handle: Handle, needs: Role, forReaders: boolean) {
  return async (c: Context<AppEnv>): Promise<Response> => {
    const guest = guestOf(c);
    const session = await findSession(c);
    const { pathname, search } = new URL(c.req.url);
    if (session === null) {
      const isForm = mediaType(c.req.header('Content-Type')) === FORM_TYPE;
      const typed = c.req.method === 'POST' && isForm ? await readForm(c).catch(() => null) : null;
      const page = signInPage(guest, { to: pathname + search, typed });
      const isFirstVisit = pathname === '/' && !(c.req.header('Cookie') ?? '').includes(SESSION_COOKIE);
      return respond(c, guest, { ...page, status: isFirstVisit ? 200 : 401 });
    }
    c.set('caller', { accountId: session.who.account.id, clientId: 'console' });
    const visitor = { ...guest, ...session.who };
    if (visitor.reader !== null && !forReaders) {
      return pathname === '/' ? c.redirect('/feed', 303) : respond(c, visitor, notFoundPage(visitor));
    }
    if (!may(visitor, needs)) return respond(c, visitor, forbiddenPage(visitor, needs));
    const page = await handle(c, visitor);
    return page instanceof Response ? page : respond(c, visitor, page);
  };
}

/** A page as a response. It belongs to whoever is signed in, so nothing may store it. */
export async function respond(c: Context<AppEnv>, guest: Guest | Visitor, page: Page): Promise<Response> {
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
  return { language, texts: TEXTS[language].common, now: Math.floor(Date.now() / 1_000) };
}

/** A page that says why there is nothing else, and leads on. */
function deadEnd({ texts }: Guest, status: number, title: string, lead?: string, href = '/', to = texts.toHome): Page {
  return { title, lead, status, content: <ButtonLink href={href}>{to}</ButtonLink> };
}

export function notFoundPage(guest: Guest): Page {
  return deadEnd(guest, 404, guest.texts.notFound, guest.texts.notFoundWhy);
}

/** For an address that is no page, of the console or of anything else. */
export function unknownPage(guest: Guest): Page {
  return deadEnd(guest, 404, guest.texts.notFound, guest.texts.nothingHere);
}

function forbiddenPage(visitor: Visitor, needs: Role): Page {
  const { texts } = visitor;
  const [title, lead] =
    needs === 'owner' ? [texts.ownersOnly, texts.ownersOnlyWhy] : [texts.mayNotChange, texts.mayNotChangeWhy];
  return deadEnd(visitor, 403, title, lead, '/settings', texts.settings);
}

/** A page that says why a request failed. */
export function failurePage(c: Context<AppEnv>, status: number, text: string, headers = {}): Promise<Response> {
  const guest = guestOf(c);
  const page = { ...deadEnd(guest, status, 'Lindero'), headers, notice: <Notice kind="bad">{text}</Notice> };
  return respond(c, guest, page);
}

/** Records what somebody did; a failure to record it does not undo what was done. */
export async function recordDone(c: Context<AppEnv>, visitor: Visitor, action: string, subject = ''): Promise<void> {
  const person = visitor.person?.name ?? '';
  const recording = recordActivity(c.env.DB, visitor.account.id, { person, action, subject });
  await recording.catch((error: Error) =>
    log('error', 'activity.failed', { requestId: c.var.requestId, error: error.message }),
  );
}
