import type { Child } from 'hono/jsx';
import { validate } from '../../api/validation.ts';
import { pingWebhook } from '../../changes/webhooks/deliver.ts';
import { EVENTS } from '../../changes/webhooks/events.ts';
import { rotateSecret, saveWebhook } from '../../changes/webhooks/manage.ts';
import { DEFAULT_OLD_SECRET_DAYS, webhookSettings } from '../../changes/webhooks/schemas.ts';
import {
  type Attempt,
  deleteWebhook,
  findWebhook,
  listAttempts,
  switchWebhook,
  type Webhook,
} from '../../changes/webhooks/webhooks.ts';
import type { Address } from '../../db/statements.ts';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { isShortName } from '../../lib/short-name.ts';
import { CLIENT_ID, newClient, removeClient } from '../../oauth/client.ts';
import { listClients, updateClient } from '../../oauth/clients.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../oauth/scopes.ts';
import { ProblemError } from '../../problem.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { type Action, type Done, definePage, type Refusal } from '../define-page.tsx';
import { type FlashMessage, SAVED } from '../flash.tsx';
import { formatNumber, formatWhen } from '../format.ts';
import { type ActionButton, ButtonForm, Deletion, FormCard } from '../frame/form.tsx';
import { Ago, ButtonLink, Chip, Item, Notice, TableCard } from '../frame/parts.tsx';
import { SecretCard } from '../once/card.tsx';
import { type ProgramSecret, showOnce } from '../once/once.ts';
import { withQuery } from '../paths.ts';
import type { Language } from '../texts/language.ts';
import { errorsByField, inWords, textOf, textsOf } from '../texts/texts.ts';
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

/** The secret of a program, which is stored as a digest only, or of a webhook, which no other page shows. */
export function programSecretPage(visitor: Visitor, { kind, id, secret }: ProgramSecret): Page {
  const texts = textsOf(visitor, 'settings');
  const isWebhook = kind === 'webhook';
  return {
    title: texts.secretTitle({ id }),
    lead: isWebhook ? texts.webhookSecretLead : texts.secretLead,
    crumbs: [{ name: texts.title, href: '/settings' }],
    content: (
      <SecretCard
        values={isWebhook ? { secret } : { client_id: id, client_secret: secret }}
        why={texts.secretOnce}
      >
        <ButtonLink href="/docs" text={visitor.common.apiReference} />
      </SecretCard>
    ),
  };
}

