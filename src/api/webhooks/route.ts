import type { Context } from 'hono';
import type * as z from 'zod';
import {
  deleteWebhook,
  findWebhook,
  listAttempts,
  listWebhooks,
  MAX_WEBHOOKS,
  putWebhook,
  replayWebhook,
  rotateWebhook,
  type WebhookAddress,
} from '../../db/news/webhooks.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { checkUrl } from '../../http/outbound.ts';
import { byName, byNewName } from '../../http/schemas.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { existing, invalidFields, notFound, ProblemError } from '../../problem.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { newWebhookSecret } from './call.ts';
import { pingWebhook, sealSecret } from './deliver.ts';
import { EVENTS } from './message.ts';
import {
  attempt,
  attempts,
  attemptView,
  replay,
  rotation,
  webhook,
  webhookList,
  webhookSettings,
  webhookView,
  webhookWithSecret,
} from './schemas.ts';

const WEBHOOKS = '/v1/webhooks';
const WEBHOOK = `${WEBHOOKS}/{webhook}` as const;
const MAX_BYTES = 16 * 1024;
const DAY_SECONDS = 86_400;
const READ = { middleware: requireScope('webhooks:read') };
const WRITE = { middleware: requireScope('webhooks:write'), limited: true } as const;
const TOO_MANY = `An account has at most ${MAX_WEBHOOKS} webhooks.`;

const params = byName('webhook', 'crm');

const URL_OF_CRM = 'https://crm.example.com/lindero';

const CRM: z.input<typeof webhook> = {
  name: 'crm',
  url: URL_OF_CRM,
  events: [...EVENTS],
  enabled: true,
  disabled_because: null,
  created_at: '2026-11-24T09:30:00Z',
  confirmed_number: 120,
  number: 120,
  failing_since: null,
  next_attempt_at: null,
  old_secret_expires_at: null,
};

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

const PING = {
  attempted_at: '2026-11-24T09:31:00Z',
  message_id: 'msg_ping_0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e',
  events: 0,
  status: 204,
  error: null,
  milliseconds: 85,
  answer: '',
};

/** Manages the webhooks of the account that the token belongs to. */
export const webhooks = new Api('Webhooks');

webhooks.write({
  method: 'put',
  path: WEBHOOK,
  operationId: 'putWebhook',
  summary: 'Create or change a webhook',
  description:
    'An address that is called when the account has news, which it receives from its creation on. The response to its ' +
    'creation contains the secret with which calls are signed; no later one does. Enabling a webhook, or giving it another ' +
    'address, ends its delay after failures.',
  ...WRITE,
  request: { params: byNewName('webhook', 'crm'), body: json(webhookSettings, MAX_BYTES) },
  responses: {
    201: ok(webhookWithSecret, 'The new webhook with its secret.'),
    200: ok(webhook, 'The changed webhook.'),
  },
  problems: {
    bad_parameter: {
      description: 'a webhook cannot have this name.',
      detail: 'webhook must consist of 1 to 40 lower-case letters, digits, dots, underscores or hyphens.',
      request: { path: { webhook: 'CRM!' }, body: { url: URL_OF_CRM } },
    },
    invalid_fields: {
      request: { body: { url: 'https://192.168.1.1/' } },
      errors: [{ pointer: '/url', detail: 'The host of the URL must be public.' }],
    },
    too_many_webhooks: {
      description: `the account has ${MAX_WEBHOOKS} webhooks.`,
      detail: TOO_MANY,
      request: { path: { webhook: 'one-more' }, body: { url: URL_OF_CRM } },
      when: 'the account has too many webhooks',
    },
  },
  examples: {
    created: {
      request: { path: { webhook: 'erp' }, body: { url: URL_OF_CRM } },
      status: 201,
      body: { ...CRM, name: 'erp', secret: SECRET },
    },
    changed: {
      request: { body: { url: URL_OF_CRM, events: [...EVENTS], enabled: true } },
      status: 200,
      body: CRM,
      when: 'the webhook exists',
    },
  },
  handle: async (c, { params, body: { events, ...settings } }) => {
    const { env } = c;
    const address = addressOf(c, params);
    const { username, password } = new URL(checkUrl(env, settings.url));
    if (username !== '' || password !== '') {
      const detail = 'must not contain a user name or password';
      throw new ProblemError(invalidFields([{ pointer: '/url', detail }]));
    }
    const secret = newWebhookSecret();
    const unique = { ...settings, events: [...new Set(events)] };
    const sealed = await sealSecret(env, address, secret);
    const isNew = await putWebhook(env.DB, address, unique, new URL(c.req.url).origin, sealed);
    if (isNew === null) throw new ProblemError({ code: 'too_many_webhooks', detail: TOO_MANY });
    // A webhook that is enabled again may have something to receive.
    if (!isNew) await sendTask(env, { kind: 'webhooks', accountId: address.accountId });
    const view = await current(c, address);
    return isNew ? { status: 201, body: { ...view, secret } } : { body: view };
  },
});

