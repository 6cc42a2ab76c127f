import { pingWebhook } from '../../changes/webhooks/deliver.ts';
import {
  findWebhook,
  listAttempts,
  switchWebhook,
  type Webhook,
} from '../../changes/webhooks/webhooks.ts';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { CLIENT_ID, newClient, removeClient } from '../../oauth/client.ts';
import { listClients, updateClient } from '../../oauth/clients.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../oauth/scopes.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { formatNumber, formatWhen } from '../format.ts';
import { ButtonForm, Deletion, FormCard } from '../frame/form.tsx';
import {
  Ago,
  ButtonLink,
  Card,
  Chip,
  Copyable,
  Facts,
  Item,
  Notice,
  TableCard,
} from '../frame/parts.tsx';
import { type Action, notFoundPage, pageOf, type Visit } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { detailIn, TEXTS, textOf } from '../texts/texts.ts';
import { type Guest, type Page, useVisit, type Visitor, withTexts } from '../visit.ts';

type ListedClient = Awaited<ReturnType<typeof listClients>>[number];

/** The programs of an account that use the API. */
export function Clients({ clients }: { readonly clients: readonly ListedClient[] }) {
  const { isOwner, texts } = useVisit('settings');
  const action = isOwner && <ButtonLink href="/settings/client" text={texts.newClient} />;
  return (
    <TableCard
      title={texts.clients}
      more={isOwner && <a href="/settings/client">{texts.newClient}</a>}
      none={{ icon: 'key', text: texts.noClients, why: texts.noClientsWhy, action }}
      columns={[[texts.name], [texts.mayDo], [texts.state]]}
      rows={clients.map((client) => [
        isOwner ? <Item href={clientPath(client)} title={client.id} /> : <b>{client.id}</b>,
        client.scopes.map((scope) => textOf(texts.scopes, scope)).join(', '),
        <ClientState client={client} />,
      ])}
    />
  );
}

function ClientState({ client }: { readonly client: ListedClient }) {
  const { texts } = useVisit('settings');
  return client.disabled ? <Chip>{texts.off}</Chip> : <Chip tone="good">{texts.active}</Chip>;
}

function clientPath({ id }: ListedClient): string {
  return withQuery('/settings/client', { id });
}

function scopesIn(fields: URLSearchParams) {
  const given = fields.getAll('scope');
  return SCOPES.filter((scope) => given.includes(scope));
}

function setting(disabled: boolean): Action<ListedClient> {
  return async ({ visitor: { db, account }, subject }) => {
    await updateClient(db, account.id, subject.id, { disabled });
    return { did: 'client.changed', with: subject.id, next: clientPath(subject) };
  };
}

/** A client: what it may do, another secret, disabling, enabling, deleting; or the form for a new one. */
export const client = pageOf<ListedClient | undefined>({
  find: async ({ c, db, account }) => {
    const wanted = c.req.query('id');
    if (wanted === undefined) return undefined;
    return (await listClients(db, account.id)).find(({ id }) => id === wanted) ?? null;
  },
  settings: ({ scopes }) => scopes,
  show: clientPage,
  create: async ({ visitor, fields }) => {
    const { c, account, texts } = withTexts(visitor, 'settings');
    const id = (fields.get('id') ?? '').trim();
    const scopes = scopesIn(fields);
    if (id !== '' && !CLIENT_ID.test(id)) return { errors: { id: texts.clientIdInvalid } };
    if (scopes.length === 0) return { errors: { scope: texts.scopesMissing } };
    const created = await newClient(c.env, {
      accountId: account.id,
      code: account.code,
      id,
      scopes,
    });
    if (created === null) return { errors: { id: texts.clientIdTaken } };
    return {
      did: 'client.created',
      with: created.id,
      next: secretPage(visitor, created.id, created.secret),
    };
  },
  actions: {
    rotate: async ({ visitor, subject: { id } }) => {
      const secret = newSecret();
      await updateClient(visitor.db, visitor.account.id, id, { secret });
      return { did: 'client.rotated', with: id, next: secretPage(visitor, id, secret) };
    },
    scopes: async ({ visitor, subject, fields }) => {
      const scopes = scopesIn(fields);
      if (scopes.length === 0)
        return { errors: { scope: TEXTS[visitor.language].settings.scopesMissing } };
      await updateClient(visitor.db, visitor.account.id, subject.id, { scopes });
      return { did: 'client.scopes', with: subject.id, next: clientPath(subject) };
    },
    disable: setting(true),
    enable: setting(false),
    delete: async ({ visitor: { c, account }, subject: { id } }) => {
      await removeClient(c.env, { accountId: account.id, code: account.code, id });
      return { did: 'client.deleted', with: id, next: '/settings' };
    },
  },
});

