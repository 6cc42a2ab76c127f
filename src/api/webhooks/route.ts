import type * as z from 'zod';
import {
  deleteWebhook,
  findWebhook,
  listAttempts,
  listWebhooks,
  MAX_WEBHOOKS,
  type WebhookAddress,
} from '../../db/news/webhooks.ts';
import type { Env } from '../../env.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { mayCallLocal } from '../../http/outbound.ts';
import { pageOf, pageQuery, REVALIDATED } from '../../http/page.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { invalidFields, ProblemError } from '../../problem.ts';
import { AT_CRM, CRM, NO_WEBHOOK, PING, SECRET, URL_OF_CRM } from './examples.ts';
import { pingWebhook, replayFrom, rotateSecret, saveWebhook } from './manage.ts';
import { EVENTS } from './message.ts';
import {
  attempt,
  attempts,
  byName,
  byNewName,
  replay,
  rotation,
  urlError,
  webhook,
  webhookList,
  webhookSettings,
  webhookWithSecret,
} from './schemas.ts';
import { attemptView, webhookView } from './view.ts';

const WEBHOOKS = '/v1/webhooks';
const WEBHOOK = `${WEBHOOKS}/{webhook}` as const;
const MAX_BYTES = 16 * 1024;
const NOT_CACHED = { 'Cache-Control': 'no-store' };
const READ = requireScope('webhooks:read');
const WRITE = requireScope('webhooks:write');

/** Manages the webhooks of the account that the token belongs to. */
export const webhooks = new Api('Webhooks');

webhooks.operation(
  {
    method: 'put',
    path: WEBHOOK,
    operationId: 'putWebhook',
    summary: 'Create or change a webhook',
    description:
      'An address that is called when the account has news, which it receives from its creation on. The response to its ' +
      'creation contains the secret with which calls are signed; no later one does. Enabling a webhook, or giving it another ' +
      'address, ends its delay after failures.',
    middleware: WRITE,
    limited: true,
    request: { params: byNewName, body: json(webhookSettings, MAX_BYTES) },
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
        request: { ...AT_CRM, body: { url: 'https://192.168.1.1/' } },
        errors: [{ pointer: '/url', detail: 'The host of the URL must be public.' }],
      },
      too_many_webhooks: {
        description: `the account has ${MAX_WEBHOOKS} webhooks.`,
        detail: `An account has at most ${MAX_WEBHOOKS} webhooks.`,
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
        request: { ...AT_CRM, body: { url: URL_OF_CRM, events: [...EVENTS], enabled: true } },
        status: 200,
        body: CRM,
        when: 'the webhook exists',
      },
    },
  },
  async (c) => {
    const address = addressOf(c);
    const { events, ...settings } = c.req.valid('json');
    const detail = urlError(settings.url, mayCallLocal(c.env));
    if (detail !== null) throw new ProblemError(invalidFields([{ pointer: '/url', detail }]));
    const { origin } = new URL(c.req.url);
    const unique = { ...settings, events: [...new Set(events)] };
    const saved = await saveWebhook(c.env, address, unique, origin);
    if (saved === 'too many webhooks') {
      throw new ProblemError({
        code: 'too_many_webhooks',
        detail: `An account has at most ${MAX_WEBHOOKS} webhooks.`,
      });
    }
    const view = await current(c.env, address);
    if (saved.secret === null) return c.json(view, 200, NOT_CACHED);
    return c.json({ ...view, secret: saved.secret }, 201, NOT_CACHED);
  },
);

webhooks.operation(
  {
    method: 'get',
    path: WEBHOOKS,
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Ordered by name. HEAD works as well.',
    middleware: READ,
    request: { query: pageQuery },
    responses: { 200: ok(webhookList, 'The account’s webhooks.', 'Link') },
    examples: { webhooks: { body: { webhooks: [CRM, { ...CRM, name: 'erp' }] } } },
  },
  async (c) => {
    const page = c.req.valid('query');
    const { accountId } = c.var.caller;
    const found = await listWebhooks(c.env.DB, accountId, page.cursor, page.limit + 1);
    const { entries, headers } = pageOf(c.req.url, page, found, (last) => last.name);
    return c.json({ webhooks: entries.map((one) => webhookView(one, now())) }, 200, headers);
  },
);

webhooks.operation(
  {
    method: 'get',
    path: WEBHOOK,
    operationId: 'getWebhook',
    summary: 'A webhook, and how far it has received the news',
    description: 'HEAD works as well.',
    middleware: READ,
    request: { params: byName },
    responses: { 200: ok(webhook, 'The webhook.') },
    problems: { webhook_not_found: NO_WEBHOOK },
    examples: { webhook: { request: AT_CRM, body: CRM } },
  },
  async (c) => c.json(await current(c.env, addressOf(c)), 200, REVALIDATED),
);

