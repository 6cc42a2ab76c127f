import type { Context } from 'hono';
import type * as z from 'zod';
import { serveCollection } from '../../api/collection.ts';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import { created, json, KIB, limitChanges } from '../../api/requests.ts';
import {
  body,
  clientChanges,
  clientReads,
  error,
  errors,
  fields,
  missing,
  newName,
  ok,
} from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { byName, byNewName, shown } from '../../api/schemas.ts';
import type { Address } from '../../db/statements.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import { type CallerEnv, withScope } from '../../oauth/bearer.ts';
import { existing, fieldError, invalidFields, notFound, ProblemError } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { pingWebhook } from './deliver.ts';
import { EVENTS } from './events.ts';
import { rotateSecret, saveWebhook, TOO_MANY } from './manage.ts';
import * as schemas from './schemas.ts';
import * as store from './webhooks.ts';

const READ = { tags: ['Webhooks'], ...withScope('webhooks:read') };
const WRITE = { tags: ['Webhooks'], ...withScope('webhooks:write') };
const WEBHOOKS = '/v1/webhooks';
const WEBHOOK = `${WEBHOOKS}/{webhook}` as const;

/** Maximum size of a body, in bytes. */
const MAX_BYTES = 16 * KIB;

const READ_ERRORS = [...clientReads('webhooks:read'), missing('webhook')];
const CHANGE_ERRORS = [...clientChanges('webhooks:write'), missing('webhook')];

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const CRM: z.output<typeof schemas.webhook> = {
  name: 'crm',
  url: 'https://crm.example.com/lindero',
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
const CALL: z.output<typeof schemas.attempt> = {
  attempted_at: '2026-11-24T09:31:00Z',
  message_id: 'msg_ping_0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e',
  events: 0,
  status: 204,
  error: null,
  reason: null,
  milliseconds: 85,
  response: '',
};
const OLD_SECRET_EXPIRES_AT = '2026-11-25T09:30:00Z';

/** Manages the webhooks of the account that the token belongs to. */
export const webhooks = new Router();

webhooks.use(`${WEBHOOKS}/*`, serves('webhooks'));

const putWebhook = createRoute({
  method: 'put',
  path: WEBHOOK,
  operationId: 'putWebhook',
  summary: 'Create or change a webhook',
  description:
    'A webhook is an address that is called with the news of the account, from its creation on. ' +
    'The response that creates it contains the secret with which calls are signed; no later one ' +
    'does. Enabling a webhook, or giving it another address, ends its delay after failures.',
  ...WRITE,
  request: {
    params: byNewName('webhook', 'crm'),
    body: json(schemas.webhookSettings, MAX_BYTES, {
      created: { url: CRM.url },
      changed: { url: CRM.url },
    }),
  },
  responses: {
    200: ok(schemas.webhook, 'The changed webhook.', { examples: { changed: CRM } }),
    201: ok(schemas.webhookWithSecret, 'The new webhook.', {
      headers: ['Location'],
      examples: { created: { ...CRM, name: 'crm-2', secret: SECRET } },
    }),
    ...errors(
      clientChanges('webhooks:write'),
      newName('webhook'),
      body(MAX_BYTES),
      fields({ '/url': message('host_not_public') }),
      error('too_many_webhooks', `the account has ${store.MAX_WEBHOOKS} webhooks.`, TOO_MANY),
    ),
  },
});

webhooks.openapi(putWebhook, async (c) => {
  const settings = c.req.valid('json');
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').webhook);
  const secret = await saveWebhook(c.env, address, settings, new URL(c.req.url).origin);
  const view = await current(c, address);
  return secret === null
    ? c.json(view, 200, NOT_CACHED)
    : c.json({ ...view, secret }, 201, { ...NOT_CACHED, ...created(c) });
});

serveCollection(webhooks, {
  kind: 'webhook',
  tag: 'Webhooks',
  scope: 'webhooks',
  list: {
    entry: schemas.webhook,
    examples: [CRM, { ...CRM, name: 'crm-2' }],
    async read(c, after, limit) {
      const found = await store.listWebhooks(c.env.DB, c.var.caller.accountId, after, limit);
      const now = nowInSeconds();
      return found.map((one) => schemas.webhookView(one, now));
    },
  },
  get: {
    description: 'The webhook and how far it has received the news.',
    schema: schemas.webhook,
    example: CRM,
    read: (c, name) => current(c, addressOf(c, name)),
  },
  delete: {
    description: 'Its log is deleted as well.',
    remove: (c, name) => store.deleteWebhook(c.env.DB, addressOf(c, name)),
  },
});

const rotateWebhookSecret = createRoute({
  method: 'post',
  path: `${WEBHOOK}/rotate`,
  operationId: 'rotateWebhookSecret',
  summary: 'Create another secret for a webhook',
  description:
    'The response contains it; no later one does. Calls are also signed with the old ones until ' +
    'they expire.',
  ...WRITE,
  request: {
    params: byName('webhook', 'crm'),
    body: json(schemas.rotation, MAX_BYTES, { rotateWebhookSecret: { old_secret_days: 1 } }),
  },
  responses: {
    200: ok(schemas.webhookWithSecret, 'The webhook with its new secret.', {
      examples: {
        rotateWebhookSecret: {
          ...CRM,
          old_secret_expires_at: OLD_SECRET_EXPIRES_AT,
          secret: SECRET,
        },
      },
    }),
    ...errors(CHANGE_ERRORS, body(MAX_BYTES)),
  },
});

webhooks.openapi(rotateWebhookSecret, async (c) => {
  const { old_secret_days: days } = c.req.valid('json');
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').webhook);
  const secret = await rotateSecret(c.env, address, days, nowInSeconds());
  return c.json({ ...(await current(c, address)), secret }, 200, NOT_CACHED);
});

const testWebhook = createRoute({
  method: 'post',
  path: `${WEBHOOK}/test`,
  operationId: 'testWebhook',
  summary: 'Call a webhook with a ping',
  description: 'Calls it at once, whether it is enabled or not, and returns its response.',
  ...WRITE,
  request: { params: byName('webhook', 'crm') },
  responses: {
    200: ok(schemas.attempt, 'The call.', { examples: { called: CALL } }),
    ...errors(CHANGE_ERRORS),
  },
});

webhooks.openapi(testWebhook, async (c) => {
  const { webhook: name } = c.req.valid('param');
  await limitChanges(c);
  const called = await pingWebhook(c.env, addressOf(c, name), nowInSeconds());
  return c.json(
    shown(schemas.attempt, existing(called, notFound('webhook', name))),
    200,
    NOT_CACHED,
  );
});

const listWebhookAttempts = createRoute({
  method: 'get',
  path: `${WEBHOOK}/attempts`,
  operationId: 'listWebhookAttempts',
  summary: 'The last 100 calls of a webhook',
  description: 'Latest first.',
  ...READ,
  request: { params: byName('webhook', 'crm') },
  responses: {
    200: ok(schemas.attempts, 'The calls.', {
      examples: { attempts: { attempts: [CALL, CALL] } },
    }),
    ...errors(READ_ERRORS),
  },
});

webhooks.openapi(listWebhookAttempts, async (c) => {
  const address = addressOf(c, c.req.valid('param').webhook);
  await current(c, address);
  const found = await store.listAttempts(c.env.DB, address);
  return c.json({ attempts: found.map(schemas.attemptView) }, 200, REVALIDATED);
});

const replayWebhook = createRoute({
  method: 'post',
  path: `${WEBHOOK}/replay`,
  operationId: 'replayWebhook',
  summary: 'Send news again',
  description:
    'Sends news again, from the change with the number `from`. The number of the next change ' +
    'skips all before it.',
  ...WRITE,
  request: {
    params: byName('webhook', 'crm'),
    body: json(schemas.replay, MAX_BYTES, { replayWebhook: { from: 1 } }),
  },
  responses: {
    200: ok(schemas.webhook, 'The webhook as it is now.', {
      examples: {
        replayWebhook: {
          ...CRM,
          confirmed_number: 0,
          old_secret_expires_at: OLD_SECRET_EXPIRES_AT,
        },
      },
    }),
    ...errors(CHANGE_ERRORS, body(MAX_BYTES)),
  },
});

webhooks.openapi(replayWebhook, async (c) => {
  const { from } = c.req.valid('json');
  await limitChanges(c);
  const address = addressOf(c, c.req.valid('param').webhook);
  if (!(await store.replayWebhook(c.env.DB, address, from))) {
    await current(c, address);
    throw new ProblemError(invalidFields([fieldError('/from', message('after_next_change'))]));
  }
  await sendTask(c.env, { kind: 'webhooks', accountId: address.accountId });
  return c.json(await current(c, address), 200, NOT_CACHED);
});

function addressOf(c: Context<CallerEnv>, name: string): Address {
  return { accountId: c.var.caller.accountId, name };
}

/** A webhook as responses show it. @throws ProblemError if the account has none with this name */
async function current(c: Context<CallerEnv>, address: Address) {
  const found = await store.findWebhook(c.env.DB, address);
  return schemas.webhookView(existing(found, notFound('webhook', address.name)), nowInSeconds());
}
