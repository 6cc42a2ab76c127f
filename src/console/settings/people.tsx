import type { Context } from 'hono';
import { raw } from 'hono/utils/html';
import { renderSVG } from 'uqr';
import { updateAccount } from '../../accounts/accounts.ts';
import { recordActivity } from '../../accounts/activity.ts';
import { environmentFor, writableEnvironmentFor } from '../../accounts/environments.ts';
import * as people from '../../accounts/people.ts';
import type { AppEnv } from '../../env.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import { isReaderKey } from '../../feed/request/credentials.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import { hashPassword, passwordMatches, sha256Hex } from '../../lib/secrets/secrets.ts';
import { newTotpSecret, totpStep, totpUri } from '../../lib/secrets/totp.ts';
import { checkLimited, checkLimitedByAddress, LIMIT_PERIOD_SECONDS } from '../../rate-limits.ts';
import { formatDay } from '../format.ts';
import { ButtonForm, CellInput, Choice, Fields, FormCard, Hidden } from '../frame/form.tsx';
import { Button, Chip, Notice, TableCard } from '../frame/parts.tsx';
import {
  type Action,
  failurePage,
  guestOf,
  ownAccount,
  pageOf,
  readForm,
  respond,
  type Sent,
  type Visit,
} from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { totpContext } from '../session/handle.tsx';
import { findSubject, signIn, subjectOf } from '../session/session.ts';
import { type AllTexts, TEXTS } from '../texts/texts.ts';
import { type Page, useVisit, withTexts } from '../visit.ts';

/** Who has their own sign-in, with what an owner can change. */
export function People({ people }: { readonly people: readonly people.Person[] }) {
  const { isOwner, texts, common, language, now } = useVisit('settings');
  const stateOf = ({ password, invitationExpiresAt: until }: people.Person) => {
    if (password !== null) return <Chip tone="good">{texts.active}</Chip>;
    return until !== null && until > now
      ? texts.invitedUntil({ day: formatDay(until, now, language) })
      : texts.expired;
  };
  return (
    <TableCard
      title={texts.people}
      none={{ icon: 'info', text: texts.noPeople, why: texts.noPeopleWhy }}
      columns={[[texts.name], [texts.role], [texts.state], ['']]}
      rows={people.map((person) => [
        <b>{person.name}</b>,
        common.roles[person.role],
        stateOf(person),
        isOwner && (
          <>
            <ButtonForm buttons={[['role', texts.change]]}>
              <Hidden values={{ person: String(person.id), was: person.role }} />
              <CellInput
                name="role"
                label={`${texts.role}, ${person.name}`}
                value={person.role}
                options={Object.entries(common.roles)}
              />
            </ButtonForm>
            <ButtonForm buttons={[['delete', texts.remove, 'danger']]}>
              <Hidden values={{ person: String(person.id) }} />
              <Choice name="sure" checked={false} required text={common.sure} />
            </ButtonForm>
          </>
        ),
      ])}
    />
  );
}

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 200;

/** Whether a text can be the password of a person or an account. */
function isPassword(text: string): boolean {
  const hasLength = text.length >= MIN_PASSWORD && text.length <= MAX_PASSWORD;
  return hasLength && !isReaderKey(text) && !/\p{Cc}/u.test(text);
}

/** A field for a password that is chosen, and one for the present one. */
const NEW = {
  type: 'password',
  required: true,
  minlength: MIN_PASSWORD,
  autocomplete: 'new-password',
} as const;
const CURRENT = { type: 'password', required: true, autocomplete: 'current-password' } as const;

function labelsOf(texts: AllTexts['settings']) {
  return { ...texts, password: texts.newPassword, current: texts.currentPassword };
}

/** An invitation: whoever has its link chooses a password, and is led to the form to sign in. */
export async function invitation(c: Context<AppEnv>): Promise<Response> {
  const guest = guestOf(c);
  const texts = TEXTS[guest.language].settings;
  const sent = c.req.method === 'POST' ? await readForm(c) : null;
  const { account = '', token = '' } = c.req.query();
  const lookUp = sent === null ? environmentFor : writableEnvironmentFor;
  const digest = sha256Hex(token);
  const content = <p>{texts.invitationGoneWhy}</p>;
  const gone = () => respond(guest, { title: texts.invitationGone, status: 410, content });
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => {
    const { DB } = await lookUp(c.env, { kind: 'account', name: account }, 0);
    const invited = await people.findInvited(DB, digest);
    return invited === null
      ? ({ kind: 'denied' } as const)
      : ({ kind: 'invited', DB, invited } as const);
  });
  if (verdict.kind === 'denied') return gone();
  if (verdict.kind === 'too many attempts')
    return failurePage(c, 429, TEXTS[guest.language].session.limited, {
      'Retry-After': String(LIMIT_PERIOD_SECONDS),
    });
  const { DB } = verdict;
  const { name, accountId } = verdict.invited;
  const password = sent?.get('password') ?? '';
  if (isPassword(password)) {
    if (!(await people.acceptInvitation(DB, digest, await hashPassword(password)))) return gone();
    await recordActivity(DB, accountId, { person: name, action: 'person.joined', subject: '' });
    return c.redirect(withQuery('/', { account, name }), 303);
  }
  return respond(guest, {
    title: texts.choosePassword({ name }),
    status: sent === null ? 200 : 422,
    content: (
      <form method="post" class="stack close">
        <Fields
          fields={{ password: NEW }}
          texts={labelsOf(texts)}
          errors={{ password: sent === null ? undefined : texts.passwordShort }}
        />
        <Button kind="primary" text={texts.choose} />
      </form>
    ),
  });
}