function clientPage({ visitor, subject: client }: Visit<ListedClient | undefined>): Page {
  const { texts, common } = withTexts(visitor, 'settings');
  const inWords = (scope: Scope) => [texts.scopes[scope], ' ', <code class="muted">{scope}</code>];
  const options = SCOPES.map((scope) => [scope, inWords(scope)] as const);
  const chosen = client?.scopes ?? DEFAULT_SCOPES;
  const fields = {
    id: { maxlength: 100, autocomplete: 'off' },
    scope: { type: 'checkbox', options, chosen },
  } as const;
  const labels = { id: texts.name, idHint: texts.clientIdHint, scope: texts.whatMay };
  if (client === undefined) {
    const end = { cancel: '/settings', submit: texts.createClient };
    return {
      title: texts.newClientTitle,
      lead: texts.newClientLead,
      content: <FormCard title={texts.client} {...end} fields={fields} texts={labels} />,
    };
  }
  const end = { does: 'scopes', submit: common.save };
  const toggle = client.disabled
    ? (['enable', texts.enable] as const)
    : (['disable', texts.disable] as const);
  return {
    title: client.id,
    actions: [<ClientState client={client} />, <ButtonForm buttons={[toggle]} />],
    content: [
      <FormCard
        title={texts.client}
        {...end}
        fields={{ ...fields, id: undefined }}
        texts={labels}
      />,
      <Deletion title={texts.rotate} why={texts.rotateWhy} does="rotate" />,
      <Deletion title={texts.deleteClient} why={texts.deleteClientWhy} />,
    ],
  };
}

function secretPage(visitor: Visitor, id: string, secret: string): Page {
  const { texts } = withTexts(visitor, 'settings');
  const shown = { client_id: id, client_secret: secret };
  return shownOnce(visitor, texts.secretTitle({ id }), texts.secretLead, texts.secretOnce, shown);
}

/** A page with what no other page shows: a secret or a link. */
export function shownOnce(
  visitor: Visitor,
  title: string,
  lead: string,
  why: string,
  shown: object,
): Page {
  const { texts, common } = withTexts(visitor, 'settings');
  return {
    title,
    lead,
    content: (
      <Card title={texts.once}>
        {Object.entries(shown).map(([name, text]) => (
          <Facts kind="tall" facts={[[name, <Copyable id={name} text={text} />]]} />
        ))}
        <Notice kind="warn">{why}</Notice>
        <div class="actions">
          {'client_id' in shown && <ButtonLink href="/docs" text={common.apiReference} />}
          <ButtonLink href="/settings" kind="primary" text={texts.title} />
        </div>
      </Card>
    ),
  };
}

/** The webhooks of an account. */
export function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const { texts, common } = useVisit('settings');
  const action = <ButtonLink href="/docs" text={common.apiReference} />;
  return (
    <TableCard
      title={texts.webhooks}
      none={{ icon: 'webhook', text: texts.noWebhooks, why: texts.noWebhooksWhy, action }}
      columns={[[texts.name], [texts.url], [texts.received, 'num'], [texts.state]]}
      rows={webhooks.map((webhook) => [
        <Item href={webhookPath(webhook)} title={webhook.name} />,
        <code>{webhook.url}</code>,
        texts.confirmed({ confirmed: webhook.confirmedNumber, all: webhook.number }),
        <WebhookState webhook={webhook} />,
      ])}
    />
  );
}