webhooks.list({
  path: WEBHOOKS,
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Ordered by name.',
  ...READ,
  responses: { 200: ok(webhookList, 'The account’s webhooks.', 'Link') },
  examples: { webhooks: { body: { webhooks: [CRM, { ...CRM, name: 'erp' }] } } },
  handle: async (c, _, after, limit) => {
    const found = await listWebhooks(c.env.DB, c.var.caller.accountId, after, limit);
    return found.map((one) => [one.name, webhookView(one, nowInSeconds())]);
  },
});

webhooks.read({
  path: WEBHOOK,
  operationId: 'getWebhook',
  summary: 'A webhook, and how far it has received the news',
  ...READ,
  request: { params },
  responses: { 200: ok(webhook, 'The webhook.') },
  examples: { webhook: { body: CRM } },
  handle: async (c, { params }) => ({ body: await current(c, addressOf(c, params)) }),
});

webhooks.write({
  method: 'post',
  path: `${WEBHOOK}/rotate`,
  operationId: 'rotateWebhookSecret',
  summary: 'Create another secret for a webhook',
  description: 'The response contains it; no later one does. Calls are signed with both until the old one expires.',
  ...WRITE,
  request: { params, body: json(rotation, MAX_BYTES) },
  responses: { 200: ok(webhookWithSecret, 'The webhook with its new secret.') },
  problems: {
    invalid_fields: {
      request: { body: { old_secret_days: 31 } },
      errors: [{ pointer: '/old_secret_days', detail: 'must be at most 30' }],
    },
  },
  examples: {
    rotated: {
      request: { body: { old_secret_days: 1 } },
      body: { ...CRM, old_secret_expires_at: '2026-11-25T09:30:00Z', secret: SECRET },
    },
  },
  handle: async (c, { params, body }) => {
    const address = addressOf(c, params);
    const secret = newWebhookSecret();
    const sealed = await sealSecret(c.env, address, secret);
    await rotateWebhook(c.env.DB, address, sealed, body.old_secret_days * DAY_SECONDS, nowInSeconds());
    return { body: { ...(await current(c, address)), secret } };
  },
});

webhooks.write({
  method: 'post',
  path: `${WEBHOOK}/test`,
  operationId: 'testWebhook',
  summary: 'Call a webhook with a ping',
  description: 'Calls it at once, whether it is enabled or not, and responds with its answer.',
  ...WRITE,
  request: { params },
  responses: { 200: ok(attempt, 'The call.') },
  examples: { called: { body: PING } },
  handle: async (c, { params }) => {
    const called = await pingWebhook(c.env, addressOf(c, params), nowInSeconds());
    return { body: attemptView(existing(called, notFound('webhook', params.webhook))) };
  },
});

webhooks.read({
  path: `${WEBHOOK}/attempts`,
  operationId: 'listWebhookAttempts',
  summary: 'The last 100 calls of a webhook',
  description: 'The latest first.',
  ...READ,
  request: { params },
  responses: { 200: ok(attempts, 'The calls.') },
  examples: { attempts: { body: { attempts: [PING, PING] } } },
  handle: async (c, { params }) => {
    const address = addressOf(c, params);
    await current(c, address);
    return { body: { attempts: (await listAttempts(c.env.DB, address)).map(attemptView) } };
  },
});

webhooks.write({
  method: 'post',
  path: `${WEBHOOK}/replay`,
  operationId: 'replayWebhook',
  summary: 'Send news again',
  description: 'Begins again with a number. If no change has it yet, the webhook continues with the next change.',
  ...WRITE,
  request: { params, body: json(replay, MAX_BYTES) },
  responses: { 200: ok(webhook, 'The webhook.') },
  problems: { invalid_fields: { request: { body: {} }, errors: [{ pointer: '/from', detail: 'is missing' }] } },
  examples: {
    replayed: {
      request: { body: { from: 1 } },
      body: { ...CRM, confirmed_number: 0, old_secret_expires_at: '2026-11-25T09:30:00Z' },
    },
  },
  handle: async (c, { params, body }) => {
    const address = addressOf(c, params);
    const exists = await replayWebhook(c.env.DB, address, body.from);
    if (exists) await sendTask(c.env, { kind: 'webhooks', accountId: address.accountId });
    return { body: await current(c, address) };
  },
});

webhooks.write({
  method: 'delete',
  path: WEBHOOK,
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'With its log.',
  ...WRITE,
  request: { params },
  responses: { 204: empty('The webhook no longer exists.') },
  examples: { deleted: {} },
  handle: async (c, { params }) => {
    const isDeleted = await deleteWebhook(c.env.DB, addressOf(c, params));
    if (!isDeleted) throw new ProblemError(notFound('webhook', params.webhook));
    return {};
  },
});

function addressOf(c: Context<CallerEnv>, { webhook: name }: { readonly webhook: string }): WebhookAddress {
  return { accountId: c.var.caller.accountId, name };
}

/** @throws ProblemError if the account has no such webhook */
async function current(c: Context<CallerEnv>, address: WebhookAddress) {
  const found = await findWebhook(c.env.DB, address);
  return webhookView(existing(found, notFound('webhook', address.name)), nowInSeconds());
}
