import { isReaderKey } from '../../feed/request/credentials.ts';
import { hashPassword, passwordMatches } from '../../lib/secrets/secrets.ts';
import { checkLimited } from '../../rate-limits.ts';
import type { Action, Done, Refusal } from '../define-page.tsx';
import type { Flash } from '../flash.tsx';
import { findSubject, signIn, subjectOf } from '../session/session.ts';
import { type AllTexts, textsOf } from '../texts/texts.ts';
import type { Visitor } from '../visit.ts';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 200;

/** Whether a text can be the password of a person or an account. */
export function isPassword(text: string): boolean {
  const hasLength = text.length >= MIN_PASSWORD && text.length <= MAX_PASSWORD;
  return hasLength && !isReaderKey(text) && !/\p{Cc}/u.test(text);
}

/** A field for a password that is chosen, and one for the present one. */
export const NEW = {
  type: 'password',
  required: true,
  minlength: MIN_PASSWORD,
  autocomplete: 'new-password',
} as const;
export const CURRENT = {
  type: 'password',
  required: true,
  autocomplete: 'current-password',
} as const;

/** What these fields are called. */
export function passwordLabels(texts: AllTexts['settings']) {
  return { ...texts, password: texts.newPassword, current: texts.currentPassword };
}

type Change<Subject> = (
  visitor: Visitor,
  subject: Subject,
  fields: URLSearchParams,
) => Promise<Done | Refusal>;

/** An action that needs the current password, limited like signing in. This session goes on, also with another password. */
export function confirmed<Subject>(change: Change<Subject>): Action<Subject> {
  return async (visitor, subject, fields) => {
    const { c, db, account, person } = visitor;
    const stored = person?.password ?? account.password;
    const attempt = {
      env: c.env,
      request: c.req.raw,
      subject: `current:${account.code}:${subjectOf(visitor)}`,
    };
    const { kind } = await checkLimited(attempt, async () => {
      const isRight = await passwordMatches(fields.get('current') ?? '', stored);
      return { kind: isRight ? 'right' : 'denied' };
    });
    if (kind !== 'right') {
      const { passwordWrong } = textsOf(visitor, 'settings');
      const { limited } = textsOf(visitor, 'session');
      return { errors: { current: kind === 'denied' ? passwordWrong : limited } };
    }
    const changed = await change(visitor, subject, fields);
    const who = 'next' in changed && (await findSubject(db, account.code, subjectOf(visitor)));
    if (who) await signIn(c, db, who, visitor.session);
    return changed;
  };
}

/** The new password in a form, as it is stored; `null` if it cannot be one. */
export async function storedPassword(fields: URLSearchParams): Promise<string | null> {
  const password = fields.get('password') ?? '';
  return isPassword(password) ? hashPassword(password) : null;
}

/** Says that there is another password. */
export const PASSWORD_SAVED: Flash = { messages: [{ code: 'passwordSaved' }] };
