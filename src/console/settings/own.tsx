import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { raw } from 'hono/utils/html';
import { renderSVG } from 'uqr';
import { findPerson, type Person, setPersonPassword, setTotp } from '../../db/accounts/people.ts';
import type { AppEnv } from '../../env.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import { hashPassword, passwordMatches } from '../../lib/secrets/secrets.ts';
import { newTotpSecret, totpStep, totpUri } from '../../lib/secrets/totp.ts';
import { Hidden, Submit, TextField } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import { notFoundPage, readForm, recordDone } from '../guards.tsx';
import { totpContext } from '../session/check.ts';
import { signIn } from '../session/visitor.ts';
import { SETTINGS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { isPassword, NewPassword } from './password.tsx';

type Errors = Readonly<Partial<Record<'current' | 'password' | 'code', string>>>;

/** Password and second factor of whoever has signed in. */
export async function showOwn(_: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  return visitor.person === null ? notFoundPage(visitor) : ownPage(visitor, visitor.person, newTotpSecret());
}

/** Changes one of them. Another password ends all other sessions. */
export async function changeOwn(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { person, account, language, now } = visitor;
  if (person === null || person.password === null) return notFoundPage(visitor);
  const texts = SETTINGS[language];
  const { DB, SEALING_KEY = '' } = c.env;
  const fields = await readForm(c);
  const { current = '', password = '', secret = newTotpSecret(), code = '' } = Object.fromEntries(fields);
  const refuse = (errors: Errors) => ({ ...ownPage(visitor, person, secret, undefined, errors), status: 422 });
  if (!(await passwordMatches(current, person.password))) return refuse({ current: texts.passwordWrong });
  switch (fields.get('do')) {
    case 'password':
      if (!isPassword(password)) return refuse({ password: texts.passwordShort });
      await setPersonPassword(DB, account.id, person.id, await hashPassword(password));
      await recordDone(c, visitor, 'person.password');
      break;
    case 'on': {
      if (!/^[A-Z2-7]{32}$/.test(secret) || totpStep(secret, code, now) === null)
        return refuse({ code: texts.codeWrong });
      const sealed = await seal(secret, SEALING_KEY, totpContext(person));
      await setTotp(DB, account.id, person.id, sealed);
      await recordDone(c, visitor, 'person.second_factor');
      break;
    }
    case 'off':
      await setTotp(DB, account.id, person.id, null);
      await recordDone(c, visitor, 'person.second_factor');
  }
  const changed = (await findPerson(DB, account.id, person.id)) ?? person;
  signIn(c, { ...visitor, person: changed });
  const saved = fields.get('do') === 'password' && <Notice kind="good">{texts.passwordSaved}</Notice>;
  return ownPage(visitor, changed, newTotpSecret(), saved);
}

/** @param secret of a second factor that is not yet turned on */
function ownPage(visitor: Visitor, person: Person, secret: string, notice?: Child, errors: Errors = {}): Page {
  const texts = SETTINGS[visitor.language];
  const isOn = person.totpSecret !== null;
  const Current = ({ error }: { readonly error?: string | undefined }) => (
    <TextField
      field={{ name: 'current', label: texts.currentPassword, error }}
      type="password"
      required
      autocomplete="current-password"
    />
  );
  return {
    title: texts.yourSignIn,
    lead: person.name,
    crumbs: [[texts.title, '/settings']],
    notice,
    content: (
      <div class="stack">
        <Card title={texts.password}>
          <form method="post" action="/settings/sign-in" class="stack close">
            <Current error={errors.current} />
            <NewPassword error={errors.password} />
            <Submit name="do" value="password">
              {texts.change}
            </Submit>
          </form>
        </Card>
        <Card title={texts.secondFactor}>
          <form method="post" action="/settings/sign-in" class="stack close">
            <p>{isOn ? texts.secondFactorOn : texts.secondFactorOff}</p>
            {!isOn && (
              <>
                <p class="muted">{texts.turnOn}</p>
                <div class="qr">
                  {raw(renderSVG(totpUri(secret, 'Lindero', `${visitor.account.code} ${person.name}`)))}
                </div>
                <code>{secret}</code>
                <Hidden values={{ secret }} />
                <TextField
                  field={{ name: 'code', label: texts.code, error: errors.code }}
                  required
                  inputmode="numeric"
                  autocomplete="one-time-code"
                />
              </>
            )}
            <Current />
            <Submit kind={isOn ? 'danger' : 'primary'} name="do" value={isOn ? 'off' : 'on'}>
              {isOn ? texts.turnOff : texts.confirm}
            </Submit>
          </form>
        </Card>
      </div>
    ),
  };
}
