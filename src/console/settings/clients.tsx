import {
  deleteClient,
  listClients,
  setClientDisabled,
  setClientScopes,
  setClientSecret,
} from '../../db/accounts/clients.ts';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { CLIENT_ID, newClient } from '../../oauth/new-client.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../oauth/scopes.ts';
import { ButtonForm, Fields, FormCard } from '../frame/fields.tsx';
import { Choice, Choices, Deletion } from '../frame/form.tsx';
import { ButtonLink, Card, Chip, Copyable, Facts, Item, Notice } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { query } from '../paths.ts';
import { type Action, pageOf } from '../subject.tsx';
import { textOf } from '../texts/catalogue.ts';
import { SETTINGS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';

type ListedClient = Awaited<ReturnType<typeof listClients>>[number];

/** The programs of an account that use the API. */
export function Clients({ clients }: { readonly clients: readonly ListedClient[] }) {
  const texts = useTexts(SETTINGS);
  const isOwner = may(useVisitor(), 'owner');
  const action = isOwner && <ButtonLink href="/settings/client">{texts.newClient}</ButtonLink>;
  const none = { icon: 'key', text: texts.noClients, why: texts.noClientsWhy, action } as const;
  return (
    <TableCard
      title={texts.clients}
      more={isOwner && <a href="/settings/client">{texts.newClient}</a>}
      none={none}
      columns={[[texts.name], [texts.mayDo], [texts.state]]}
      rows={clients.map((client) => [
        isOwner ? <Item href={pathOf(client)} title={client.id} /> : <b>{client.id}</b>,
        client.scopes.map((scope) => textOf(texts.scopes, scope)).join(', '),
        <ClientState client={client} />,
      ])}
    />
  );
}

function ClientState({ client }: { readonly client: ListedClient }) {
  const texts = useTexts(SETTINGS);
  return client.disabled ? <Chip>{texts.off}</Chip> : <Chip tone="good">{texts.active}</Chip>;
}

function pathOf({ id }: ListedClient): string {
  return `/settings/client?${query({ id })}`;
}

/** A client: another secret, disabling, enabling, deleting; or the form for a new one. */
export const client = pageOf<ListedClient | undefined>({
  find: async (c, { account }) => {
    const wanted = c.req.query('id');
    if (wanted === undefined) return undefined;
    return (await listClients(c.env.DB, account.id)).find(({ id }) => id === wanted) ?? null;
  },
  show: ({ visitor, subject }) => (subject === undefined ? newClientPage(visitor) : clientPage(visitor, subject)),
  create: async ({ c, visitor, fields }) => {
    const texts = SETTINGS[visitor.language];
    const typed = { id: (fields.get('id') ?? '').trim(), scopes: scopesIn(fields) };
    const isId = typed.id === '' || CLIENT_ID.test(typed.id);
    if (!isId) return newClientPage(visitor, typed, { id: texts.clientIdInvalid });
    if (typed.scopes.length === 0) return newClientPage(visitor, typed, { scopes: texts.scopesMissing });
    const { id: accountId, code } = visitor.account;
    const created = await newClient(c.env, { accountId, code, ...typed });
    if (created === null) return newClientPage(visitor, typed, { id: texts.clientIdTaken });
    return { did: 'client.created', with: created.id, next: secretPage(visitor, created.id, created.secret) };
  },
  actions: {
    rotate: async ({ c, visitor, subject: { id } }) => {
      const secret = newSecret();
      await setClientSecret(c.env.DB, visitor.account.id, id, secret);
      return { did: 'client.rotated', with: id, next: secretPage(visitor, id, secret) };
    },
    scopes: async ({ c, visitor, subject, fields }) => {
      const scopes = scopesIn(fields);
      if (scopes.length === 0) return clientPage(visitor, subject, SETTINGS[visitor.language].scopesMissing);
      await setClientScopes(c.env.DB, visitor.account.id, subject.id, scopes);
      return { did: 'client.scopes', with: subject.id, next: pathOf(subject) };
    },
    disable: setting(true),
    enable: setting(false),
    delete: async ({ c, visitor, subject: { id } }) => {
      await deleteClient(c.env.DB, visitor.account.id, id);
      return { did: 'client.deleted', with: id, next: '/settings' };
    },
  },
});

function scopesIn(fields: URLSearchParams) {
  const given = fields.getAll('scope');
  return SCOPES.filter((scope) => given.includes(scope));
}

/** What a program may do, as boxes to tick. */
function ScopeChoices({ chosen, error }: { readonly chosen: readonly string[]; readonly error: string | undefined }) {
  const texts = useTexts(SETTINGS);
  return (
    <Choices legend={texts.whatMay} id="scopes" error={error}>
      {SCOPES.map((scope) => (
        <Choice name="scope" value={scope} checked={chosen.includes(scope)}>
          {texts.scopes[scope]} <code class="muted">{scope}</code>
        </Choice>
      ))}
    </Choices>
  );
}

function setting(disabled: boolean): Action<ListedClient> {
  return async ({ c, visitor, subject }) => {
    await setClientDisabled(c.env.DB, visitor.account.id, subject.id, disabled);
    return { did: 'client.changed', with: subject.id, next: pathOf(subject) };
  };
}

function newClientPage(
  { language }: Visitor,
  typed: { readonly id: string; readonly scopes: readonly string[] } = { id: '', scopes: DEFAULT_SCOPES },
  errors?: { readonly id?: string; readonly scopes?: string },
): Page {
  const texts = SETTINGS[language];
  return {
    title: texts.newClientTitle,
    lead: texts.newClientLead,
    status: errors === undefined ? 200 : 422,
    content: (
      <FormCard title={texts.client} action="/settings/client" cancel="/settings" submit={texts.createClient}>
        <Fields
          fields={{ id: { maxlength: 100, autocomplete: 'off' } }}
          texts={{ id: texts.name, idHint: texts.clientIdHint }}
          values={{ id: typed.id }}
          errors={errors}
        />
        <ScopeChoices chosen={typed.scopes} error={errors?.scopes} />
      </FormCard>
    ),
  };
}

function clientPage({ language, texts: common }: Visitor, client: ListedClient, error?: string): Page {
  const texts = SETTINGS[language];
  const toggle = client.disabled ? (['enable', texts.enable] as const) : (['disable', texts.disable] as const);
  return {
    title: client.id,
    status: error === undefined ? 200 : 422,
    actions: <ClientState client={client} />,
    content: (
      <div class="stack">
        <FormCard title={texts.client} action={pathOf(client)} does="scopes" submit={common.save}>
          <ScopeChoices chosen={error === undefined ? client.scopes : []} error={error} />
        </FormCard>
        <Card title={texts.secret}>
          <p class="muted">{texts.rotateWhy}</p>
          <ButtonForm action={pathOf(client)} buttons={[['rotate', texts.rotate], toggle]} />
        </Card>
        <Card title={texts.deleteClient}>
          <Deletion why={texts.deleteClientWhy} action={pathOf(client)} />
        </Card>
      </div>
    ),
  };
}

function secretPage({ texts: common, language }: Visitor, id: string, secret: string): Page {
  const texts = SETTINGS[language];
  return {
    title: texts.secretTitle({ id }),
    lead: texts.secretLead,
    content: (
      <Card title={texts.client}>
        <Facts kind="tall" facts={[['client_id', <Copyable id="client-id" text={id} />]]} />
        <Facts kind="tall" facts={[['client_secret', <Copyable id="client-secret" text={secret} />]]} />
        <Notice kind="warn">{texts.secretOnce}</Notice>
        <div class="actions">
          <ButtonLink href="/docs">{common.apiReference}</ButtonLink>
          <ButtonLink href="/settings" kind="primary">
            {texts.title}
          </ButtonLink>
        </div>
      </Card>
    ),
  };
}
