import { newSecret } from '../../lib/secrets/secrets.ts';
import { CLIENT_ID, newClient, removeClient } from '../../oauth/client.ts';
import { type ListedClient, listClients, updateClient } from '../../oauth/clients.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../oauth/scopes.ts';
import { type Action, definePage } from '../define-page.tsx';
import { SAVED } from '../flash.tsx';
import { ButtonForm, Deletion, FormCard } from '../frame/form.tsx';
import { ButtonLink, Chip, Item, TableCard } from '../frame/parts.tsx';
import { showOnce } from '../once/once.ts';
import { withQuery } from '../paths.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import { type FormState, type Page, useTexts, type Visitor } from '../visit.ts';

const LIST = '/settings/programs';
const CLIENT = '/settings/client';

/** The programs of an account that use the API. */
export async function showPrograms(visitor: Visitor): Promise<Page> {
  const { db, account, isOwner } = visitor;
  const texts = textsOf(visitor, 'settings');
  const clients = await listClients(db, account.id);
  const add = isOwner && (
    <ButtonLink href={CLIENT} icon="plus" kind="primary" text={texts.newClient} />
  );
  return {
    title: texts.programsTitle({ count: clients.length }),
    lead: texts.noClientsWhy,
    actions: add,
    content: clients.length > 0 && (
      <TableCard
        title={texts.sections.programs}
        columns={[texts.name, texts.mayDo, texts.state]}
        rows={clients.map((client) => [
          isOwner ? <Item href={clientPath(client)} title={client.id} /> : <b>{client.id}</b>,
          client.scopes.map((scope) => textOf(texts.scopes, scope)).join(', '),
          <ClientState client={client} />,
        ])}
      />
    ),
  };
}

function ClientState({ client }: { readonly client: ListedClient }) {
  const texts = useTexts('settings');
  return client.disabled ? <Chip>{texts.off}</Chip> : <Chip tone="good">{texts.active}</Chip>;
}

function clientPath({ id }: ListedClient): string {
  return withQuery(CLIENT, { id });
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
  settings: ({ scopes }) => ({ scopes }),
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
      return { did: 'client.deleted', with: id, next: LIST };
    },
  },
});

/** The boxes of what a client may do. */
function scopeField(visitor: Visitor, chosen: readonly string[]) {
  const texts = textsOf(visitor, 'settings');
  const options = SCOPES.map((scope) => [scope, texts.scopes[scope]] as const);
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
        cancel={LIST}
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
