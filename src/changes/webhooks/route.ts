import { ok } from '../../api/operation.ts';
import { Resource } from '../../api/resource.ts';
import { shown } from '../../api/schemas.ts';
import { checkUrl } from '../../http/outbound.ts';
import { seal } from '../../lib/secrets/sealed.ts';
import { DAY_SECONDS, nowInSeconds } from '../../lib/time/time.ts';
import { existing, invalidFields, notFound, ProblemError } from '../../problem.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { newWebhookSecret, sealingContext } from './call.ts';
import { pingWebhook } from './deliver.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import * as schemas from './schemas.ts';
import * as store from './webhooks.ts';

const CRM = EXAMPLES.getWebhook.examples.webhook.body;
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

/** Manages the webhooks of the account that the token belongs to. */
export const webhooks = new Resource(
  'Webhooks',
  {
    kind: 'webhook',
    scope: 'webhooks',
    schema: schemas.webhook,
    example: CRM,
    contents: 'The webhook and how far it has received the news.',
    list: async ({ env }, account, after, limit) =>
      (await store.listWebhooks(env.DB, account, after, limit)).map((one) =>
        schemas.webhookView(one, nowInSeconds()),
      ),
    find: async ({ env }, address) => {
      const found = await store.findWebhook(env.DB, address);
      return found && schemas.webhookView(found, nowInSeconds());
    },
    remove: ({ env }, address) => store.deleteWebhook(env.DB, address),
  },
  EXAMPLES,
);

webhooks.puts({
  description:
    'A webhook is an address that is called with the news of the account, from its creation on. The response that ' +
    'creates it contains the secret with which calls are signed; no later one does. Enabling a webhook, or giving it ' +
    'another address, ends its delay after failures.',
  body: schemas.webhookSettings,
  sent: { url: CRM.url },
  most: store.MAX_WEBHOOKS,
  created: { schema: schemas.webhookWithSecret, added: { secret: SECRET } },
  handle: async ({ env, req }, address, { events, ...settings }) => {
    const { username, password } = new URL(checkUrl(env, settings.url));
    if (username !== '' || password !== '') {
      const detail = 'must not contain a user name or password';
      throw new ProblemError(invalidFields([{ pointer: '/url', detail }]));
    }
    const secret = newWebhookSecret();
    const unique = { ...settings, events: [...new Set(events)] };
    const sealed = await seal(secret, env.SEALING_KEY, sealingContext(address));
    const isNew = await store.putWebhook(env.DB, address, unique, new URL(req.url).origin, sealed);
    // A webhook that is enabled again may have something to receive.
    if (isNew === false) await sendTask(env, { kind: 'webhooks', accountId: address.accountId });
    return isNew === null ? null : { isNew, added: { secret } };
  },
});

webhooks.reads();

webhooks.changes('rotate', {
  operationId: 'rotateWebhookSecret',
  summary: 'Create another secret for a webhook',
  description:
    'The response contains it; no later one does. Calls are also signed with the old ones until they expire.',
  body: schemas.rotation,
  responses: { 200: ok(schemas.webhookWithSecret, 'The webhook with its new secret.') },
  sent: { old_secret_days: 1 },
  after: { old_secret_expires_at: '2026-11-25T09:30:00Z', secret: SECRET },
  handle: async (c, address, { old_secret_days: days }) => {
    const secret = newWebhookSecret();
    const sealed = await seal(secret, c.env.SEALING_KEY, sealingContext(address));
    await store.rotateWebhook(c.env.DB, address, sealed, days * DAY_SECONDS, nowInSeconds());
    await sendTask(c.env, { kind: 'webhooks', accountId: address.accountId });
    return { secret };
  },
});

webhooks.action('test', {
  operationId: 'testWebhook',
  summary: 'Call a webhook with a ping',
  description: 'Calls it at once, whether it is enabled or not, and returns its response.',
  responses: { 200: ok(schemas.attempt, 'The call.') },
  handle: async (c, address) => {
    const called = await pingWebhook(c.env, address, nowInSeconds());
    return { body: shown(schemas.attempt, existing(called, notFound('webhook', address.name))) };
  },
});

webhooks.read({
  ...webhooks.ofOne('attempts'),
  operationId: 'listWebhookAttempts',
  summary: 'The last 100 calls of a webhook',
  description: 'Latest first.',
  responses: { 200: ok(schemas.attempts, 'The calls.') },
  handle: async (c, { params }) => {
    const address = webhooks.addressOf(c, params);
    await webhooks.current(c, address);
    return {
      body: {
        attempts: (await store.listAttempts(c.env.DB, address)).map((one) =>
          shown(schemas.attempt, one),
        ),
      },
    };
  },
});

webhooks.changes('replay', {
  operationId: 'replayWebhook',
  summary: 'Send news again',
  description:
    'Sends news again, from the change with the number `from`. The number of the next change skips all before it.',
  body: schemas.replay,
  sent: { from: 1 },
  after: { confirmed_number: 0, old_secret_expires_at: '2026-11-25T09:30:00Z' },
  handle: async (c, address, { from }) => {
    if (!(await store.replayWebhook(c.env.DB, address, from))) {
      await webhooks.current(c, address);
      throw new ProblemError(
        invalidFields([{ pointer: '/from', detail: 'must not be after the next change' }]),
      );
    }
    await sendTask(c.env, { kind: 'webhooks', accountId: address.accountId });
  },
});

webhooks.deletes({ description: 'Its log is deleted as well.' });
