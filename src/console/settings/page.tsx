import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { listActivity } from '../../db/accounts/activity.ts';
import { listClients } from '../../db/accounts/clients.ts';
import { listPeople, type Person } from '../../db/accounts/people.ts';
import { listWebhooks, type Webhook } from '../../db/news/webhooks.ts';
import type { AppEnv } from '../../env.ts';
import { Ago, formatDay } from '../format.tsx';
import { Hidden, OptionList, Select, Submit, TextField } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Chip } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { query } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { SETTINGS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { Clients } from './clients.tsx';

const MAX_WEBHOOKS = 100;
const ENTRIES = 50;

/** What was wrong with a form of the page. */
interface Refusal {
  readonly notice?: Child;
  /** Of somebody to be invited. */
  readonly nameError?: string;
}

/** People, webhooks, and who did what. */
export async function showSettings(c: Context<AppEnv>, visitor: Visitor, refusal?: Refusal): Promise<Page> {
  const { account, person, language, texts: common } = visitor;
  const texts = SETTINGS[language];
  const { DB } = c.env;
  const reading = Promise.all([
    listPeople(DB, account.id),
    listClients(DB, account.id),
    listWebhooks(DB, account.id, null, MAX_WEBHOOKS),
    listActivity(DB, account.id, null, ENTRIES),
  ]);
  const [people, clients, webhooks, activity] = await reading;
  const nobody = { icon: 'info', text: texts.noPeople, why: texts.noPeopleWhy } as const;
  const reference = <ButtonLink href="/docs">{common.apiReference}</ButtonLink>;
  const noWebhooks = { icon: 'webhook', text: texts.noWebhooks, why: texts.noWebhooksWhy, action: reference } as const;
  return {
    title: texts.title,
    lead: texts.lead,
    notice: refusal?.notice,
    status: refusal === undefined ? 200 : 422,
    content: (
      <div class="stack">
        <Card title={texts.people} flush empty={people.length === 0 && nobody}>
          <People people={people} />
        </Card>
        {may(visitor, 'owner') && (
          <Card title={texts.invite}>
            <form method="post" action="/settings" class="stack close">
              <TextField
                field={{ name: 'name', label: texts.name, hint: texts.inviteHint, error: refusal?.nameError }}
                required
                maxlength={100}
                autocomplete="off"
              />
              <Select
                field={{ name: 'role', label: texts.role }}
                value="editor"
                options={Object.entries(common.roles)}
              />
              <Submit name="do" value="invite">
                {texts.createLink}
              </Submit>
            </form>
          </Card>
        )}
        <Card title={texts.yourSignIn}>
          <p class="muted">{person === null ? texts.agencyPassword : texts.yourSignInHint}</p>
          {person !== null && (
            <p>
              <ButtonLink href="/settings/sign-in">{texts.change}</ButtonLink>
            </p>
          )}
        </Card>
        {may(visitor, 'owner') && (
          <Card title={texts.agency}>
            <div class="stack close">
              <p class="muted">{texts.agencyUse}</p>
              <p>
                <ButtonLink href="/settings/password">{texts.change}</ButtonLink>
              </p>
            </div>
          </Card>
        )}
        <Clients clients={clients} />
        <Card title={texts.webhooks} flush empty={webhooks.length === 0 && noWebhooks}>
          <Table
            label={texts.webhooks}
            columns={[[texts.name], [texts.url], [texts.received, 'num'], [texts.state]]}
            rows={webhooks.map((webhook) => [
              <a href={`/settings/webhook?${query({ name: webhook.name })}`}>
                <b>{webhook.name}</b>
              </a>,
              <code>{webhook.url}</code>,
              texts.confirmed({ confirmed: webhook.confirmedNumber, all: webhook.number }),
              <WebhookState webhook={webhook} />,
            ])}
          />
        </Card>
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

function People({ people }: { readonly people: readonly Person[] }) {
  const visitor = useVisitor();
  const { texts: common, language, now } = visitor;
  const texts = useTexts(SETTINGS);
  const stateOf = ({ password, invitationExpiresAt }: Person) => {
    if (password !== null) return <Chip tone="good">{texts.active}</Chip>;
    const isValid = (invitationExpiresAt ?? 0) > now;
    return isValid ? texts.invitedUntil({ day: formatDay(invitationExpiresAt!, now, language) }) : texts.expired;
  };
  return (
    <Table
      label={texts.people}
      columns={[[texts.name], [texts.role], [texts.state], ['']]}
      rows={people.map((person) => [
        <b>{person.name}</b>,
        common.roles[person.role],
        stateOf(person),
        may(visitor, 'owner') && (
          <form method="post" action="/settings" class="actions">
            <Hidden values={{ person: String(person.id) }} />
            <select name="role" aria-label={`${texts.role}, ${person.name}`}>
              <OptionList value={person.role} options={Object.entries(common.roles)} />
            </select>
            <Button name="do" value="role">
              {texts.change}
            </Button>
            <Button name="do" value="remove" kind="danger">
              {texts.remove}
            </Button>
          </form>
        ),
      ])}
    />
  );
}

export function WebhookState({ webhook: { enabled, failingSince } }: { readonly webhook: Webhook }) {
  const texts = useTexts(SETTINGS);
  if (!enabled) return <Chip tone="bad">{texts.off}</Chip>;
  return failingSince === null ? <Chip tone="good">{texts.working}</Chip> : <Chip tone="warn">{texts.failing}</Chip>;
}
