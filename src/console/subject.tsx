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
}

/** The same with the form that was sent. */
export interface Sent<Subject> extends Visit<Subject> {
  readonly fields: URLSearchParams;
}

/** What a form has done, which is recorded, and the page that it leads to or shows. */
interface Done {
  /** An action of the texts of the settings. */
  readonly did: string;
  /** What it was done with, as people call it. */
  readonly with?: string;
  readonly next: string | Page;
}

/** What a button of a form does. */
export type Action<Subject> = (sent: Sent<Subject>) => Promise<Page | Response | Done>;

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
    const button = fields.get('do') ?? 'save';
    if (button === 'delete' && !fields.has('sure')) {
      return refused(await show({ c, visitor, subject }), visitor.texts.sureMissing);
    }
    const action = Object.hasOwn(actions, button) ? actions[button] : undefined;
    const sent = { c, visitor, fields };
    const doing = subject == null ? create?.({ ...sent, subject: undefined }) : action?.({ ...sent, subject });
    const result = (await doing) ?? notFoundPage(visitor);
    if (!('did' in result)) return result;
    await recordDone(c, visitor, result.did, result.with);
    return typeof result.next === 'string' ? c.redirect(result.next, 303) : result.next;
  };
  return { get, post };
}

/** A page that says why a form was not accepted. */
export function refused(page: Page, why: string, status = 422): Page {
  return { ...page, status, notice: <Notice kind="bad">{why}</Notice> };
}
