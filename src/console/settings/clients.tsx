import type { Context } from 'hono';
import { deleteClient, listClients, setClientDisabled, setClientSecret } from '../../db/accounts/clients.ts';
import type { AppEnv } from '../../env.ts';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { CLIENT_ID, newClient } from '../../oauth/new-client.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../oauth/scopes.ts';
import { Choice, Choices, Deletion, Submit, TextField } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Chip, Copyable, Facts, Item, Notice } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may, notFoundPage, readForm, recordDone } from '../guards.tsx';
import { query } from '../paths.ts';
import { textOf } from '../texts/catalogue.ts';
import { SETTINGS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';

export type ListedClient = Awaited<ReturnType<typeof listClients>>[number];

const NEW = { id: '', scopes: DEFAULT_SCOPES as readonly string[] };

/** The programs of an account that use the API. */
export function Clients({ clients }: { readonly clients: readonly ListedClient[] }) {
  const texts = useTexts(SETTINGS);
  const isOwner = may(useVisitor(), 'owner');
  return (
    <Card
      title={texts.clients}
      flush
      more={isOwner && clients.length > 0 && <a href="/settings/client">{texts.newClient}</a>}
      empty={
        clients.length === 0 && {
          ...{ icon: 'key', text: texts.noClients, why: texts.noClientsWhy },
          action: isOwner && <ButtonLink href="/settings/client">{texts.newClient}</ButtonLink>,
        }
      }
    >
      <Table
        label={texts.clients}
        columns={[[texts.name], [texts.mayDo], [texts.state]]}
        rows={clients.map((client) => [
          isOwner ? <Item href={pathOf(client)} title={client.id} /> : <b>{client.id}</b>,
          client.scopes.map((scope) => textOf(texts.scopes, scope)).join(', '),
          <ClientState client={client} />,
        ])}
      />
    </Card>
  );
}

function ClientState({ client }: { readonly client: ListedClient }) {
  const texts = useTexts(SETTINGS);
  return client.disabled ? <Chip>{texts.off}</Chip> : <Chip tone="good">{texts.active}</Chip>;
}

function pathOf({ id }: Pick<ListedClient, 'id'>): string {
  return `/settings/client?${query({ id })}`;
}

/** The client that the query names; `null` without an id, `undefined` if the account has none with it. */
async function find(c: Context<AppEnv>, { account }: Visitor): Promise<ListedClient | null | undefined> {
  const wanted = c.req.query('id');
  if (wanted === undefined) return null;
  return (await listClients(c.env.DB, account.id)).find(({ id }) => id === wanted);
}

/** A client, or the form for a new one. */
export async function showClient(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const client = await find(c, visitor);
  if (client === undefined) return notFoundPage(visitor);
  return client === null ? newClientPage(visitor, NEW) : clientPage(visitor, client);
}

/** Creates a client, gives one another secret, disables, enables or deletes it. */
export async function changeClient(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const { DB } = c.env;
  const { id: accountId } = visitor.account;
  const client = await find(c, visitor);
  if (client === undefined) return notFoundPage(visitor);
  const fields = await readForm(c);
  if (client === null) return createClient(c, visitor, fields);
  const action = fields.get('do');
  if (action === 'rotate') {
    const secret = newSecret();
    await setClientSecret(DB, accountId, client.id, secret);
    await recordDone(c, visitor, 'client.rotated', client.id);
    return secretPage(visitor, client.id, secret);
  }
  if (action === 'delete' && !fields.has('sure')) {
    return { ...clientPage(visitor, client, visitor.texts.sureMissing), status: 422 };
  }
  if (action === 'delete') await deleteClient(DB, accountId, client.id);
  else await setClientDisabled(DB, accountId, client.id, action === 'disable');
  await recordDone(c, visitor, action === 'delete' ? 'client.deleted' : 'client.changed', client.id);
  return c.redirect(action === 'delete' ? '/settings' : pathOf(client), 303);
}

async function createClient(c: Context<AppEnv>, visitor: Visitor, fields: URLSearchParams): Promise<Page> {
  const texts = SETTINGS[visitor.language];
  const typed = { id: (fields.get('id') ?? '').trim(), scopes: fields.getAll('scope') };
  const scopes = SCOPES.filter((scope) => typed.scopes.includes(scope));
  if (typed.id !== '' && !CLIENT_ID.test(typed.id)) return newClientPage(visitor, typed, { id: texts.clientIdInvalid });
  if (scopes.length === 0) return newClientPage(visitor, typed, { scopes: texts.scopesMissing });
  const { id: accountId, code } = visitor.account;
  const created = await newClient(c.env, { accountId, code, id: typed.id, scopes });
  if (created === null) return newClientPage(visitor, typed, { id: texts.clientIdTaken });
  await recordDone(c, visitor, 'client.created', created.id);
  return secretPage(visitor, created.id, created.secret);
}

function newClientPage(
  visitor: Visitor,
  typed: typeof NEW,
  errors: { readonly id?: string; readonly scopes?: string } = {},
): Page {
  const texts = SETTINGS[visitor.language];
  return {
    title: texts.newClientTitle,
    lead: texts.newClientLead,
    crumbs: [[texts.title, '/settings']],
    status: Object.keys(errors).length > 0 ? 422 : 200,
    content: (
      <Card title={texts.client}>
        <form method="post" action="/settings/client" class="stack">
          <TextField
            field={{ name: 'id', label: texts.name, hint: texts.clientIdHint, error: errors.id }}
            value={typed.id}
            maxlength={100}
            autocomplete="off"
          />
          <Choices legend={texts.whatMay} id="scopes" error={errors.scopes}>
            {SCOPES.map((scope) => (
              <Choice name="scope" value={scope} checked={typed.scopes.includes(scope)}>
                {texts.scopes[scope]} <code class="muted">{scope}</code>
              </Choice>
            ))}
          </Choices>
          <Submit cancel="/settings">{texts.createClient}</Submit>
        </form>
      </Card>
    ),
  };
}

function clientPage(visitor: Visitor, client: ListedClient, problem?: string): Page {
  const texts = SETTINGS[visitor.language];
  const { disabled } = client;
  return {
    title: client.id,
    crumbs: [[texts.title, '/settings']],
    notice: problem !== undefined && <Notice kind="bad">{problem}</Notice>,
    actions: <ClientState client={client} />,
    content: (
      <div class="stack">
        <Card title={texts.whatMay}>
          <Facts facts={client.scopes.map((scope) => [<code>{scope}</code>, textOf(texts.scopes, scope)])} />
        </Card>
        <Card title={texts.secret}>
          <form method="post" action={pathOf(client)} class="stack close">
            <p class="muted">{texts.rotateWhy}</p>
            <div class="actions">
              <Button name="do" value="rotate">
                {texts.rotate}
              </Button>
              <Button name="do" value={disabled ? 'enable' : 'disable'}>
                {disabled ? texts.enable : texts.disable}
              </Button>
            </div>
          </form>
        </Card>
        <Card title={texts.deleteClient}>
          <Deletion why={texts.deleteClientWhy} action={pathOf(client)} />
        </Card>
      </div>
    ),
  };
}

function secretPage(visitor: Visitor, id: string, secret: string): Page {
  const { texts: common, language } = visitor;
  const texts = SETTINGS[language];
  return {
    title: texts.secretTitle({ id }),
    lead: texts.secretLead,
    crumbs: [[texts.title, '/settings']],
    content: (
      <Card title={texts.client}>
        <div class="stack close">
          <Facts kind="tall" facts={[['client_id', <Copyable id="client-id" text={id} />]]} />
          <Facts kind="tall" facts={[['client_secret', <Copyable id="client-secret" text={secret} />]]} />
          <Notice kind="warn">{texts.secretOnce}</Notice>
          <div class="actions">
            <ButtonLink href="/docs">{common.apiReference}</ButtonLink>
            <ButtonLink href="/settings" kind="primary">
              {texts.title}
            </ButtonLink>
          </div>
        </div>
      </Card>
    ),
  };
}