function WebhookState({ webhook: { enabled, failingSince } }: { readonly webhook: Webhook }) {
  const { texts } = useVisit('settings');
  if (!enabled) return <Chip tone="bad">{texts.off}</Chip>;
  return failingSince === null ? (
    <Chip tone="good">{texts.working}</Chip>
  ) : (
    <Chip tone="warn">{texts.failing}</Chip>
  );
}

function webhookPath({ name }: Webhook): string {
  return withQuery('/settings/webhook', { name });
}

/** Why a webhook does not receive all news; `null` if it does, or if somebody has switched it off. */
export function troubleOf(
  { disabledBecause, failingSince }: Webhook,
  { language, now }: Guest,
): string | null {
  const texts = TEXTS[language].home;
  if (disabledBecause === 'gone') return texts.webhookGone;
  return failingSince === null
    ? null
    : texts.webhookFailing({ when: formatWhen(failingSince, now, language) });
}

function switching(isOn: boolean): Action<Webhook> {
  return async ({ visitor: { c, db, account }, subject }) => {
    await switchWebhook(db, { accountId: account.id, name: subject.name }, isOn);
    if (isOn) await sendTask(c.env, { kind: 'webhooks', accountId: account.id });
    return {
      did: `webhook.${isOn ? 'on' : 'off'}`,
      with: subject.name,
      next: webhookPath(subject),
    };
  };
}

/** A webhook with its last calls, and buttons that call it with a ping, or again after failures. */
export const webhook = pageOf({
  find: ({ c, db, account }) =>
    findWebhook(db, { accountId: account.id, name: c.req.query('name') ?? '' }),
  show: webhookPage,
  actions: {
    on: switching(true),
    off: switching(false),
    test: async ({ visitor, subject }) => {
      const { c, account, language, now } = visitor;
      const attempt = await pingWebhook(c.env, { accountId: account.id, name: subject.name }, now);
      if (attempt === null) return notFoundPage(visitor);
      const { status, error } = attempt;
      const isFine = status !== null && status >= 200 && status < 300;
      const answer = error === null ? String(status) : detailIn(language, error, error);
      const text = TEXTS[language].settings.tested({ answer });
      const notice = <Notice kind={isFine ? 'good' : 'bad'}>{text}</Notice>;
      return { did: 'webhook.tested', with: subject.name, notice };
    },
  },
});

async function webhookPage({ visitor, subject: webhook }: Visit<Webhook>): Promise<Page> {
  const { db, account, isEditor, language, texts } = withTexts(visitor, 'settings');
  const attempts = await listAttempts(db, { accountId: account.id, name: webhook.name });
  const trouble = troubleOf(webhook, visitor);
  const isToCall = trouble !== null || !webhook.enabled;
  const buttons = [
    ...(webhook.enabled ? ([['off', texts.switchOff]] as const) : []),
    ...(isToCall ? ([['on', texts.callAgain, 'primary']] as const) : []),
    ['test', texts.test] as const,
  ];
  return {
    title: webhook.name,
    lead: webhook.url,
    actions: [<WebhookState webhook={webhook} />, isEditor && <ButtonForm buttons={buttons} />],
    content: [
      trouble && <Notice kind="bad">{trouble}</Notice>,
      <TableCard
        title={texts.attempts}
        none={{ icon: 'clock', text: texts.noAttempts }}
        columns={[[texts.when], [texts.answer], [texts.took, 'num']]}
        rows={attempts.map(({ attemptedAt, status, error, response, milliseconds }) => [
          <Ago seconds={attemptedAt} />,
          error === null ? `${status ?? ''} ${response}`.trim() : detailIn(language, error, error),
          `${formatNumber(milliseconds, language)} ms`,
        ])}
      />,
    ],
  };
}
