import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { type Activity, listActivity } from '../../db/activity.ts';
import { listPeople, type Person } from '../../db/people.ts';
import { listWebhooks, type Webhook } from '../../db/webhooks.ts';
import type { AppEnv } from '../../env.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { Ago, formatDay } from '../format.tsx';
import { Hidden, OptionList, Select, TextField } from '../frame/form.tsx';
import { ButtonLink, Card, Chip, Empty } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { query } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { SETTINGS } from './texts.ts';

const MAX_WEBHOOKS = 100;
const ENTRIES = 50;

/** People, webhooks, and who did what. */
export async function showSettings(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  return settingsPage(c, visitor);
}

/**
 * The page of the settings.
 *
 * @param nameError what is wrong with the name of somebody to be invited
 */
export async function settingsPage(
  c: Context<AppEnv>,
  visitor: Visitor,
  { notice, nameError, status }: { notice?: Child; nameError?: string; status?: number } = {},
): Promise<Page> {
  const { account, person, language } = visitor;
  const texts = SETTINGS[language];
  const { DB } = c.env;
  const [people, webhooks, activity] = await orUnavailable(
    'settings',
    Promise.all([
      listPeople(DB, account.id),
      listWebhooks(DB, account.id, null, MAX_WEBHOOKS),
      listActivity(DB, account.id, null, ENTRIES),
    ]),
  );
  return {
    title: texts.title,
    lead: texts.lead,
    notice,
    ...(status !== undefined && { status }),
    content: (
      <div class="stack">
        <Card title={texts.people} flush>
          <People people={people} />
        </Card>
        {may(visitor, 'owner') && (
          <Card title={texts.invite}>
            <InviteForm error={nameError} />
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
        <Card title={texts.webhooks} flush>
          <Webhooks webhooks={webhooks} />
        </Card>
        <Card title={texts.log} flush>
          <Log entries={activity} />
        </Card>
      </div>
    ),
  };
}

function People({ people }: { readonly people: readonly Person[] }) {
  const visitor = useVisitor();
  const { texts: common, language, now } = visitor;
  const texts = useTexts(SETTINGS);
  if (people.length === 0) {
    return (
      <Empty icon="info" title={texts.noPeople}>
        {texts.noPeopleWhy}
      </Empty>
    );
  }
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
            <button type="submit" class="button" name="do" value="role">
              {texts.change}
            </button>
            <button type="submit" class="button danger" name="do" value="remove">
              {texts.remove}
            </button>
          </form>
        ),
      ])}
    />
  );
}

function InviteForm({ error }: { readonly error: string | undefined }) {
  const { texts: common } = useVisitor();
  const texts = useTexts(SETTINGS);
  return (
    <form method="post" action="/settings" class="stack close">
      <TextField
        field={{ name: 'name', label: texts.name, hint: texts.inviteHint, error }}
        required
        maxlength={100}
        autocomplete="off"
      />
      <Select field={{ name: 'role', label: texts.role }} value="editor" options={Object.entries(common.roles)} />
      <div class="actions">
        <button type="submit" class="button primary" name="do" value="invite">
          {texts.createLink}
        </button>
      </div>
    </form>
  );
}

function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const { texts: common } = useVisitor();
  const texts = useTexts(SETTINGS);
  if (webhooks.length === 0) {
    return (
      <Empty
        icon="webhook"
        title={texts.noWebhooks}
        action={<ButtonLink href="/docs">{common.apiReference}</ButtonLink>}
      >
        {texts.noWebhooksWhy}
      </Empty>
    );
  }
  return (
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
  );
}

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const texts = useTexts(SETTINGS);
  if (!webhook.enabled) return <Chip tone="bad">{texts.off}</Chip>;
  return webhook.failingSince === null ? (
    <Chip tone="good">{texts.working}</Chip>
  ) : (
    <Chip tone="warn">{texts.failing}</Chip>
  );
}

function Log({ entries }: { readonly entries: readonly Activity[] }) {
  const texts = useTexts(SETTINGS);
  if (entries.length === 0) return <Empty icon="clock" title={texts.nobody} />;
  return (
    <ol class="timeline body">
      {entries.map(({ happenedAt, person, action, subject }) => (
        <li>
          <Ago seconds={happenedAt} />
          <div>
            <b>{person || texts.agency}</b> {textOf(texts.actions, action)} {subject}
          </div>
        </li>
      ))}
    </ol>
  );
}