/** The webhooks of an account. */
export function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const { isEditor } = useVisitor();
  const texts = useTexts('settings');
  const action = isEditor && <ButtonLink href={WEBHOOK} text={texts.newWebhook} />;
  return (
    <TableCard
      title={texts.webhooks}
      more={isEditor && <a href={WEBHOOK}>{texts.newWebhook}</a>}
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

const WEBHOOK = '/settings/webhook';

function webhookPath({ name }: Pick<Webhook, 'name'>): string {
  return withQuery(WEBHOOK, { name });
}

/** Why a webhook does not receive all news; `null` if it does, or if somebody has switched it off. */
export function troubleOf({ disabledBecause, failingSince }: Webhook, guest: Guest): string | null {
  const texts = textsOf(guest, 'home');
  if (disabledBecause === 'gone') return texts.webhookGone;
  return failingSince === null
    ? null
    : texts.webhookFailing({ when: formatWhen(failingSince, guest) });
}

function addressOf({ account }: Visitor, { name }: Pick<Webhook, 'name'>): Address {
  return { accountId: account.id, name };
}

function switchingWebhook(isOn: boolean): Action<Webhook> {
  return async (visitor, webhook) => {
    const { c, db, account } = visitor;
    await switchWebhook(db, addressOf(visitor, webhook), isOn);
    if (isOn) await sendTask(c.env, { kind: 'webhooks', accountId: account.id });
    const did = isOn ? 'webhook.on' : 'webhook.off';
    return { did, with: webhook.name, next: webhookPath(webhook) };
  };
}

/** Creates a webhook, or changes one; the secret of a new one is shown once. */
async function save(
  visitor: Visitor,
  webhook: Webhook | undefined,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { c, db, account, language } = visitor;
  const texts = textsOf(visitor, 'settings');
  const name = webhook?.name ?? (fields.get('name') ?? '').trim();
  const address = { accountId: account.id, name };
  if (!isShortName(name)) return { errors: { name: texts.webhookNameInvalid } };
  if (webhook === undefined && (await findWebhook(db, address)) !== null)
    return { errors: { name: texts.webhookTaken } };
  const url = (fields.get('url') ?? '').trim();
  const enabled = webhook?.enabled ?? true;
  const given = validate(webhookSettings, { url, events: fields.getAll('events'), enabled });
  if ('errors' in given) return { errors: errorsByField(given.errors, language) };
  try {
    const secret = await saveWebhook(c.env, address, given.value, new URL(c.req.url).origin);
    const did = { did: 'webhook.saved', with: name };
    if (secret === null) return { ...did, next: webhookPath(address), flash: SAVED };
    return { ...did, next: await showOnce(visitor, { kind: 'webhook', id: name, secret }) };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { errors } = error.problem;
    return errors ? { errors: errorsByField(errors, language) } : { why: texts.tooManyWebhooks };
  }
}

/** A webhook: its address and news, its last calls, and buttons that call it; or the form for a new one. */
export const webhook = definePage<Webhook | undefined>({
  find: async ({ c, db, account, isEditor }) => {
    const name = c.req.query('name');
    if (name === undefined) return isEditor ? undefined : null;
    return findWebhook(db, { accountId: account.id, name });
  },
  settings: ({ url, events }) => ({ url, events }),
  show: webhookPage,
  create: save,
  actions: {
    save,
    on: switchingWebhook(true),
    off: switchingWebhook(false),
    rotate: async (visitor, webhook) => {
      const { c, now } = visitor;
      const { name } = webhook;
      const days = DEFAULT_OLD_SECRET_DAYS;
      const secret = await rotateSecret(c.env, addressOf(visitor, webhook), days, now);
      const next = await showOnce(visitor, { kind: 'webhook', id: name, secret });
      return { did: 'webhook.rotated', with: name, next };
    },
    delete: async (visitor, webhook) => {
      await deleteWebhook(visitor.db, addressOf(visitor, webhook));
      return { did: 'webhook.deleted', with: webhook.name, next: '/settings' };
    },
    test: async (visitor, webhook) => {
      const { name } = webhook;
      const attempt = await pingWebhook(visitor.c.env, addressOf(visitor, webhook), visitor.now);
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

async function webhookPage(
  visitor: Visitor,
  webhook: Webhook | undefined,
  form: FormState,
): Promise<Page> {
  const { isEditor } = visitor;
  const texts = textsOf(visitor, 'settings');
  const name = { required: true, maxlength: 40, autocomplete: 'off' };
  const card = (
    <FormCard
      form={form}
      title={texts.webhook}
      cancel={webhook ? undefined : '/settings'}
      submit={webhook ? visitor.common.save : texts.createWebhook}
      fields={{
        name: webhook ? undefined : name,
        url: { required: true, inputmode: 'url', autocomplete: 'off', spellcheck: false },
        events: {
          type: 'checkbox',
          options: EVENTS.map((event) => [event, texts.events[event]] as const),
          chosen: webhook?.events ?? [...EVENTS],
        },
      }}
      texts={{ ...texts, nameHint: texts.webhookNameHint, events: texts.whatNews }}
      values={{ url: webhook?.url ?? '' }}
    />
  );
  if (webhook === undefined)
    return { title: texts.newWebhook, lead: texts.newWebhookLead, content: card };
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
        <Attempts attempts={await listAttempts(visitor.db, addressOf(visitor, webhook))} />
        {isEditor && card}
        {isEditor && <Deletion title={texts.rotate} why={texts.rotateWebhookWhy} does="rotate" />}
        {isEditor && <Deletion title={texts.deleteWebhook} why={texts.deleteWebhookWhy} />}
      </>
    ),
  };
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const { language } = useVisitor();
  const texts = useTexts('settings');
  return (
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
  );
}
