import type { Child } from 'hono/jsx';
import { raw } from 'hono/utils/html';
import { renderSVG } from 'uqr';
import { setStoredPassword } from '../../db/accounts/accounts.ts';
import { findPerson, type Person, setPersonPassword, setTotp } from '../../db/accounts/people.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import { isReaderKey } from '../../feed/request/credentials.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import { hashPassword, passwordMatches } from '../../lib/secrets/secrets.ts';
import { newTotpSecret, totpStep, totpUri } from '../../lib/secrets/totp.ts';
import { FormCard } from '../frame/fields.tsx';
import { Hidden } from '../frame/form.tsx';
import { Notice } from '../frame/parts.tsx';
import { totpContext } from '../session/check.ts';
import { signIn } from '../session/visitor.ts';
import { findAccount, pageOf, type Sent } from '../subject.tsx';
import { SETTINGS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 200;

type Errors = Readonly<Partial<Record<'current' | 'password' | 'code', string>>>;

/** Whether a text can be the password of somebody, or of an account. */
export function isPassword(text: string): boolean {
  const hasLength = text.length >= MIN_PASSWORD && text.length <= MAX_PASSWORD;
  return hasLength && !isReaderKey(text) && !/\p{Cc}/u.test(text);
}

/** A field for a password that is chosen, and one for the present one. */
export const NEW_PASSWORD = {
  type: 'password',
  required: true,
  minlength: MIN_PASSWORD,
  autocomplete: 'new-password',
} as const;
const CURRENT = { type: 'password', required: true, autocomplete: 'current-password' } as const;

function labelsOf(texts: (typeof SETTINGS)['en']) {
  return { ...texts, password: texts.newPassword, current: texts.currentPassword };
}

/** The account's password. With another one, all sessions by the old one end, except this one. */
export const agencyPassword = pageOf({
  find: findAccount,
  show: ({ visitor }) => agencyPage(visitor),
  actions: {
    save: async ({ c, visitor, fields }) => {
      const { account, person, language } = visitor;
      const texts = SETTINGS[language];
      const { current = '', password = '' } = Object.fromEntries(fields);
      if (!(await passwordMatches(current, person?.password ?? account.password))) {
        return agencyPage(visitor, { current: texts.passwordWrong });
      }
      if (!isPassword(password)) return agencyPage(visitor, { password: texts.passwordShort });
      const stored = await hashPassword(password);
      await setStoredPassword(c.env.DB, account.id, stored).finally(() => invalidateReaders(account.id));
      const changed = { ...visitor, account: { ...account, password: stored } };
      if (person === null) await signIn(c, changed);
      const notice = <Notice kind="good">{texts.passwordSaved}</Notice>;
      return { did: 'account.password', next: { ...agencyPage(changed), notice } };
    },
  },
});

function agencyPage({ person, language }: Visitor, errors?: Errors): Page {
  const texts = SETTINGS[language];
  return {
    title: texts.agency,
    lead: texts.agencyUse,
    status: errors === undefined ? 200 : 422,
    content: (
      <FormCard
        title={texts.change}
        action="/settings/password"
        submit={texts.change}
        fields={{ current: CURRENT, password: NEW_PASSWORD }}
        texts={{ ...labelsOf(texts), ...(person !== null && { current: texts.ownPassword }) }}
        errors={errors}
      >
        <Notice kind="warn">{texts.agencyChange}</Notice>
      </FormCard>
    ),
  };
}

/** Password and second factor of whoever has signed in. Another password ends all other sessions. */
export const ownSignIn = pageOf({
  find: async (_, { person }) => person,
  show: ({ visitor, subject }) => ownPage(visitor, subject, newTotpSecret()),
  actions: {
    password: changing(async ({ c, subject: { accountId, id }, fields }, { passwordShort, passwordSaved }) => {
      const password = fields.get('password') ?? '';
      if (!isPassword(password)) return { password: passwordShort };
      await setPersonPassword(c.env.DB, accountId, id, await hashPassword(password));
      return { did: 'person.password', notice: <Notice kind="good">{passwordSaved}</Notice> };
    }),
    on: changing(async ({ c, visitor, subject, fields }, { codeWrong }) => {
      const { secret = '', code = '' } = Object.fromEntries(fields);
      if (!/^[A-Z2-7]{32}$/.test(secret) || totpStep(secret, code, visitor.now) === null) return { code: codeWrong };
      const sealed = await seal(secret, c.env.SEALING_KEY ?? '', totpContext(subject));
      await setTotp(c.env.DB, subject.accountId, subject.id, sealed);
      return { did: 'person.second_factor' };
    }),
    off: changing(async ({ c, subject: { accountId, id } }) => {
      await setTotp(c.env.DB, accountId, id, null);
      return { did: 'person.second_factor' };
    }),
  },
});

type Changed = { readonly did: string; readonly notice?: Child } | (Errors & { readonly did?: never });

/** An action that needs the current password, and replaces this session with a new one. */
function changing(change: (sent: Sent<Person>, texts: (typeof SETTINGS)['en']) => Promise<Changed>) {
  return async (sent: Sent<Person>) => {
    const { c, visitor, subject, fields } = sent;
    const texts = SETTINGS[visitor.language];
    const isRight = await passwordMatches(fields.get('current') ?? '', subject.password!);
    const changed = isRight ? await change(sent, texts) : { current: texts.passwordWrong };
    if (changed.did === undefined) return ownPage(visitor, subject, fields.get('secret') ?? newTotpSecret(), changed);
    const person = (await findPerson(c.env.DB, subject.accountId, subject.id)) ?? subject;
    await signIn(c, { ...visitor, person });
    const { did, notice } = changed;
    return { did, next: { ...ownPage(visitor, person, newTotpSecret()), notice } };
  };
}

/** @param secret of a second factor that is not yet turned on */
function ownPage({ language, account }: Visitor, person: Person, secret: string, errors?: Errors): Page {
  const texts = SETTINGS[language];
  const isOn = person.totpSecret !== null;
  const code = { required: true, inputmode: 'numeric', autocomplete: 'one-time-code' } as const;
  const form = { action: '/settings/sign-in', texts: labelsOf(texts), errors };
  return {
    title: texts.yourSignIn,
    lead: person.name,
    status: errors === undefined ? 200 : 422,
    content: (
      <div class="stack">
        <FormCard
          {...form}
          title={texts.password}
          does="password"
          submit={texts.change}
          fields={{ current: CURRENT, password: NEW_PASSWORD }}
        />
        <FormCard
          {...form}
          title={texts.secondFactor}
          kind={isOn ? 'danger' : 'primary'}
          does={isOn ? 'off' : 'on'}
          submit={isOn ? texts.turnOff : texts.confirm}
          fields={{ code: isOn ? undefined : code, current: CURRENT }}
        >
          <p>{isOn ? texts.secondFactorOn : texts.secondFactorOff}</p>
          {!isOn && (
            <>
              <p class="muted">{texts.turnOn}</p>
              <div class="qr">{raw(renderSVG(totpUri(secret, 'Lindero', `${account.code} ${person.name}`)))}</div>
              <code>{secret}</code>
              <Hidden values={{ secret }} />
            </>
          )}
        </FormCard>
      </div>
    ),
  };
}
