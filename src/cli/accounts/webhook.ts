import type * as z from 'zod';
import { EVENTS } from '../../api/webhooks/call.ts';
import {
  DEFAULT_OLD_SECRET_DAYS,
  MAX_OLD_SECRET_DAYS,
  type webhook as webhookSchema,
} from '../../api/webhooks/schemas.ts';
import { group } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { flag, integer, number, required, texts } from '../command/options.ts';
import { fields, list, shownOnce } from '../command/print.ts';
import { serviceCommands } from '../command/service.ts';

const { define, remove } = serviceCommands('webhook', ['webhooks:read', 'webhooks:write']);

type Webhook = z.output<typeof webhookSchema>;

function stateOf({ enabled, disabled_because, failing_since }: Webhook): string {
  if (!enabled) return disabled_because === null ? 'disabled' : `disabled: ${disabled_because}`;
  return failing_since === null ? 'enabled' : `failing since ${failing_since}`;
}

export const webhook = group('webhook', 'Manage webhooks: addresses that are called when an account has news', [
  define({
    command: 'put <webhook>',
    describe: 'Create or change a webhook; the secret of a new one is shown once',
    options: {
      url: required('The https address to call'),
      event: { ...texts('What to report; all by default'), choices: EVENTS },
      enabled: flag('Whether the address is called', true),
    },
    async run({ url, event = EVENTS, enabled }, { call, path }) {
      const { body } = await call('PUT', path, { url, events: event, enabled });
      return body.secret === undefined ? { json: body } : shownOnce('secret', body);
    },
  }),
  define({
    command: 'list',
    describe: "List an account's webhooks, and how much of the news each has received",
    run: async (_, { list: read }) =>
      list('webhooks', await read(), ['name', 'url'], {
        CONFIRMED: ({ confirmed_number, number }) => `${confirmed_number} of ${number}`,
        STATE: stateOf,
      }),
  }),
  define({
    command: 'show <webhook>',
    describe: 'Show a webhook and its last 100 calls, newest first',
    async run(_, { call, path }) {
      const { body } = await call('GET', path);
      const { attempts } = (await call('GET', `${path}/attempts`)).body;
      const columns = ['attempted_at', 'events', 'status', 'error', 'milliseconds'];
      const { text } = list<Record<string, unknown>>('attempts', attempts, columns);
      return { json: { ...body, attempts }, text: `${fields(body)}\n${text}` };
    },
  }),
  define({
    command: 'rotate <webhook>',
    describe: 'Create a new secret for a webhook, and show it once; both sign calls until the old one expires',
    options: {
      'old-secret-days': number(
        DEFAULT_OLD_SECRET_DAYS,
        'Days for which calls are also signed with the old secrets',
        integer(0, MAX_OLD_SECRET_DAYS),
      ),
    },
    async run(args, { call, path }) {
      const { body } = await call('POST', `${path}/rotate`, { old_secret_days: args['old-secret-days'] });
      return shownOnce('secret', body);
    },
  }),
  define({
    command: 'test <webhook>',
    describe: 'Call a webhook with a ping, and show its response',
    async run(_, { call, path }) {
      const { body } = await call('POST', `${path}/test`);
      return { json: body, exit: body.status >= 200 && body.status < 300 ? EXIT.ok : EXIT.warnings };
    },
  }),
  define({
    command: 'replay <webhook>',
    describe: 'Send all news again, from a given number on',
    options: {
      from: { type: 'number', demandOption: true, requiresArg: true, describe: 'The first change number to resend' },
    },
    run: async ({ from }, { call, path }) => ({ json: (await call('POST', `${path}/replay`, { from })).body }),
  }),
  remove('Delete a webhook with its log'),
]);
