import type { Context, Next } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { recordActivity } from '../accounts/activity.ts';
import type { Role } from '../accounts/people.ts';
import type { AppEnv } from '../env.ts';
import { readBody } from '../lib/http/body.ts';
import { mediaType } from '../lib/http/media-type.ts';
import { log } from '../lib/log.ts';
import { sha256Hex } from '../lib/secrets/secrets.ts';
import { nowInSeconds } from '../lib/time/time.ts';
import { Layout } from './frame/layout.tsx';
import { ButtonLink, Notice } from './frame/parts.tsx';
import { SESSION_COOKIE } from './session/claim.ts';
import { findSession, isSessionSecret, languageOf } from './session/session.ts';
import { isCarriable, signInPage } from './session/sign-in.tsx';
import { TEXTS } from './texts/texts.ts';
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
  return failurePage(c, 503, guestOf(c).texts.disabled);
}

/** Middleware: 415 for a body that is not a form, of a type that a form without or with a file has. */
export function requireForm(type: typeof FORM_TYPE | typeof UPLOAD_TYPE = FORM_TYPE) {
  return async (c: Context<AppEnv>, next: Next) => {
    if (mediaType(c.req.header('Content-Type')) === type) return next();
    return failurePage(c, 415, guestOf(c).texts.notForm, { Accept: type });
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
    const visitor = { ...guest, ...who, ...rights, db: c.env.DB };
    if (visitor.reader !== null && !forReaders) {
      return pathname === '/' ? c.redirect('/feed', 303) : respond(visitor, notFoundPage(visitor));
    }
    if (!may(role, needs)) return respond(visitor, forbiddenPage(visitor, needs));
    const page = await handle(visitor);
    return page instanceof Response ? page : respond(visitor, page);
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
  return { c, language, texts: TEXTS[language].common, now: nowInSeconds() };
}

/** A page with nothing but a message, and a link to go on. */
function deadEnd(
  { texts }: Guest,
  status: number,
  title: string,
  lead?: string,
  href = '/',
  to = texts.toHome,
): Page {
  return { title, lead, status, content: <ButtonLink href={href} text={to} /> };
}

/** @param why by default, says that the account does not have what the address names */
export function notFoundPage(guest: Guest, why = guest.texts.notFoundWhy): Page {
  return deadEnd(guest, 404, guest.texts.notFound, why);
}

function forbiddenPage(visitor: Visitor, needs: Role): Page {
  const { texts } = visitor;
  const [title, lead] =
    needs === 'owner'
      ? [texts.ownersOnly, texts.ownersOnlyWhy]
      : [texts.mayNotChange, texts.mayNotChangeWhy];
  return deadEnd(visitor, 403, title, lead, '/settings', texts.settings);
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

/** Records what somebody did; a failure to record it does not undo what was done. */
export async function recordDone(visitor: Visitor, action: string, subject = ''): Promise<void> {
  const person = visitor.person?.name ?? '';
  const { c, db, account } = visitor;
  const recording = recordActivity(db, account.id, { person, action, subject });
  await recording.catch((error: Error) =>
    log('error', 'activity.failed', { requestId: c.var.requestId, error: error.message }),
  );
}

/** A request for a page of the console, about something of the account. */
export interface Visit<Subject> {
  readonly visitor: Visitor;
  readonly subject: Subject;
}

/** A visit that sends a form. */
export interface Sent<Subject> extends Visit<Subject> {
  readonly fields: URLSearchParams;
}

/** What a form has done, and the page that it leads to or shows; or the notice with which the form's own is shown again. */
type Done = {
  /** An action of the texts of the settings; not for changes of units, which have their own history. */
  readonly did?: string;
  /** What it was done with, as people call it. */
  readonly with?: string;
} & ({ readonly next: string | Page } | { readonly notice: Page['notice'] });

/** Why a form is shown again as it was sent. */
interface Refusal {
  /** What is said first; by default, that fields are wrong. */
  readonly why?: string;
  /** By the names of fields. */
  readonly errors?: Readonly<Record<string, string>>;
  /** 422 by default. */
  readonly status?: number;
}

/** What a button of a form does. */
export type Action<Subject> = (sent: Sent<Subject>) => Promise<Page | Response | Done | Refusal>;

interface SubjectPage<Subject> {
  /** What the query names: `null` if the account does not have it, `undefined` if it has yet to be created. */
  readonly find: (visitor: Visitor) => Promise<Subject | null>;
  /** The settings that a form shows and saves; a form is refused if others have been stored since. */
  readonly settings?: (subject: NonNullable<Subject>) => unknown;
  readonly show: (visit: Visit<Subject>) => Page | Promise<Page>;
  /** What buttons do, by the value of a button named `do`; `save` is for a button without a name. */
  readonly actions?: Readonly<Record<string, Action<NonNullable<Subject>>>>;
  /** Sent instead of `actions` for something that has yet to be created. */
  readonly create?: Action<undefined>;
}

/** For pages about nothing but the account. */
export const ownAccount = async ({ account }: Visitor) => account;

/** The handlers of a page: 404 without its subject, and for a button that it lacks. What cannot be undone must be confirmed. */
export function pageOf<Subject>({
  settings,
  show,
  actions = {},
  create,
  ...page
}: SubjectPage<Subject>) {
  const find: typeof page.find = async (visitor) => {
    const subject = await page.find(visitor);
    if (subject != null && settings)
      visitor.c.set('version', sha256Hex(JSON.stringify(settings(subject))));
    return subject;
  };
  const get: Handle = async (visitor) => {
    const subject = await find(visitor);
    return subject === null ? notFoundPage(visitor) : show({ visitor, subject });
  };
  const post: Handle = async (visitor) => {
    const subject = await find(visitor);
    if (subject === null) return notFoundPage(visitor);
    const { c } = visitor;
    const fields = await readForm(c);
    const sent = { visitor, fields };
    const button = fields.get('do') ?? 'save';
    const isStale = (fields.get('version') ?? c.var.version) !== c.var.version;
    const run = async () => {
      if (['delete', 'rotate'].includes(button) && !fields.has('sure'))
        return { why: visitor.texts.sureMissing };
      if (settings && isStale) return { why: visitor.texts.conflict, status: 412 };
      const action = Object.hasOwn(actions, button) ? actions[button] : undefined;
      return subject == null
        ? create?.({ ...sent, subject: undefined })
        : action?.({ ...sent, subject });
    };
    const result = (await run()) ?? notFoundPage(visitor);
    if (result instanceof Response || 'title' in result) return result;
    if ('did' in result && result.did !== undefined)
      await recordDone(visitor, result.did, result.with);
    if ('next' in result)
      return typeof result.next === 'string' ? c.redirect(result.next, 303) : result.next;
    // The subject may have changed in the meantime.
    const shown = { visitor, subject: (await find(visitor)) ?? subject };
    if ('notice' in result) {
      const { notice } = result;
      const done = typeof notice === 'string' ? <Notice kind="good">{notice}</Notice> : notice;
      return { ...(await show(shown)), notice: done };
    }
    const { why = visitor.texts.invalid, errors = {}, status = 422 } = result;
    c.set('refused', { typed: fields, errors });
    const page = await show(shown);
    return {
      ...page,
      status,
      notice: why && <Notice kind={status === 200 ? 'info' : 'bad'}>{why}</Notice>,
    };
  };
  return { get, post };
}
