import { recordActivity } from '../accounts/activity.ts';
import type { Detail } from '../db/schema.ts';
import { log } from '../lib/log.ts';
import { sha256Hex } from '../lib/secrets/secrets.ts';
import { type Flash, leaveFlash } from './flash.tsx';
import { Notice } from './frame/parts.tsx';
import { type Handle, notFoundPage, readForm } from './pages.tsx';
import type { FormState, Page, Visitor } from './visit.ts';

/** What a form has done. */
export interface Done {
  /** The path of the page that is shown next. */
  readonly next: string;
  /** What that page says. */
  readonly flash?: Flash;
  /** What it is called in the log of the settings; absent for changes of units, which have their own history. */
  readonly did?: string;
  /** What it was done with, as people call it. */
  readonly with?: string;
  /** What was changed of it; of settings, by default, how they differ from those before. */
  readonly details?: readonly Detail[];
}

/** Why nothing was done: the page is shown again with what was typed. */
export interface Refusal {
  /** What is said first; by default, that fields are wrong. */
  readonly why?: string;
  /** By the names of fields. */
  readonly errors?: Readonly<Record<string, string>>;
  /** 422 by default. */
  readonly status?: number;
}

/** What a button of a form does; a page asks before something is done, and `null` is a 404. */
export type Action<Subject> = (
  visitor: Visitor,
  subject: Subject,
  fields: URLSearchParams,
) => Promise<Done | Refusal | Page | null>;

type Settings = Readonly<Record<string, unknown>>;

interface PageDefinition<Subject> {
  /** What the query names: `null` if the account does not have it, `undefined` if it has yet to be created. */
  readonly find: (visitor: Visitor) => Promise<Subject | null>;
  /** The settings that a form shows and saves, by name: it is refused if others have been stored since, and the log shows both. */
  readonly settings?: (subject: NonNullable<Subject>) => Settings;
  readonly show: (visitor: Visitor, subject: Subject, form: FormState) => Page | Promise<Page>;
  /** What buttons do, by the value of a button named `do`; `save` is for a button without a name. */
  readonly actions?: Readonly<Record<string, Action<NonNullable<Subject>>>>;
  /** Sent instead of `actions` for something that has yet to be created. */
  readonly create?: Action<undefined>;
}

/** The handlers of a page, for the table of routes. */
export interface PageHandlers {
  readonly get: Handle;
  readonly post: Handle;
}

/** For pages about nothing but the account. */
export const ownAccount = async ({ account }: Visitor) => account;

/** What cannot be undone: its form has a box to tick. */
const NEEDS_CONFIRMATION = ['delete', 'rotate'];

/**
 * The handlers of a page with forms. A GET finds the subject and shows it. A POST finds it, runs the action of its button, and
 * redirects to the page that follows, so that loading that page again repeats nothing. A form that was refused has changed
 * nothing: the page is shown again, with what was typed. Both are a 404 without the subject.
 */
export function definePage<Subject>(definition: PageDefinition<Subject>): PageHandlers {
  const { find, settings, show, actions = {}, create } = definition;
  const versionOf = (subject: Subject) =>
    subject != null && settings ? sha256Hex(JSON.stringify(settings(subject))) : undefined;

  /** How the settings differ from those before an action. */
  const changedSettings = async (visitor: Visitor, before: Subject): Promise<readonly Detail[]> => {
    const after = settings && before != null ? await find(visitor) : null;
    return after == null ? [] : changesOf(settings!(before!), settings!(after));
  };

  const get: Handle = async (visitor) => {
    const subject = await find(visitor);
    if (subject === null) return notFoundPage(visitor);
    return show(visitor, subject, { errors: {}, version: versionOf(subject) });
  };

  const post: Handle = async (visitor) => {
    const { c, common } = visitor;
    const subject = await find(visitor);
    if (subject === null) return notFoundPage(visitor);
    const fields = await readForm(c);
    const button = fields.get('do') ?? 'save';
    const run = async () => {
      if (NEEDS_CONFIRMATION.includes(button) && !fields.has('sure'))
        return { why: common.sureMissing };
      const version = versionOf(subject);
      if (version !== undefined && (fields.get('version') ?? version) !== version)
        return { why: common.conflict, status: 412 };
      if (subject == null) return create?.(visitor, undefined, fields);
      return Object.hasOwn(actions, button) ? actions[button]!(visitor, subject, fields) : null;
    };
    const result = await run();
    if (result == null) return notFoundPage(visitor);
    if ('title' in result) return result;
    if ('next' in result) {
      if (result.did !== undefined) {
        const details = result.details ?? (await changedSettings(visitor, subject));
        await recordDone(visitor, { ...result, details });
      }
      if (result.flash !== undefined) await leaveFlash(visitor, result.next, result.flash);
      return c.redirect(result.next, 303);
    }
    const { why = common.invalid, errors = {}, status = 422 } = result;
    // Somebody else may have changed it in the meantime.
    const now = (await find(visitor)) ?? subject;
    const page = await show(visitor, now, { typed: fields, errors, version: versionOf(now) });
    return { ...page, status, notice: why && <Notice kind="bad">{why}</Notice> };
  };

  return { get, post };
}

/** How settings differ, for the log; what is neither a text, a number, a switch nor a list is left out. */
export function changesOf(before: Settings, after: Settings): Detail[] {
  return Object.keys({ ...before, ...after }).flatMap((name): Detail[] => {
    const [from = null, to = null] = [before[name], after[name]].map(settingText);
    return from === to ? [] : [[name, from, to]];
  });
}

function settingText(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(', ') || null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) || null : null;
}

/** Records what somebody did; a failure to record it does not undo what was done. */
export async function recordDone(
  visitor: Visitor,
  { did = '', with: subject = '', details }: Pick<Done, 'did' | 'with' | 'details'>,
): Promise<void> {
  const person = visitor.person?.name ?? '';
  const { c, db, account } = visitor;
  const entry = { person, action: did, subject, ...(details && { details }) };
  const recording = recordActivity(db, account.id, entry);
  await recording.catch((error: Error) =>
    log('error', 'activity.failed', { requestId: c.var.requestId, error: error.message }),
  );
}
