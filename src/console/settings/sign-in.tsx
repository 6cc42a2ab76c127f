import { raw } from 'hono/utils/html';
import { renderSVG } from 'uqr';
import * as people from '../../accounts/people.ts';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '../../accounts/sessions.ts';
import { newRecoveryCodes, recoveryDigest } from '../../lib/secrets/recovery-codes.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import { newTotpSecret, totpStep, totpUri } from '../../lib/secrets/totp.ts';
import { type Action, definePage } from '../define-page.tsx';
import { formatTime } from '../format.ts';
import { ButtonForm, FormCard, Hidden } from '../frame/form.tsx';
import { Ago, Chip, Copyable, TableCard } from '../frame/parts.tsx';
import { showOnce } from '../once/once.ts';
import { browserNames } from '../session/browser.ts';
import { totpContext } from '../session/handle.tsx';
import { sessionsOf } from '../session/session.ts';
import { textsOf } from '../texts/texts.ts';
import { type FormState, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import {
  CURRENT,
  confirmed,
  NEW,
  PASSWORD_SAVED,
  passwordLabels,
  storedPassword,
} from './password.ts';

const PATH = '/settings/sign-in';

/** How somebody signs in: a person, or `null` for whoever has the agency's password; and where they are signed in. */
interface SignIn {
  readonly person: people.Person | null;
  readonly sessions: readonly Session[];
}

/** An action of somebody who has their own password, which they enter again. */
function ownChange(change: Parameters<typeof confirmed<people.Person>>[0]): Action<SignIn> {
  const run = confirmed(change);
  return async (visitor, { person }, fields) => person && run(visitor, person, fields);
}

/** Password, second factor and sessions of whoever has signed in. A change of the first two ends all other sessions. */
export const ownSignIn = definePage<SignIn>({
  find: async (visitor) => {
    const { c, db, account, person, now } = visitor;
    const [found, sessions] = await Promise.all([
      person && people.findPerson(db, account.id, person.id),
      listSessions(db, sessionsOf(visitor, c.env), now),
    ]);
    return { person: found, sessions };
  },
  show: signInPage,
  actions: {
    password: ownChange(async (visitor, { accountId, id }, fields) => {
      const password = await storedPassword(fields);
      if (password === null)
        return { errors: { password: textsOf(visitor, 'settings').passwordShort } };
      await people.setPersonPassword(visitor.db, accountId, id, password);
      return { did: 'person.password', next: PATH, flash: PASSWORD_SAVED };
    }),
    on: ownChange(async (visitor, person, fields) => {
      const { secret = '', code = '' } = Object.fromEntries(fields);
      const step = /^[A-Z2-7]{32}$/.test(secret) ? totpStep(secret, code, visitor.now) : null;
      if (step === null) return { errors: { code: textsOf(visitor, 'settings').codeWrong } };
      const sealed = await seal(secret, visitor.c.env.SEALING_KEY, totpContext(person));
      await people.setTotp(visitor.db, person.accountId, person.id, sealed, step);
      return { did: 'person.second_factor', next: await makeCodes(visitor, person) };
    }),
    codes: ownChange(async (visitor, person) => ({
      did: 'person.recovery_codes',
      next: await makeCodes(visitor, person),
    })),
    off: ownChange(async ({ db }, { accountId, id }) => {
      await people.setTotp(db, accountId, id, null);
      const flash = { messages: [{ code: 'secondFactorOff' as const }] };
      return { did: 'person.second_factor_off', next: PATH, flash };
    }),
    end: async (visitor, { sessions }, fields) => {
      const ended = sessions.find(({ id }) => id === fields.get('session'));
      if (ended === undefined) return { next: PATH };
      await endSession(visitor.db, sessionsOf(visitor, visitor.c.env), ended.id);
      return { did: 'session.ended', with: browserText(visitor, ended), next: PATH };
    },
    endOthers: async (visitor) => {
      const { c, db, session } = visitor;
      await endOtherSessions(db, sessionsOf(visitor, c.env), session);
      const flash = { messages: [{ code: 'sessionsEnded' as const }] };
      return { did: 'sessions.ended', next: PATH, flash };
    },
  },
});

/** Makes recovery codes, and returns the path of the page that shows them once. */
async function makeCodes(visitor: Visitor, { accountId, id }: people.Person): Promise<string> {
  const codes = newRecoveryCodes();
  await people.setRecoveryCodes(visitor.db, accountId, id, codes.map(recoveryDigest));
  return showOnce(visitor, { kind: 'recovery', codes });
}

function signInPage(visitor: Visitor, { person, sessions }: SignIn, form: FormState): Page {
  const texts = textsOf(visitor, 'settings');
  const how = person === null ? 'agency' : person.totpSecret === null ? 'password' : 'code';
  return {
    title: texts.signInTitles[how],
    lead: person === null ? texts.agencyPasswordWhy : texts.yourSignInHint,
    content: (
      <>
        <Sessions sessions={sessions} />
        {person !== null && <Credentials person={person} form={form} />}
      </>
    ),
  };
}

function browserText({ language }: Pick<Visitor, 'language'>, { browser }: Session): string {
  const texts = textsOf({ language }, 'settings');
  const { browser: name, system } = browserNames(browser);
  if (name === null || system === null) return name ?? system ?? texts.unknownBrowser;
  return texts.browserOn({ name, system });
}

/** Where somebody is signed in, this browser first. */
function Sessions({ sessions }: { readonly sessions: readonly Session[] }) {
  const visitor = useVisitor();
  const texts = useTexts('settings');
  const { session: own } = visitor;
  const ordered = sessions.toSorted((a, b) => Number(b.id === own) - Number(a.id === own));
  return (
    <TableCard
      title={texts.sessions}
      columns={[texts.browser, texts.since, texts.lastUsed, { hidden: texts.end }]}
      rows={ordered.map((session) => {
        const { id, startedAt, lastUsedAt } = session;
        const name = browserText(visitor, session);
        return [
          <b>{name}</b>,
          formatTime(startedAt, visitor),
          <Ago seconds={lastUsedAt} />,
          id === own ? (
            <Chip tone="good">{texts.thisSession}</Chip>
          ) : (
            <ButtonForm buttons={[{ does: 'end', text: texts.end }]}>
              <Hidden values={{ session: id }} />
            </ButtonForm>
          ),
        ];
      })}
    >
      {sessions.length > 1 && (
        <div class="body">
          <ButtonForm buttons={[{ does: 'endOthers', text: texts.endOthers }]} />
        </div>
      )}
    </TableCard>
  );
}

/** The forms of what a person signs in with. */
function Credentials({
  person,
  form,
}: {
  readonly person: people.Person;
  readonly form: FormState;
}) {
  const { account } = useVisitor();
  const texts = useTexts('settings');
  const isOn = person.totpSecret !== null;
  // The secret of a second factor that is not yet turned on.
  const secret = form.typed?.get('secret') ?? newTotpSecret();
  const uri = totpUri(secret, 'Lindero', `${account.code} ${person.name}`);
  const code = { required: true, inputmode: 'numeric', autocomplete: 'one-time-code' } as const;
  const labels = passwordLabels(texts);
  return (
    <>
      <FormCard
        form={form}
        texts={labels}
        title={texts.password}
        does="password"
        submit={texts.change}
        fields={{ current: CURRENT, password: NEW }}
      >
        <p class="muted">{texts.passwordEnds}</p>
      </FormCard>
      <FormCard
        form={form}
        texts={labels}
        title={texts.secondFactor}
        kind={isOn ? 'danger' : 'primary'}
        does={isOn ? 'off' : 'on'}
        submit={isOn ? texts.turnOff : texts.turnOn}
        fields={{ code: isOn ? undefined : code, current: { ...CURRENT, id: 'confirmed-by' } }}
      >
        <p>{isOn ? texts.secondFactorOn : texts.secondFactorOff}</p>
        {!isOn && (
          <>
            <p class="muted">{texts.scan}</p>
            <div class="qr">{raw(renderSVG(uri))}</div>
            <Copyable id="totp-secret" text={secret} />
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
  );
}
