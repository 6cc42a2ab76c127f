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
import { newRecoveryCodes, recoveryDigest } from '../../lib/secrets/recovery-codes.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import { hashPassword, passwordMatches, sha256Hex } from '../../lib/secrets/secrets.ts';
import { newTotpSecret, totpStep, totpUri } from '../../lib/secrets/totp.ts';
import { checkLimited, checkLimitedByAddress, retryAfter } from '../../rate-limits.ts';
import { type Action, type Done, definePage, ownAccount, type Refusal } from '../define-page.tsx';
import type { Flash } from '../flash.tsx';
import { formatDay } from '../format.ts';
import { ButtonForm, CellInput, Fields, FormCard, Hidden, Sure } from '../frame/form.tsx';
import { Button, Chip, Notice, TableCard } from '../frame/parts.tsx';
import { SecretCard } from '../once/card.tsx';
import { type InvitationLink, type RecoveryCodes, showOnce } from '../once/once.ts';
import { failurePage, guestOf, readForm, respond } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { totpContext } from '../session/handle.tsx';
import { findSubject, signIn, subjectOf } from '../session/session.ts';
import { type AllTexts, textsOf } from '../texts/texts.ts';
import { type FormState, type Page, UNSENT, useTexts, useVisitor, type Visitor } from '../visit.ts';

