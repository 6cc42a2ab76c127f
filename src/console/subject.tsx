import type { Context } from 'hono';
import type { AppEnv } from '../env.ts';
import { Notice } from './frame/parts.tsx';
import { type Handle, notFoundPage, readForm, recordDone } from './guards.tsx';
import type { Page, Visitor } from './visit.ts';

/** A request for a page of the console, about something of the account. */
export interface Visit<Subject> {
  readonly c: Context<AppEnv>;
  readonly visitor: Visitor;
  readonly subject: Subject;
  /** What was sent, if it was not accepted, and what is wrong with it, by the names of fields. */
  readonly typed?: URLSearchParams | undefined;
  readonly errors?: Readonly<Record<string, string>> | undefined;
}

/** The same with the form that was sent. */
export interface Sent<Subject> extends Visit<Subject> {
  readonly fields: URLSearchParams;
}

/** What a form has done, which is recorded. */
interface Done {
  /** An action of the texts of the settings. */
  readonly did: string;
  /** What it was done with, as people call it. */
  readonly with?: string;
  /** The page that it leads to or shows; otherwise the page of the form is shown again, with what has just happened. */
  readonly next?: string | Page;
  readonly notice?: string;
}

/** Why a form is shown again as it was sent. */
interface Refusal {
  /** By default that fields are wrong. */
  readonly why?: string;
  readonly errors?: Visit<unknown>['errors'];
  /** 422 by default. */
  readonly status?: number;
}

/** What a button of a form does. */
export type Action<Subject> = (sent: Sent<Subject>) => Promise<Page | Response | Done | Refusal>;

interface SubjectPage<Subject> {
  /** What the query names: `null` if the account does not have it, `undefined` if it has yet to be created. */
  readonly find: (c: Context<AppEnv>, visitor: Visitor) => Promise<Subject | null>;
  readonly show: (visit: Visit<Subject>) => Page | Promise<Page>;
  /** What buttons do, by their values: those of the name `do`, and `save` for one without a name. */
  readonly actions?: Readonly<Record<string, Action<NonNullable<Subject>>>>;
  /** Sent instead of `actions` for something that has yet to be created. */
  readonly create?: Action<undefined>;
}

/** For pages about nothing but the account. */
export const findAccount = async (_: Context<AppEnv>, { account }: Visitor) => account;

/** The handlers of a page: 404 without its subject, and for a button that it lacks. A deletion must be confirmed. */
export function pageOf<Subject>({ find, show, actions = {}, create }: SubjectPage<Subject>) {
  const get: Handle = async (c, visitor) => {
    const subject = await find(c, visitor);
    return subject === null ? notFoundPage(visitor) : show({ c, visitor, subject });
  };
  const post: Handle = async (c, visitor) => {
    const subject = await find(c, visitor);
    if (subject === null) return notFoundPage(visitor);
    const fields = await readForm(c);
    const sent = { c, visitor, fields };
    const button = fields.get('do') ?? 'save';
    const run = async () => {
      if (button === 'delete' && !fields.has('sure')) return { why: visitor.texts.sureMissing };
      const action = Object.hasOwn(actions, button) ? actions[button] : undefined;
      return subject == null ? create?.({ ...sent, subject: undefined }) : action?.({ ...sent, subject });
    };
    const result = (await run()) ?? notFoundPage(visitor);
    if (result instanceof Response || 'title' in result) return result;
    if ('did' in result) await recordDone(c, visitor, result.did, result.with);
    if ('next' in result && result.next !== undefined) {
      return typeof result.next === 'string' ? c.redirect(result.next, 303) : result.next;
    }
    // It may have changed meanwhile.
    const shown = { c, visitor, subject: (await find(c, visitor)) ?? subject };
    if ('did' in result) return { ...(await show(shown)), notice: <Notice kind="good">{result.notice}</Notice> };
    const { why = visitor.texts.invalid, errors = {}, status = 422 } = result;
    const page = await show({ ...shown, typed: fields, errors });
    return { ...page, status, notice: why && <Notice kind={status === 200 ? 'info' : 'bad'}>{why}</Notice> };
  };
  return { get, post };
}
