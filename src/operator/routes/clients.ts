import * as z from 'zod';
import { empty, json, ok } from '../../api/operation.ts';
import { existingOnly, namedObject, namedStrictObject, time } from '../../api/schemas.ts';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { isoTime } from '../../lib/time/time.ts';
import { CLIENT_ID, newClient, removeClient } from '../../oauth/client.ts';
import { listClients, updateClient } from '../../oauth/clients.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../oauth/scopes.ts';
import { notFound, ProblemError } from '../../problem.ts';
import { accountNamed, changeableAccount } from '../access.ts';
import { account, byAccount, isNoDot, MAX_BYTES, OPERATOR, operator } from './api.ts';

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

const byClient = z.object({
  account,
  client: existingOnly(
    'client',
    z.string().meta({ description: 'The client’s id.', example: 'demo-client' }),
    'nobody',
  ),
});

operator.read({
  path: CLIENTS,
  operationId: 'listClients',
  summary: 'List the clients of an account',
  ...OPERATOR,
  request: { params: byAccount },
  responses: {
    200: ok(
      namedObject('Clients', { clients: z.array(client) }),
      'In the order of their creation.',
    ),
  },
  examples: { clients: {} },
  handle: async ({ env }, { params }) => {
    const found = await accountNamed(env, params.account);
    return { body: { clients: (await listClients(found.env.DB, found.id)).map(clientView) } };
  },
});

operator.write({
  method: 'post',
  path: CLIENTS,
  operationId: 'createClient',
  summary: 'Create a client',
  description:
    'A program that gets access tokens. Its scopes are those of updating and reading units unless stated.',
  ...OPERATOR,
  request: {
    params: byAccount,
    body: json(
      namedStrictObject('NewClient', {
        client_id: z
          .string()
          .regex(CLIENT_ID, 'must have 1 to 100 printable ASCII characters, and no colon')
          .refine(isNoDot, 'must not consist of dots')
          .optional()
          .describe('Generated unless given.'),
        scopes: scopes.default([...DEFAULT_SCOPES]),
      }),
      MAX_BYTES,
    ),
  },
  responses: { 201: ok(withSecret, 'The client with its secret.') },
  problems: {
    client_in_use: {
      description: 'a client of any account has this id.',
      detail: 'There is a client "demo-client" already.',
      request: { body: { client_id: 'demo-client' } },
    },
  },
  examples: { created: { request: { body: { client_id: 'crm' } } } },
  handle: async (c, { params, body }) => {
    const { env, id: accountId, code } = await changeableAccount(c.env, params.account);
    const created = await newClient(env, {
      accountId,
      code,
      id: body.client_id ?? '',
      scopes: body.scopes,
    });
    if (created === null) {
      const detail = `There is a client ${JSON.stringify(body.client_id)} already.`;
      throw new ProblemError({ code: 'client_in_use', detail });
    }
    return {
      status: 201,
      body: { client_id: created.id, client_secret: created.secret, scopes: created.scopes },
    };
  },
});

operator.write({
  method: 'patch',
  path: `${CLIENTS}/{client}`,
  operationId: 'changeClient',
  summary: 'Change a client',
  description: 'Its tokens have the new scopes and state within half a minute.',
  ...OPERATOR,
  request: {
    params: byClient,
    body: json(
      namedStrictObject('ClientChange', {
        scopes: scopes.optional(),
        disabled: z.boolean().optional(),
      }),
      MAX_BYTES,
    ),
  },
  responses: { 200: ok(client, 'The client as it is now.') },
  examples: { changed: { request: { body: { disabled: false } } } },
  handle: async (c, { params, body: { scopes, disabled } }) => {
    const { env, id } = await changeableAccount(c.env, params.account);
    const change = { ...(scopes && { scopes }), ...(disabled !== undefined && { disabled }) };
    if (Object.keys(change).length > 0) await updateClient(env.DB, id, params.client, change);
    const found = (await listClients(env.DB, id)).find((one) => one.id === params.client);
    if (found === undefined) throw new ProblemError(notFound('client', params.client));
    return { body: clientView(found) };
  },
});

operator.write({
  method: 'post',
  path: `${CLIENTS}/{client}/rotate`,
  operationId: 'rotateClient',
  summary: 'Replace the secret of a client',
  description: 'The old one is rejected at once.',
  ...OPERATOR,
  request: { params: byClient },
  responses: { 200: ok(withSecret, 'The client with its new secret.') },
  examples: { rotated: { request: { path: { client: 'crm' } } } },
  handle: async (c, { params }) => {
    const { env, id } = await changeableAccount(c.env, params.account);
    const client_secret = newSecret();
    if (!(await updateClient(env.DB, id, params.client, { secret: client_secret }))) {
      throw new ProblemError(notFound('client', params.client));
    }
    const found = (await listClients(env.DB, id)).find((one) => one.id === params.client);
    return { body: { client_id: params.client, client_secret, scopes: found?.scopes ?? [] } };
  },
});

operator.write({
  method: 'delete',
  path: `${CLIENTS}/{client}`,
  operationId: 'deleteClient',
  summary: 'Delete a client',
  description: 'Its tokens are rejected within half a minute.',
  ...OPERATOR,
  request: { params: byClient },
  responses: { 204: empty('The client no longer exists.') },
  examples: { deleted: { request: { path: { client: 'crm' } } } },
  handle: async (c, { params }) => {
    const { env, id: accountId, code } = await changeableAccount(c.env, params.account);
    if (await removeClient(env, { accountId, code, id: params.client })) return {};
    throw new ProblemError(notFound('client', params.client));
  },
});

function clientView({
  id,
  scopes,
  disabled,
  createdAt,
}: Awaited<ReturnType<typeof listClients>>[number]) {
  return { client_id: id, scopes, disabled, created_at: isoTime(createdAt) };
}
