import { readSetting, updateAccount, writeFormatSettings } from '../../accounts/accounts.ts';
import * as people from '../../accounts/people.ts';
import { listWebhooks, MAX_WEBHOOKS } from '../../changes/webhooks/webhooks.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import { isTimeZone, timeZones } from '../../lib/time/zones.ts';
import { listClients } from '../../oauth/clients.ts';
import { type Done, definePage, ownAccount, type Refusal } from '../define-page.tsx';
import {
  errorsByName,
  givenParameters,
  ParameterFields,
  parametersText,
  presetValues,
} from '../feed/parameters.tsx';
import { SAVED } from '../flash.tsx';
import { FormCard, Submit } from '../frame/form.tsx';
import { ButtonLink, Card } from '../frame/parts.tsx';
import { showOnce } from '../once/once.ts';
import { withQuery } from '../paths.ts';
import { formatName } from '../portals/catalogue.ts';
import { textsOf } from '../texts/texts.ts';
import { type FormState, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { LogCard, loadLog } from './log.tsx';
import { People } from './people.tsx';
import { Clients, Webhooks } from './programs.tsx';

type Account = Visitor['account'];

/** People, clients, webhooks, and who did what. An owner invites people, changes their roles, and removes them. */
export const settings = definePage({
  find: ownAccount,
  show: settingsPage,
  actions: {
    invite: async (visitor, { id, code }, fields) => {
      const { c, db, now } = visitor;
      const texts = textsOf(visitor, 'settings');
      const name = (fields.get('name') ?? '').trim();
      const role = roleIn(fields);
      if (name === '' || name.length > people.MAX_PERSON_NAME || role === undefined) {
        return { errors: { name: texts.nameInvalid } };
      }
      const token = await people.invite(db, id, { name, role }, now);
      if (token === null) return { why: texts.lastOwner };
      const link = `${new URL(c.req.url).origin}/invitation?account=${code}&token=${token}`;
      const next = await showOnce(visitor, { kind: 'invitation', name, link });
      return { did: 'person.invited', with: name, next };
    },
    role: async (visitor, _account, fields) => {
      const role = roleIn(fields);
      if (role === undefined) return null;
      return changePerson(visitor, fields, 'person.changed', (db, account, id) =>
        people.setRole(db, account, id, role),
      );
    },
    zone: async (visitor, { id, timeZone: before }, fields) => {
      const timeZone = fields.get('timeZone') ?? '';
      const texts = textsOf(visitor, 'settings');
      if (!isTimeZone(timeZone)) return { errors: { timeZone: texts.timeZoneInvalid } };
      await updateAccount(visitor.db, id, { timeZone });
      const details = [['time_zone', before, timeZone] as const];
      return { did: 'account.time_zone', with: '', next: '/settings', flash: SAVED, details };
    },
    delete: (visitor, _account, fields) =>
      changePerson(visitor, fields, 'person.removed', people.removePerson),
  },
});

function roleIn(fields: URLSearchParams) {
  return people.ROLES.find((role) => role === fields.get('role'));
}

/** Changes the person that a form names, unless no owner would remain. */
async function changePerson(
  visitor: Visitor,
  fields: URLSearchParams,
  did: string,
  change: typeof people.removePerson,
): Promise<Done | Refusal | null> {
  const { db, account, common } = visitor;
  const id = Number(fields.get('person'));
  const person = Number.isSafeInteger(id) ? await people.findPerson(db, account.id, id) : null;
  if (person === null) return null;
  if ((fields.get('was') ?? person.role) !== person.role)
    return { why: common.conflict, status: 412 };
  const after = fields.get('role');
  const details = after === null ? [] : [['role', person.role, after] as const];
  if (await change(db, account.id, id))
    return { did, with: person.name, next: '/settings', details };
  return { why: textsOf(visitor, 'settings').lastOwner };
}

async function settingsPage(visitor: Visitor, account: Account, form: FormState): Promise<Page> {
  const { db, person, isEditor, isOwner, common } = visitor;
  const texts = textsOf(visitor, 'settings');
  const [everybody, clients, webhooks, log] = await Promise.all([
    people.listPeople(db, account.id),
    listClients(db, account.id),
    listWebhooks(db, account.id, null, MAX_WEBHOOKS),
    loadLog(visitor),
  ]);
  const zones = timeZones().map((zone) => [zone, zone] as const);
  const name = { required: true, maxlength: people.MAX_PERSON_NAME, autocomplete: 'off' };
  return {
    title: texts.title,
    lead: texts.lead,
    content: (
      <>
        <People people={everybody} />
        {isOwner && (
          <FormCard
            form={form}
            title={texts.invite}
            does="invite"
            submit={texts.createLink}
            fields={{ name, role: { options: Object.entries(common.roles) } }}
            texts={texts}
            values={{ role: 'editor' }}
          />
        )}
        <Card title={texts.yourSignIn}>
          <p class="muted">{person === null ? texts.agencyPassword : texts.yourSignInHint}</p>
          {person !== null && <ButtonLink href="/settings/sign-in" text={texts.change} />}
        </Card>
        {isOwner && (
          <Card title={texts.agency}>
            <p class="muted">{texts.agencyUse}</p>
            <ButtonLink href="/settings/password" text={texts.change} />
          </Card>
        )}
        {isOwner && (
          <FormCard
            form={form}
            title={texts.timeZoneTitle}
            does="zone"
            submit={common.save}
            fields={{ timeZone: { options: zones } }}
            texts={texts}
            values={{ timeZone: account.timeZone }}
          />
        )}
        <Clients clients={clients} />
        <Webhooks webhooks={webhooks} />
        {isEditor && <Formats />}
        <Card title={texts.ownNames}>
          <p class="muted">{texts.ownNamesLead}</p>
          <ButtonLink href="/settings/names" text={texts.change} />
        </Card>
        <LogCard log={log} />
      </>
    ),
  };
}

/** The formats for which an account can state something for all portals. */
function Formats() {
  const { language } = useVisitor();
  const texts = useTexts('settings');
  return (
    <Card title={texts.stateForAll}>
      <p class="muted">{texts.stateLead}</p>
      {FORMATS.filter(({ accountParameters }) => accountParameters).map((format) => (
        <ButtonLink
          href={withQuery('/settings/format', { name: format.name })}
          text={formatName(format, '', language)}
        />
      ))}
    </Card>
  );
}

/** The parameters of a format that an account may state for all portals. */
function parametersOf({ feedParameters, accountParameters = [] }: FeedFormat) {
  return feedParameters.filter(({ name }) => accountParameters.includes(name));
}

/** What the account states once for all portals of a format, such as the code that Idealista has given it. */
export const formatSettings = definePage({
  find: async ({ c, db, account }) => {
    const { [c.req.query('name') ?? '']: stated = '' } = await readSetting(
      db,
      account.id,
      'formatSettings',
    );
    const format = FORMATS.find((one) => one.name === c.req.query('name') && one.accountParameters);
    return format ? { ...format, stated } : null;
  },
  settings: ({ stated }) => stated,
  show: (visitor, subject, form) => {
    const { language, common } = visitor;
    const texts = textsOf(visitor, 'settings');
    const given = presetValues(subject.stated);
    return {
      title: texts.stateTitle({ format: formatName(subject, '', language) }),
      lead: texts.stateLead,
      content: (
        <form method="post" class="stack" data-keep>
          <Card title={texts.stateForAll}>
            <ParameterFields
              form={form}
              parameters={parametersOf(subject)}
              given={given}
              preset={{}}
            />
          </Card>
          <Submit version={form.version} cancel="/settings" text={common.save} />
        </form>
      ),
    };
  },
  actions: {
    save: async (visitor, subject, fields) => {
      const parsed = parsePreset(parametersText(givenParameters(parametersOf(subject), fields)));
      if ('errors' in parsed) return { errors: errorsByName(parsed.errors, visitor.language) };
      await writeFormatSettings(visitor.db, visitor.account.id, subject.name, parsed.preset);
      return {
        did: 'format.stated',
        with: formatName(subject, '', visitor.language),
        next: '/settings',
        flash: SAVED,
      };
    },
  },
});
