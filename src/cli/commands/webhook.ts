import { EVENTS } from '../../api/webhooks/call.ts';
import { DEFAULT_OLD_SECRET_DAYS, MAX_OLD_SECRET_DAYS } from '../../api/webhooks/schemas.ts';
import { group } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { flag, integer, number, required, texts } from '../command/options.ts';
import { fields, list } from '../command/print.ts';
import { serviceCommands } from '../command/service.ts';

const { define, remove } = serviceCommands('webhook', ['webhooks:read', 'webhooks:write']);

function stateOf({ enabled, disabled_because, failing_since }: Record<string, string | boolean | null>): string {
  if (!enabled) return disabled_because === null ? 'disabled' : `disabled: ${disabled_because}`;
  return failing_since === null ? 'enabled' : `failing since ${failing_since}`;
}

function confirmedOf({ confirmed_number, number }: Record<string, number>): string {
  return `${confirmed_number} of ${number}`;
}

const SHOWN_ONCE = 'The secret is not shown again.\n';

export const webhook = group('webhook', 'Manage webhooks: addresses that are called with the news of an account', [
  define({
    command: 'put <webhook>',
    describe: 'Create a webhook, and show its secret once; or change one',
    options: {
      url: required('The https address to call'),
      event: { ...texts('What to report; all by default'), choices: EVENTS },
      enabled: flag('Whether the address is called', true),
    },
    async run({ url, event = EVENTS, enabled }, { call, path }) {
      const { body } = await call('PUT', path, { url, events: event, enabled });
      const shown = fields({
        webhook: body.name,
        ...{ url: body.url, state: stateOf(body) },
        ...(body.secret === undefined ? {} : { secret: body.secret }),
      });
      return { json: body, text: shown + (body.secret === undefined ? '' : SHOWN_ONCE) };
    },
  }),
  define({
    command: 'list',
    describe: "List an account's webhooks, and how far each has received the news",
    run: async (_, { list: read }) =>
      // biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
      list<any>('webhooks', await read(), {
        ...{ WEBHOOK: 'name', URL: 'url', CONFIRMED: confirmedOf, STATE: stateOf },
      }),
  }),
  define({
    command: 'show <webhook>',
    describe: 'Show a webhook and its last 100 calls, the latest first',
    async run(_, { call, path }) {
      const { body } = await call('GET', path);
      const { attempts } = (await call('GET', `${path}/attempts`)).body;
      const { text } = list<Record<string, string | number>>('attempts', attempts, {
        ...{ CALLED: 'attempted_at', EVENTS: 'events' },
        ANSWER: (one) => one.status ?? one.error!,
        TIME: (one) => `${one.milliseconds} ms`,
      });
      const shown = fields({
        webhook: body.name,
        ...{ url: body.url, events: body.events.join(' '), state: stateOf(body), confirmed: confirmedOf(body) },
      });
      return { json: { ...body, attempts }, text: `${shown}\n${text}` };
    },
  }),
  define({
    command: 'rotate <webhook>',
    describe:
      'Create another secret for a webhook, and show it once; calls are signed with both until the old one expires',
    options: {
      'old-secret-days': number(
        DEFAULT_OLD_SECRET_DAYS,
        'Days for which calls are also signed with the old secret',
        integer(0, MAX_OLD_SECRET_DAYS),
      ),
    },
    async run(args, { call, path }) {
      const { body } = await call('POST', `${path}/rotate`, { old_secret_days: args['old-secret-days'] });
      return { json: body, text: fields({ webhook: body.name, secret: body.secret }) + SHOWN_ONCE };
    },
  }),
  define({
    command: 'test <webhook>',
    describe: 'Call a webhook with a ping, and show its answer',
    async run(_, { call, path }) {
      const { body } = await call('POST', `${path}/test`);
      const answer = body.answer && `${body.answer}\n`;
      return {
        json: body,
        text: `${body.error ?? `The answer is ${body.status}`} (${body.milliseconds} ms)\n${answer}`,
        exit: body.status >= 200 && body.status < 300 ? EXIT.ok : EXIT.warnings,
      };
    },
  }),
  define({
    command: 'replay <webhook>',
    describe: 'Send all news from a number on again',
    options: {
      from: { type: 'number', demandOption: true, requiresArg: true, describe: 'The first number to be sent again' },
    },
    async run({ from }, { call, path }) {
      const { body } = await call('POST', `${path}/replay`, { from });
      return { json: body, text: `Webhook ${body.name} begins again after change ${body.confirmed_number}.\n` };
    },
  }),
  remove('Delete a webhook with its log'),
]);