type Changed =
  | { readonly did: string; readonly notice: string }
  | { readonly errors: Record<string, string> };

/** An action that needs the current password, limited like signing in. This session goes on, also with another password. */
function confirmed<Subject>(
  change: (sent: Sent<Subject>, texts: AllTexts['settings']) => Promise<Changed>,
): Action<Subject> {
  return async (sent) => {
    const { fields, visitor } = sent;
    const { c, account, person, texts } = withTexts(visitor, 'settings');
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
    const { limited } = TEXTS[visitor.language].session;
    if (kind !== 'right')
      return { errors: { current: kind === 'denied' ? texts.passwordWrong : limited } };
    const changed = await change(sent, texts);
    const who =
      'did' in changed && (await findSubject(visitor.db, account.code, subjectOf(visitor)));
    if (who) await signIn(c, who);
    return changed;
  };
}

/** The account's password. With another one, all sessions by the old one end, except this one. */
export const agencyPassword = pageOf({
  find: ownAccount,
  show: ({ visitor }) => {
    const { person, texts } = withTexts(visitor, 'settings');
    return {
      title: texts.agency,
      lead: texts.agencyUse,
      content: (
        <FormCard
          title={texts.change}
          submit={texts.change}
          fields={{ current: CURRENT, password: NEW }}
          texts={{ ...labelsOf(texts), ...(person !== null && { current: texts.ownPassword }) }}
        >
          <Notice kind="warn">{texts.agencyChange}</Notice>
        </FormCard>
      ),
    };
  },
  actions: {
    save: confirmed(
      async ({ visitor, subject: { id }, fields }, { passwordShort, passwordSaved }) => {
        const password = fields.get('password') ?? '';
        if (!isPassword(password)) return { errors: { password: passwordShort } };
        const stored = await hashPassword(password);
        await updateAccount(visitor.db, id, { password: stored }).finally(() =>
          invalidateReaders(id),
        );
        return { did: 'account.password', notice: passwordSaved };
      },
    ),
  },
});

/**
 * Password and second factor of whoever has signed in. A change of either ends all other sessions.
 */
export const ownSignIn = pageOf({
  find: async ({ db, person }) => person && people.findPerson(db, person.accountId, person.id),
  show: ownPage,
  actions: {
    password: confirmed(
      async ({ visitor, subject: { accountId, id }, fields }, { passwordShort, passwordSaved }) => {
        const password = fields.get('password') ?? '';
        if (!isPassword(password)) return { errors: { password: passwordShort } };
        await people.setPersonPassword(visitor.db, accountId, id, await hashPassword(password));
        return { did: 'person.password', notice: passwordSaved };
      },
    ),
    on: confirmed(async ({ visitor, subject, fields }, { codeWrong, secondFactorOn }) => {
      const { secret = '', code = '' } = Object.fromEntries(fields);
      const step = /^[A-Z2-7]{32}$/.test(secret) ? totpStep(secret, code, visitor.now) : null;
      if (step === null) return { errors: { code: codeWrong } };
      const sealed = await seal(secret, visitor.c.env.SEALING_KEY, totpContext(subject));
      await people.setTotp(visitor.db, subject.accountId, subject.id, sealed, step);
      return { did: 'person.second_factor', notice: secondFactorOn };
    }),
    off: confirmed(async ({ visitor, subject: { accountId, id } }, { secondFactorOff }) => {
      await people.setTotp(visitor.db, accountId, id, null);
      return { did: 'person.second_factor', notice: secondFactorOff };
    }),
  },
});

function ownPage({ visitor, subject: person }: Visit<people.Person>): Page {
  const { c, account, texts } = withTexts(visitor, 'settings');
  const isOn = person.totpSecret !== null;
  // The secret of a second factor that is not yet turned on.
  const secret = c.var.refused?.typed.get('secret') ?? newTotpSecret();
  const code = { required: true, inputmode: 'numeric', autocomplete: 'one-time-code' } as const;
  const labels = labelsOf(texts);
  return {
    title: texts.yourSignIn,
    lead: person.name,
    content: [
      <FormCard
        texts={labels}
        title={texts.password}
        does="password"
        submit={texts.change}
        fields={{ current: CURRENT, password: NEW }}
      />,
      <FormCard
        texts={labels}
        title={texts.secondFactor}
        kind={isOn ? 'danger' : 'primary'}
        does={isOn ? 'off' : 'on'}
        submit={isOn ? texts.turnOff : texts.confirm}
        fields={{ code: isOn ? undefined : code, current: { ...CURRENT, id: 'confirmed-by' } }}
      >
        <p>{isOn ? texts.secondFactorOn : texts.secondFactorOff}</p>
        {!isOn && (
          <>
            <p class="muted">{texts.turnOn}</p>
            <div class="qr">
              {raw(renderSVG(totpUri(secret, 'Lindero', `${account.code} ${person.name}`)))}
            </div>
            <code>{secret}</code>
            <Hidden values={{ secret }} />
          </>
        )}
      </FormCard>,
    ],
  };
}
