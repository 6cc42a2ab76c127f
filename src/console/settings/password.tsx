import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { setStoredPassword } from '../../db/accounts/accounts.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateReaders } from '../../feed/manifest/manifest-cache.ts';
import { isReaderKey } from '../../feed/request/reader-key.ts';
import { hashPassword, passwordMatches } from '../../lib/secrets/secrets.ts';
import { Submit, TextField } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { readForm, recordDone } from '../guards.tsx';
import { signIn } from '../session/visitor.ts';
import { SETTINGS } from '../texts/texts.ts';
import { type Page, useTexts, type Visitor } from '../visit.ts';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 200;

export type PasswordErrors = Readonly<Partial<Record<'current' | 'password', string>>>;

/** Whether a text can be the password of somebody, or of an account. */
export function isPassword(text: string): boolean {
  const hasLength = text.length >= MIN_PASSWORD && text.length <= MAX_PASSWORD;
  return hasLength && !isReaderKey(text) && !/\p{Cc}/u.test(text);
}

/** A field for a password that is chosen. */
export function NewPassword({ error }: { readonly error: string | undefined }) {
  const texts = useTexts(SETTINGS);
  return (
    <TextField
      field={{ name: 'password', label: texts.newPassword, hint: texts.passwordHint, error }}
      type="password"
      required
      minlength={MIN_PASSWORD}
      autocomplete="new-password"
    />
  );
}

/** The account's password, to be changed. */
export async function showPassword(_: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  return passwordPage(visitor);
}

/** Changes the account's password, if the own one is right. All sessions by the old one end, except this one. */
export async function changePassword(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, person, language } = visitor;
  const texts = SETTINGS[language];
  const { current = '', password = '' } = Object.fromEntries(await readForm(c));
  const refuse = (errors: PasswordErrors) => ({ ...passwordPage(visitor, false, errors), status: 422 });
  if (!(await passwordMatches(current, person?.password ?? account.password))) {
    return refuse({ current: texts.passwordWrong });
  }
  if (!isPassword(password)) return refuse({ password: texts.passwordShort });
  const stored = await hashPassword(password);
  await setStoredPassword(c.env.DB, account.id, stored).finally(() => invalidateReaders(account.id));
  await recordDone(c, visitor, 'account.password');
  const changed = { ...visitor, account: { ...account, password: stored } };
  if (person === null) signIn(c, changed);
  return passwordPage(changed, <Notice kind="good">{texts.passwordSaved}</Notice>);
}

function passwordPage(visitor: Visitor, notice: Child = false, errors: PasswordErrors = {}): Page {
  const texts = SETTINGS[visitor.language];
  return {
    title: texts.agency,
    lead: texts.agencyUse,
    crumbs: [[texts.title, '/settings']],
    notice,
    content: (
      <Card title={texts.change}>
        <form method="post" action="/settings/password" class="stack close">
          <Notice kind="warn">{texts.agencyChange}</Notice>
          <TextField
            field={{
              ...{ name: 'current', error: errors.current },
              label: visitor.person === null ? texts.currentPassword : texts.ownPassword,
            }}
            type="password"
            required
            autocomplete="current-password"
          />
          <NewPassword error={errors.password} />
          <Submit>{texts.change}</Submit>
        </form>
      </Card>
    ),
  };
}
