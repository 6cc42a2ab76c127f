import type { Child } from 'hono/jsx';
import { pingWebhook } from '../../changes/webhooks/deliver.ts';
import type { Attempt } from '../../changes/webhooks/webhooks.ts';
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
import { type Action, definePage } from '../define-page.tsx';
import { type FlashMessage, SAVED } from '../flash.tsx';
import { formatNumber, formatWhen } from '../format.ts';
import { type ActionButton, ButtonForm, Deletion, FormCard } from '../frame/form.tsx';
import { Ago, ButtonLink, Chip, Item, Notice, TableCard } from '../frame/parts.tsx';
import { SecretCard } from '../once/card.tsx';
import { type ClientSecret, showOnce } from '../once/once.ts';
import { withQuery } from '../paths.ts';
import type { Language } from '../texts/language.ts';
import { inWords, textOf, textsOf } from '../texts/texts.ts';
import {
  type FormState,
  type Guest,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';

type ListedClient = Awaited<ReturnType<typeof listClients>>[number];

/** The programs of an account that use the API. */
export function Clients({ clients }: { readonly clients: readonly ListedClient[] }) {
  const { isOwner } = useVisitor();
  const texts = useTexts('settings');
  const action = isOwner && <ButtonLink href="/settings/client" text={texts.newClient} />;
  return (
    <TableCard
      title={texts.clients}
      more={isOwner && <a href="/settings/client">{texts.newClient}</a>}
      none={{ icon: 'key', text: texts.noClients, why: texts.noClientsWhy, action }}
      columns={[texts.name, texts.mayDo, texts.state]}
      rows={clients.map((client) => [
        isOwner ? <Item href={clientPath(client)} title={client.id} /> : <b>{client.id}</b>,
        client.scopes.map((scope) => textOf(texts.scopes, scope)).join(', '),
        <ClientState client={client} />,
      ])}
    />
  );
}

function ClientState({ client }: { readonly client: ListedClient }) {
  const texts = useTexts('settings');
  return client.disabled ? <Chip>{texts.off}</Chip> : <Chip tone="good">{texts.active}</Chip>;
}

function clientPath({ id }: ListedClient): string {
  return withQuery('/settings/client', { id });
}

function scopesIn(fields: URLSearchParams) {
  const given = fields.getAll('scope');
  return SCOPES.filter((scope) => given.includes(scope));
}

function switchingClient(disabled: boolean): Action<ListedClient> {
  return async ({ db, account }, client) => {
    await updateClient(db, account.id, client.id, { disabled });
    return { did: 'client.changed', with: client.id, next: clientPath(client) };
  };
}

/** A client: what it may do, another secret, disabling, enabling, deleting; or the form for a new one. */
export const client = definePage<ListedClient | undefined>({
  find: async ({ c, db, account }) => {
    const wanted = c.req.query('id');
    if (wanted === undefined) return undefined;
    return (await listClients(db, account.id)).find(({ id }) => id === wanted) ?? null;
  },
  settings: ({ scopes }) => scopes,
  show: (visitor, client, form) =>
    client === undefined ? newClientPage(visitor, form) : clientPage(visitor, client, form),
  create: async (visitor, _none, fields) => {
    const { c, account } = visitor;
    const texts = textsOf(visitor, 'settings');
    const given = (fields.get('id') ?? '').trim();
    const scopes = scopesIn(fields);
    if (given !== '' && !CLIENT_ID.test(given)) return { errors: { id: texts.clientIdInvalid } };
    if (scopes.length === 0) return { errors: { scope: texts.scopesMissing } };
    const owner = { accountId: account.id, code: account.code };
    const created = await newClient(c.env, { ...owner, id: given, scopes });
    if (created === null) return { errors: { id: texts.clientIdTaken } };
    const { id, secret } = created;
    const next = await showOnce(visitor, { kind: 'client', id, secret });
    return { did: 'client.created', with: id, next };
  },
  actions: {
    rotate: async (visitor, { id }) => {
      const secret = newSecret();
      await updateClient(visitor.db, visitor.account.id, id, { secret });
      const next = await showOnce(visitor, { kind: 'client', id, secret });
      return { did: 'client.rotated', with: id, next };
    },
    scopes: async (visitor, client, fields) => {
      const scopes = scopesIn(fields);
      if (scopes.length === 0)
        return { errors: { scope: textsOf(visitor, 'settings').scopesMissing } };
      await updateClient(visitor.db, visitor.account.id, client.id, { scopes });
      return { did: 'client.scopes', with: client.id, next: clientPath(client), flash: SAVED };
    },
    disable: switchingClient(true),
    enable: switchingClient(false),
    delete: async ({ c, account }, { id }) => {
      await removeClient(c.env, { accountId: account.id, code: account.code, id });
      return { did: 'client.deleted', with: id, next: '/settings' };
    },
  },
});

/** The boxes of what a client may do. */
function scopeField(visitor: Visitor, chosen: readonly string[]) {
  const texts = textsOf(visitor, 'settings');
  const options = SCOPES.map((scope): [Scope, Child] => [
    scope,
    <>
      {texts.scopes[scope]} <code class="muted">{scope}</code>
    </>,
  ]);
  return { type: 'checkbox', options, chosen } as const;
}

function newClientPage(visitor: Visitor, form: FormState): Page {
  const texts = textsOf(visitor, 'settings');
  return {
    title: texts.newClientTitle,
    lead: texts.newClientLead,
    content: (
      <FormCard
        form={form}
        title={texts.client}
        cancel="/settings"
        submit={texts.createClient}
        fields={{
          id: { maxlength: 100, autocomplete: 'off' },
          scope: scopeField(visitor, DEFAULT_SCOPES),
        }}
        texts={{ id: texts.name, idHint: texts.clientIdHint, scope: texts.whatMay }}
      />
    ),
  };
}

function clientPage(visitor: Visitor, client: ListedClient, form: FormState): Page {
  const texts = textsOf(visitor, 'settings');
  const toggle = client.disabled
    ? { does: 'enable', text: texts.enable }
    : { does: 'disable', text: texts.disable };
  return {
    title: client.id,
    actions: (
      <>
        <ClientState client={client} />
        <ButtonForm buttons={[toggle]} />
      </>
    ),
    content: (
      <>
        <FormCard
          form={form}
          title={texts.client}
          does="scopes"
          submit={visitor.common.save}
          fields={{ scope: scopeField(visitor, client.scopes) }}
          texts={{ scope: texts.whatMay }}
        />
        <Deletion title={texts.rotate} why={texts.rotateWhy} does="rotate" />
        <Deletion title={texts.deleteClient} why={texts.deleteClientWhy} />
      </>
    ),
  };
}

/** The secret of a client, which only its digest is stored of. */
export function clientSecretPage(visitor: Visitor, { id, secret }: ClientSecret): Page {
  const texts = textsOf(visitor, 'settings');
  const values = { client_id: id, client_secret: secret };
  return {
    title: texts.secretTitle({ id }),
    lead: texts.secretLead,
    crumbs: [{ name: texts.title, href: '/settings' }],
    content: (
      <SecretCard values={values} why={texts.secretOnce}>
        <ButtonLink href="/docs" text={visitor.common.apiReference} />
      </SecretCard>
    ),
  };
}

/** The webhooks of an account. */
export function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const { common } = useVisitor();
  const texts = useTexts('settings');
  const action = <ButtonLink href="/docs" text={common.apiReference} />;
  return (
    <TableCard
      title={texts.webhooks}
      none={{ icon: 'webhook', text: texts.noWebhooks, why: texts.noWebhooksWhy, action }}
      columns={[texts.name, texts.url, { numbers: texts.received }, texts.state]}
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
  const texts = useTexts('settings');
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
  const texts = textsOf({ language }, 'home');
  if (disabledBecause === 'gone') return texts.webhookGone;
  return failingSince === null
    ? null
    : texts.webhookFailing({ when: formatWhen(failingSince, now, language) });
}

function switchingWebhook(isOn: boolean): Action<Webhook> {
  return async ({ c, db, account }, webhook) => {
    const { name } = webhook;
    await switchWebhook(db, { accountId: account.id, name }, isOn);
    if (isOn) await sendTask(c.env, { kind: 'webhooks', accountId: account.id });
    return { did: isOn ? 'webhook.on' : 'webhook.off', with: name, next: webhookPath(webhook) };
  };
}

/** A webhook with its last calls, and buttons that call it with a ping, or again after failures. */
export const webhook = definePage({
  find: ({ c, db, account }) =>
    findWebhook(db, { accountId: account.id, name: c.req.query('name') ?? '' }),
  show: webhookPage,
  actions: {
    on: switchingWebhook(true),
    off: switchingWebhook(false),
    test: async ({ c, account, now }, webhook) => {
      const { name } = webhook;
      const attempt = await pingWebhook(c.env, { accountId: account.id, name }, now);
      if (attempt === null) return null;
      const { status } = attempt;
      const isFine = status !== null && status >= 200 && status < 300;
      const message: FlashMessage =
        status === null
          ? { code: 'webhookUnanswered' }
          : { code: 'webhookAnswered', values: { status } };
      return {
        did: 'webhook.tested',
        with: name,
        next: webhookPath(webhook),
        flash: { kind: isFine ? 'good' : 'bad', messages: [message] },
      };
    },
  },
});

/** Why there was no response; before reasons were stored, only in English. */
function failureOf({ reason, error }: Attempt, language: Language): string | null {
  return reason === null ? error : inWords(language, reason);
}

async function webhookPage(visitor: Visitor, webhook: Webhook): Promise<Page> {
  const { db, account, isEditor, language } = visitor;
  const texts = textsOf(visitor, 'settings');
  const attempts = await listAttempts(db, { accountId: account.id, name: webhook.name });
  const trouble = troubleOf(webhook, visitor);
  const buttons: ActionButton[] = [{ does: 'test', text: texts.test }];
  if (trouble !== null || !webhook.enabled)
    buttons.unshift({ does: 'on', text: texts.callAgain, kind: 'primary' });
  if (webhook.enabled) buttons.unshift({ does: 'off', text: texts.switchOff });
  return {
    title: webhook.name,
    lead: webhook.url,
    actions: (
      <>
        <WebhookState webhook={webhook} />
        {isEditor && <ButtonForm buttons={buttons} />}
      </>
    ),
    content: (
      <>
        {trouble && <Notice kind="bad">{trouble}</Notice>}
        <TableCard
          title={texts.attempts}
          none={{ icon: 'clock', text: texts.noAttempts }}
          columns={[texts.when, texts.answer, { numbers: texts.took }]}
          rows={attempts.map((attempt) => [
            <Ago seconds={attempt.attemptedAt} />,
            failureOf(attempt, language) ?? `${attempt.status ?? ''} ${attempt.response}`.trim(),
            `${formatNumber(attempt.milliseconds, language)} ms`,
          ])}
        />
      </>
    ),
  };
}
