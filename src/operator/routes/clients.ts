import * as z from 'zod';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import { json } from '../../api/requests.ts';
import { body, empty, error, errors, missing, ok } from '../../api/responses.ts';
import { createRoute } from '../../api/router.ts';
import { namedObject, namedStrictObject, time } from '../../api/schemas.ts';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { isoTime } from '../../lib/time/time.ts';
import { because } from '../../messages/messages.ts';
import { matching } from '../../messages/parsed.ts';
import { CLIENT_ID, newClient, removeClient } from '../../oauth/client.ts';
import { type ListedClient, listClients, updateClient } from '../../oauth/clients.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../oauth/scopes.ts';
import { existing, notFound, ProblemError } from '../../problem.ts';
import { accountNamed, changeableAccount } from '../access.ts';
import {
  account,
  byAccount,
  isNoDot,
  MAX_BYTES,
  NO_ACCOUNT,
  OPERATOR,
  OPERATOR_ERRORS,
  operator,
} from './api.ts';

const CLIENTS = '/v1/operator/accounts/{account}/clients';

const scopes = z.array(z.enum(SCOPES as [Scope, ...Scope[]])).min(1);

const client = namedObject('Client', {
  client_id: z.string(),
  scopes: z.array(z.string()),
  disabled: z.boolean(),
  created_at: time,
});

const withSecret = namedObject('ClientWithSecret', {
  client_id: z.string(),
  client_secret: z.string().describe('Not shown again.'),
  scopes: z.array(z.string()),
});

const clients = namedObject('Clients', { clients: z.array(client) });

const newClientBody = namedStrictObject('NewClient', {
  client_id: matching(CLIENT_ID, 'not_client_id')
    .refine(isNoDot, because('only_dots'))
    .optional()
    .describe('Generated unless given.'),
  scopes: scopes.default([...DEFAULT_SCOPES]),
});

const clientChange = namedStrictObject('ClientChange', {
  scopes: scopes.optional(),
  disabled: z.boolean().optional(),
});

const byClient = z.object({
  account,
  client: z.string().meta({ description: 'The client’s id.', example: 'demo-client' }),
});

const CLIENT_ERRORS = [...OPERATOR_ERRORS, NO_ACCOUNT, missing('client', 'nobody')];

const getClients = createRoute({
  method: 'get',
  path: CLIENTS,
  operationId: 'listClients',
  summary: 'List the clients of an account',
  ...OPERATOR,
  request: { params: byAccount },
  responses: {
    200: ok(clients, 'In the order of their creation.'),
    ...errors(OPERATOR_ERRORS, NO_ACCOUNT),
  },
});

operator.openapi(getClients, async (c) => {
  const found = await accountNamed(c.env, c.req.valid('param').account);
  const all = await listClients(found.env.DB, found.id);
  return c.json({ clients: all.map(clientView) }, 200, REVALIDATED);
});

const createClient = createRoute({
  method: 'post',
  path: CLIENTS,
  operationId: 'createClient',
  summary: 'Create a client',
  description:
    'A program that gets access tokens. Its scopes are those of updating and reading units ' +
    'unless stated.',
  ...OPERATOR,
  request: {
    params: byAccount,
    body: json(newClientBody, MAX_BYTES, { created: { client_id: 'crm' } }),
  },
  responses: {
    201: ok(withSecret, 'The client with its secret.'),
    ...errors(
      OPERATOR_ERRORS,
      NO_ACCOUNT,
      body(MAX_BYTES),
      error(
        'client_in_use',
        'a client of any account has this id.',
        'There is a client "demo-client" already.',
      ),
    ),
  },
});

operator.openapi(createClient, async (c) => {
  const { client_id: given = '', scopes } = c.req.valid('json');
  const found = await changeableAccount(c.env, c.req.valid('param').account);
  const { env, id: accountId, code } = found;
  const created = await newClient(env, { accountId, code, id: given, scopes });
  if (created === null) {
    const detail = `There is a client ${JSON.stringify(given)} already.`;
    throw new ProblemError({ code: 'client_in_use', detail });
  }
  const { id: client_id, secret: client_secret } = created;
  return c.json({ client_id, client_secret, scopes: [...created.scopes] }, 201, NOT_CACHED);
});

const changeClient = createRoute({
  method: 'patch',
  path: `${CLIENTS}/{client}`,
  operationId: 'changeClient',
  summary: 'Change a client',
  description: 'Its tokens have the new scopes and state within half a minute.',
  ...OPERATOR,
  request: {
    params: byClient,
    body: json(clientChange, MAX_BYTES, { changed: { disabled: false } }),
  },
  responses: {
    200: ok(client, 'The client as it is now.'),
    ...errors(CLIENT_ERRORS, body(MAX_BYTES)),
  },
});

operator.openapi(changeClient, async (c) => {
  const { account: code, client: clientId } = c.req.valid('param');
  const { scopes, disabled } = c.req.valid('json');
  const { env, id } = await changeableAccount(c.env, code);
  const change = { ...(scopes && { scopes }), ...(disabled !== undefined && { disabled }) };
  if (Object.keys(change).length > 0) await updateClient(env.DB, id, clientId, change);
  const found = (await listClients(env.DB, id)).find((one) => one.id === clientId);
  return c.json(clientView(existing(found, notFound('client', clientId))), 200, NOT_CACHED);
});

const rotateClient = createRoute({
  method: 'post',
  path: `${CLIENTS}/{client}/rotate`,
  operationId: 'rotateClient',
  summary: 'Replace the secret of a client',
  description: 'The old one is rejected at once.',
  ...OPERATOR,
  request: { params: byClient },
  responses: {
    200: ok(withSecret, 'The client with its new secret.'),
    ...errors(CLIENT_ERRORS),
  },
});

operator.openapi(rotateClient, async (c) => {
  const { account: code, client: client_id } = c.req.valid('param');
  const { env, id } = await changeableAccount(c.env, code);
  const client_secret = newSecret();
  if (!(await updateClient(env.DB, id, client_id, { secret: client_secret }))) {
    throw new ProblemError(notFound('client', client_id));
  }
  const found = (await listClients(env.DB, id)).find((one) => one.id === client_id);
  return c.json({ client_id, client_secret, scopes: found?.scopes ?? [] }, 200, NOT_CACHED);
});

const deleteClient = createRoute({
  method: 'delete',
  path: `${CLIENTS}/{client}`,
  operationId: 'deleteClient',
  summary: 'Delete a client',
  description: 'Its tokens are rejected within half a minute.',
  ...OPERATOR,
  request: { params: byClient },
  responses: { 204: empty('The client no longer exists.'), ...errors(CLIENT_ERRORS) },
});

operator.openapi(deleteClient, async (c) => {
  const { account: given, client: clientId } = c.req.valid('param');
  const { env, id: accountId, code } = await changeableAccount(c.env, given);
  if (!(await removeClient(env, { accountId, code, id: clientId })))
    throw new ProblemError(notFound('client', clientId));
  return c.body(null, 204);
});

function clientView({ id, scopes, disabled, createdAt }: ListedClient) {
  return { client_id: id, scopes, disabled, created_at: isoTime(createdAt) };
}