/** Who has their own sign-in, with what an owner can change. */
export function People({ people }: { readonly people: readonly people.Person[] }) {
  const visitor = useVisitor();
  const { isOwner, common, now } = visitor;
  const texts = useTexts('settings');
  const stateOf = ({ password, invitationExpiresAt: until }: people.Person) => {
    if (password !== null) return <Chip tone="good">{texts.active}</Chip>;
    return until !== null && until > now
      ? texts.invitedUntil({ day: formatDay(until, visitor) })
      : texts.expired;
  };
  return (
    <TableCard
      title={texts.people}
      none={{ icon: 'info', text: texts.noPeople, why: texts.noPeopleWhy }}
      columns={[texts.name, texts.role, texts.state, '']}
      rows={people.map((person) => [
        <b>{person.name}</b>,
        common.roles[person.role],
        stateOf(person),
        isOwner && (
          <>
            <ButtonForm buttons={[{ does: 'role', text: texts.change }]}>
              <Hidden values={{ person: String(person.id), was: person.role }} />
              <CellInput
                name="role"
                label={`${texts.role}, ${person.name}`}
                value={person.role}
                options={Object.entries(common.roles)}
              />
            </ButtonForm>
            <ButtonForm buttons={[{ does: 'delete', text: texts.remove, kind: 'danger' }]}>
              <Hidden values={{ person: String(person.id) }} />
              <Sure />
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
  const texts = textsOf(guest, 'settings');
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
    return failurePage(c, 429, textsOf(guest, 'session').limited, {
      'Retry-After': String(retryAfter(c.req.raw)),
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
          form={sent === null ? UNSENT : { errors: { password: texts.passwordShort } }}
          fields={{ password: NEW }}
          texts={labelsOf(texts)}
        />
        <Button kind="primary" text={texts.choose} />
      </form>
    ),
  });
}

type Change<Subject> = (
  visitor: Visitor,
  subject: Subject,
  fields: URLSearchParams,
) => Promise<Done | Refusal>;

/** An action that needs the current password, limited like signing in. This session goes on, also with another password. */
function confirmed<Subject>(change: Change<Subject>): Action<Subject> {
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
    if (who) await signIn(c, who, visitor.session);
    return changed;
  };
}

/** The new password in a form, as it is stored; `null` if it cannot be one. */
async function newPasswordIn(fields: URLSearchParams): Promise<string | null> {
  const password = fields.get('password') ?? '';
  return isPassword(password) ? hashPassword(password) : null;
}

const PASSWORD_SAVED: Flash = { messages: [{ code: 'passwordSaved' }] };

/** The account's password. With another one, all sessions by the old one end, except this one. */
export const agencyPassword = definePage({
  find: ownAccount,
  show: (visitor, _account, form) => {
    const texts = textsOf(visitor, 'settings');
    const labels = labelsOf(texts);
    return {
      title: texts.agency,
      lead: texts.agencyUse,
      content: (
        <FormCard
          form={form}
          title={texts.change}
          submit={texts.change}
          fields={{ current: CURRENT, password: NEW }}
          texts={visitor.person === null ? labels : { ...labels, current: texts.ownPassword }}
        >
          <Notice kind="warn">{texts.agencyChange}</Notice>
        </FormCard>
      ),
    };
  },
  actions: {
    save: confirmed(async (visitor, { id }, fields) => {
      const password = await newPasswordIn(fields);
      if (password === null)
        return { errors: { password: textsOf(visitor, 'settings').passwordShort } };
      await updateAccount(visitor.db, id, { password }).finally(() => invalidateReaders(id));
      return { did: 'account.password', next: '/settings/password', flash: PASSWORD_SAVED };
    }),
  },
});

const OWN_PATH = '/settings/sign-in';

/**
 * Password and second factor of whoever has signed in. A change of either ends all other sessions.
 */
export const ownSignIn = definePage({
  find: async ({ db, person }) => person && people.findPerson(db, person.accountId, person.id),
  show: ownPage,
  actions: {
    password: confirmed(async (visitor, { accountId, id }, fields) => {
      const password = await newPasswordIn(fields);
      if (password === null)
        return { errors: { password: textsOf(visitor, 'settings').passwordShort } };
      await people.setPersonPassword(visitor.db, accountId, id, password);
      return { did: 'person.password', next: OWN_PATH, flash: PASSWORD_SAVED };
    }),
    on: confirmed(async (visitor, person, fields) => {
      const { secret = '', code = '' } = Object.fromEntries(fields);
      const step = /^[A-Z2-7]{32}$/.test(secret) ? totpStep(secret, code, visitor.now) : null;
      if (step === null) return { errors: { code: textsOf(visitor, 'settings').codeWrong } };
      const sealed = await seal(secret, visitor.c.env.SEALING_KEY, totpContext(person));
      await people.setTotp(visitor.db, person.accountId, person.id, sealed, step);
      return { did: 'person.second_factor', next: await makeCodes(visitor, person) };
    }),
    codes: confirmed(async (visitor, person) => ({
      did: 'person.recovery_codes',
      next: await makeCodes(visitor, person),
    })),
    off: confirmed(async (visitor, { accountId, id }) => {
      await people.setTotp(visitor.db, accountId, id, null);
      return {
        did: 'person.second_factor',
        next: OWN_PATH,
        flash: { messages: [{ code: 'secondFactorOff' }] },
      };
    }),
  },
});

/** Makes recovery codes, and returns the path of the page that shows them once. */
async function makeCodes(visitor: Visitor, { accountId, id }: people.Person): Promise<string> {
  const codes = newRecoveryCodes();
  await people.setRecoveryCodes(visitor.db, accountId, id, codes.map(recoveryDigest));
  return showOnce(visitor, { kind: 'recovery', codes });
}

/** Recovery codes, which only their digests are stored of. */
export function recoveryPage(visitor: Visitor, { codes }: RecoveryCodes): Page {
  const texts = textsOf(visitor, 'settings');
  return {
    title: texts.recoveryTitle,
    lead: texts.recoveryLead,
    crumbs: [{ name: texts.yourSignIn, href: OWN_PATH }],
    content: (
      <SecretCard
        values={{ codes: codes.join('\n') }}
        names={{ codes: texts.recoveryCodes }}
        why={texts.recoveryOnce}
      />
    ),
  };
}

function ownPage(visitor: Visitor, person: people.Person, form: FormState): Page {
  const texts = textsOf(visitor, 'settings');
  const isOn = person.totpSecret !== null;
  // The secret of a second factor that is not yet turned on.
  const secret = form.typed?.get('secret') ?? newTotpSecret();
  const uri = totpUri(secret, 'Lindero', `${visitor.account.code} ${person.name}`);
  const code = { required: true, inputmode: 'numeric', autocomplete: 'one-time-code' } as const;
  const labels = labelsOf(texts);
  return {
    title: texts.yourSignIn,
    lead: person.name,
    content: (
      <>
        <FormCard
          form={form}
          texts={labels}
          title={texts.password}
          does="password"
          submit={texts.change}
          fields={{ current: CURRENT, password: NEW }}
        />
        <FormCard
          form={form}
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
              <div class="qr">{raw(renderSVG(uri))}</div>
              <code>{secret}</code>
              <Hidden values={{ secret }} />
            </>
          )}
        </FormCard>
        {isOn && (
          <FormCard
            form={form}
            texts={labels}
            title={texts.recoveryCodes}
            does="codes"
            submit={texts.newCodes}
            fields={{ current: { ...CURRENT, id: 'codes-by' } }}
          >
            <p>{texts.codesLeft({ count: person.recoveryCodes.length })}</p>
          </FormCard>
        )}
      </>
    ),
  };
}

/** The link of an invitation, which only its digest is stored of. */
export function invitationPage(visitor: Visitor, { name, link }: InvitationLink): Page {
  const texts = textsOf(visitor, 'settings');
  return {
    title: texts.linkTitle({ name }),
    lead: texts.linkLead,
    crumbs: [{ name: texts.title, href: '/settings' }],
    content: <SecretCard values={{ link }} names={{ link: texts.link }} why={texts.linkOnce} />,
  };
}
