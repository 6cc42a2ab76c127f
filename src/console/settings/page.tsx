import type { Context } from 'hono';
import { listActivity } from '../../db/accounts/activity.ts';
import { listClients } from '../../db/accounts/clients.ts';
import {
  findPerson,
  invite,
  listPeople,
  MAX_PERSON_NAME,
  ROLES,
  removePerson,
  setRole,
} from '../../db/accounts/people.ts';
import { listWebhooks } from '../../db/news/webhooks.ts';
import type { AppEnv } from '../../env.ts';
import { Ago } from '../format.tsx';
import { FormCard } from '../frame/fields.tsx';
import { ButtonLink, Card } from '../frame/parts.tsx';
import { may, notFoundPage } from '../guards.tsx';
import { findAccount, pageOf, refused, type Sent } from '../subject.tsx';
import { textOf } from '../texts/catalogue.ts';
import { SETTINGS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';
import { Clients } from './clients.tsx';
import { Formats } from './formats.tsx';
import { linkPage, People } from './people.tsx';
import { Webhooks } from './webhook.tsx';

const MAX_WEBHOOKS = 100;
const ENTRIES = 50;

/** People, clients, webhooks, and who did what. An owner invites people, changes their roles, and removes them. */
export const settings = pageOf({
  find: findAccount,
  show: ({ c, visitor }) => settingsPage(c, visitor),
  actions: {
    invite: async ({ c, visitor, subject: { id }, fields }) => {
      const name = (fields.get('name') ?? '').trim();
      const role = roleIn(fields);
      if (name === '' || name.length > MAX_PERSON_NAME || role === undefined) {
        return { ...(await settingsPage(c, visitor, SETTINGS[visitor.language].nameInvalid)), status: 422 };
      }
      const token = await invite(c.env.DB, id, { name, role }, visitor.now);
      const link = `${new URL(c.req.url).origin}/invitation?token=${token}`;
      return { did: 'person.invited', with: name, next: linkPage(visitor, name, link) };
    },
    role: async (sent) => {
      const role = roleIn(sent.fields);
      if (role === undefined) return notFoundPage(sent.visitor);
      return changePerson(sent, 'person.changed', (...person) => setRole(...person, role));
    },
    remove: (sent) => changePerson(sent, 'person.removed', removePerson),
  },
});

function roleIn(fields: URLSearchParams) {
  return ROLES.find((role) => role === fields.get('role'));
}

/** Changes somebody, unless nobody would remain an owner. */
async function changePerson(
  { c, visitor, subject: account, fields }: Sent<Visitor['account']>,
  did: string,
  change: typeof removePerson,
) {
  const id = Number(fields.get('person'));
  const person = Number.isSafeInteger(id) ? await findPerson(c.env.DB, account.id, id) : null;
  if (person === null) return notFoundPage(visitor);
  if (await change(c.env.DB, account.id, id)) return { did, with: person.name, next: '/settings' };
  return refused(await settingsPage(c, visitor), SETTINGS[visitor.language].lastOwner);
}

async function settingsPage(c: Context<AppEnv>, visitor: Visitor, nameError?: string): Promise<Page> {
  const { account, person, language, texts: common } = visitor;
  const texts = SETTINGS[language];
  const { DB } = c.env;
  const [people, clients, webhooks, activity] = await Promise.all([
    listPeople(DB, account.id),
    listClients(DB, account.id),
    listWebhooks(DB, account.id, null, MAX_WEBHOOKS),
    listActivity(DB, account.id, null, ENTRIES),
  ]);
  const isOwner = may(visitor, 'owner');
  const name = { required: true, maxlength: MAX_PERSON_NAME, autocomplete: 'off' };
  return {
    title: texts.title,
    lead: texts.lead,
    content: (
      <div class="stack">
        <People people={people} />
        {isOwner && (
          <FormCard
            title={texts.invite}
            action="/settings"
            does="invite"
            submit={texts.createLink}
            fields={{ name, role: { options: Object.entries(common.roles) } }}
            texts={texts}
            values={{ role: 'editor' }}
            errors={{ name: nameError }}
          />
        )}
        <Card title={texts.yourSignIn}>
          <p class="muted">{person === null ? texts.agencyPassword : texts.yourSignInHint}</p>
          {person !== null && <ButtonLink href="/settings/sign-in">{texts.change}</ButtonLink>}
        </Card>
        {isOwner && (
          <Card title={texts.agency}>
            <p class="muted">{texts.agencyUse}</p>
            <ButtonLink href="/settings/password">{texts.change}</ButtonLink>
          </Card>
        )}
        <Clients clients={clients} />
        <Webhooks webhooks={webhooks} />
        <Formats />
        <Card title={texts.log} empty={activity.length === 0 && { icon: 'clock', text: texts.nobody }}>
          <ol class="timeline">
            {activity.map((entry) => (
              <li>
                <Ago seconds={entry.happenedAt} />
                <div>
                  <b>{entry.person || texts.agency}</b> {textOf(texts.actions, entry.action)} {entry.subject}
                </div>
              </li>
            ))}
          </ol>
        </Card>
      </div>
    ),
  };
}