webhooks.operation(
  {
    method: 'post',
    path: `${WEBHOOK}/rotate`,
    operationId: 'rotateWebhookSecret',
    summary: 'Create another secret for a webhook',
    description: 'The response contains it; no later one does. Calls are signed with both until the old one expires.',
    middleware: WRITE,
    limited: true,
    request: { params: byName, body: json(rotation, MAX_BYTES) },
    responses: { 200: ok(webhookWithSecret, 'The webhook with its new secret.') },
    problems: {
      webhook_not_found: { ...NO_WEBHOOK, request: { ...NO_WEBHOOK.request, body: {} } },
      invalid_fields: {
        request: { ...AT_CRM, body: { old_secret_days: 31 } },
        errors: [{ pointer: '/old_secret_days', detail: 'must be at most 30' }],
      },
    },
    examples: {
      rotated: {
        request: { ...AT_CRM, body: { old_secret_days: 1 } },
        body: { ...CRM, old_secret_expires_at: '2026-11-25T09:30:00Z', secret: SECRET },
      },
    },
  },
  async (c) => {
    const address = addressOf(c);
    const days = c.req.valid('json').old_secret_days;
    const secret = await rotateSecret(c.env, address, days, now());
    if (secret === null) throw notFound(address);
    return c.json({ ...(await current(c.env, address)), secret }, 200, NOT_CACHED);
  },
);

webhooks.operation(
  {
    method: 'post',
    path: `${WEBHOOK}/test`,
    operationId: 'testWebhook',
    summary: 'Call a webhook with a ping',
    description: 'Calls it at once, whether it is enabled or not, and responds with its answer.',
    middleware: WRITE,
    limited: true,
    request: { params: byName },
    responses: { 200: ok(attempt, 'The call.') },
    problems: { webhook_not_found: NO_WEBHOOK },
    examples: { called: { request: AT_CRM, body: PING } },
  },
  async (c) => {
    const address = addressOf(c);
    const called = await pingWebhook(c.env, address, now());
    if (called === null) throw notFound(address);
    return c.json(attemptView(called), 200, NOT_CACHED);
  },
);

webhooks.operation(
  {
    method: 'get',
    path: `${WEBHOOK}/attempts`,
    operationId: 'listWebhookAttempts',
    summary: 'The last 100 calls of a webhook',
    description: 'The latest first. HEAD works as well.',
    middleware: READ,
    request: { params: byName },
    responses: { 200: ok(attempts, 'The calls.') },
    problems: { webhook_not_found: NO_WEBHOOK },
    examples: { attempts: { request: AT_CRM, body: { attempts: [PING, PING] } } },
  },
  async (c) => {
    const address = addressOf(c);
    await current(c.env, address);
    const found = await listAttempts(c.env.DB, address);
    return c.json({ attempts: found.map(attemptView) }, 200, NOT_CACHED);
  },
);

webhooks.operation(
  {
    method: 'post',
    path: `${WEBHOOK}/replay`,
    operationId: 'replayWebhook',
    summary: 'Send news again',
    description: 'Begins again with a number. If no change has it yet, the webhook continues with the next change.',
    middleware: WRITE,
    limited: true,
    request: { params: byName, body: json(replay, MAX_BYTES) },
    responses: { 200: ok(webhook, 'The webhook.') },
    problems: {
      webhook_not_found: { ...NO_WEBHOOK, request: { ...NO_WEBHOOK.request, body: { from: 1 } } },
      invalid_fields: { request: { ...AT_CRM, body: {} }, errors: [{ pointer: '/from', detail: 'is missing' }] },
    },
    examples: {
      replayed: {
        request: { ...AT_CRM, body: { from: 1 } },
        body: {
          ...CRM,
          confirmed_number: 0,
          old_secret_expires_at: '2026-11-25T09:30:00Z',
        },
      },
    },
  },
  async (c) => {
    const address = addressOf(c);
    const exists = await replayFrom(c.env, address, c.req.valid('json').from);
    if (!exists) throw notFound(address);
    return c.json(await current(c.env, address), 200, NOT_CACHED);
  },
);

webhooks.operation(
  {
    method: 'delete',
    path: WEBHOOK,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'With its log.',
    middleware: WRITE,
    limited: true,
    request: { params: byName },
    responses: { 204: empty('The webhook no longer exists.') },
    problems: { webhook_not_found: NO_WEBHOOK },
    examples: { deleted: { request: AT_CRM } },
  },
  async (c) => {
    const address = addressOf(c);
    if (!(await deleteWebhook(c.env.DB, address))) throw notFound(address);
    return c.body(null, 204);
  },
);

async function current(env: Env, address: WebhookAddress): Promise<z.output<typeof webhook>> {
  const found = await findWebhook(env.DB, address);
  if (found === null) throw notFound(address);
  return webhookView(found, now());
}

function now(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}

/** What {@link addressOf} needs of a request's context. */
interface Addressed {
  readonly var: { readonly caller: { readonly accountId: number } };
  readonly req: { valid(place: 'param'): { readonly webhook: string } };
}

function addressOf(c: Addressed): WebhookAddress {
  return { accountId: c.var.caller.accountId, name: c.req.valid('param').webhook };
}

/** The same for webhooks of other accounts as for those that do not exist. */
function notFound({ name }: WebhookAddress): ProblemError {
  return new ProblemError({
    code: 'webhook_not_found',
    detail: `The account has no webhook ${JSON.stringify(name)}.`,
  });
}
