import { DEFAULT_OLD_SECRET_DAYS, MAX_OLD_SECRET_DAYS } from '../../webhooks/manage.ts';
import { EVENTS } from '../../webhooks/message.ts';
import { ACCOUNT, type AccountArguments } from '../command/account.ts';
import { command, group } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { EXIT } from '../command/failure.ts';
import { table } from '../command/print.ts';
import { type Call, SERVICE, withService } from '../command/service.ts';

const WEBHOOK = { type: 'string', demandOption: true, describe: "The webhook's name" } as const;

type Args = AccountArguments & { readonly origin?: string | undefined };

function reading<Result>(context: Context, args: Args, work: (call: Call) => Promise<Result>): Promise<Result> {
  return withService(context, args, ['webhooks:read'], work);
}

function changing<Result>(context: Context, args: Args, work: (call: Call) => Promise<Result>): Promise<Result> {
  return withService(context, args, ['webhooks:read', 'webhooks:write'], work);
}

function pathOf(name: string, operation = ''): string {
  return `/v1/webhooks/${encodeURIComponent(name.toLowerCase())}${operation}`;
}

function stateOf({ enabled, disabled_because, failing_since }: Record<string, string | boolean | null>): string {
  if (!enabled) return disabled_because === null ? 'disabled' : `disabled: ${disabled_because}`;
  return failing_since === null ? 'enabled' : `failing since ${failing_since}`;
}

const put = command({
  command: 'put <webhook>',
  describe: 'Create a webhook, and show its secret once; or change one',
  examples: [
    ['webhook put crm --account COSTA --url https://crm.example/hook', 'Call this address with all news of COSTA'],
    ['webhook put crm --account COSTA --url https://crm.example/hook --no-enabled', 'Call it no more'],
  ],
  positionals: { webhook: WEBHOOK },
  options: {
    account: ACCOUNT,
    origin: SERVICE,
    url: { type: 'string', demandOption: true, requiresArg: true, describe: 'The https address to call' },
    event: {
      type: 'string',
      array: true,
      requiresArg: true,
      choices: EVENTS,
      describe: 'What to report; all by default',
    },
    enabled: { type: 'boolean', default: true, describe: 'Whether the address is called' },
  },
  async run(args, context) {
    const { url, event = EVENTS, enabled } = args;
    const { body } = await changing(context, args, (call) =>
      call('PUT', pathOf(args.webhook), { url, events: event, enabled }),
    );
    const secret = body.secret === undefined ? '' : `secret:  ${body.secret}\nThe secret is not shown again.\n`;
    return { json: body, text: `webhook: ${body.name}\nurl:     ${body.url}\nstate:   ${stateOf(body)}\n${secret}` };
  },
});

const list = command({
  command: 'list',
  describe: "List an account's webhooks, and how far each has received the news",
  examples: [['webhook list --account COSTA', 'The webhooks of COSTA']],
  options: { account: ACCOUNT, origin: SERVICE },
  async run(args, context) {
    const webhooks = await reading(context, args, async (call) => {
      const found: Record<string, string>[] = [];
      for (let path: string | undefined = '/v1/webhooks?limit=500'; path !== undefined; ) {
        const { body, headers } = await call('GET', path);
        found.push(...body.webhooks);
        path = /^<([^>]*)>/.exec(headers.get('Link') ?? '')?.[1];
      }
      return found;
    });
    return {
      json: { webhooks },
      text: table(
        ['WEBHOOK', 'URL', 'CONFIRMED', 'STATE'],
        webhooks.map((one) => [one.name!, one.url!, `${one.confirmed_number} of ${one.number}`, stateOf(one)]),
      ),
    };
  },
});

const show = command({
  command: 'show <webhook>',
  describe: 'Show a webhook and its last 100 calls, the latest first',
  examples: [['webhook show crm --account COSTA', 'Why crm receives nothing']],
  positionals: { webhook: WEBHOOK },
  options: { account: ACCOUNT, origin: SERVICE },
  async run(args, context) {
    const [webhook, { attempts }] = await reading(context, args, async (call) => [
      (await call('GET', pathOf(args.webhook))).body,
      (await call('GET', pathOf(args.webhook, '/attempts'))).body,
    ]);
    const lines = [
      `webhook:   ${webhook.name}`,
      `url:       ${webhook.url}`,
      `events:    ${webhook.events.join(' ')}`,
      `state:     ${stateOf(webhook)}`,
      `confirmed: ${webhook.confirmed_number} of ${webhook.number}`,
    ];
    const rows = attempts.map((one: Record<string, string | number>) => [
      one.attempted_at,
      one.events,
      one.status ?? one.error,
      `${one.milliseconds} ms`,
    ]);
    return {
      json: { ...webhook, attempts },
      text: `${lines.join('\n')}\n\n${table(['CALLED', 'EVENTS', 'ANSWER', 'TIME'], rows)}`,
    };
  },
});

const rotate = command({
  command: 'rotate <webhook>',
  describe:
    'Create another secret for a webhook, and show it once; calls are signed with both until the old one expires',
  examples: [['webhook rotate crm --account COSTA', 'Another secret; the old one also signs for a day']],
  positionals: { webhook: WEBHOOK },
  options: {
    account: ACCOUNT,
    origin: SERVICE,
    'old-secret-days': {
      type: 'number',
      default: DEFAULT_OLD_SECRET_DAYS,
      requiresArg: true,
      describe: `Days for which calls are also signed with the old secret: 0 to ${MAX_OLD_SECRET_DAYS}`,
    },
  },
  async run(args, context) {
    const { body } = await changing(context, args, (call) =>
      call('POST', pathOf(args.webhook, '/rotate'), { old_secret_days: args['old-secret-days'] }),
    );
    return { json: body, text: `webhook: ${body.name}\nsecret:  ${body.secret}\nThe secret is not shown again.\n` };
  },
});

const test = command({
  command: 'test <webhook>',
  describe: 'Call a webhook with a ping, and show its answer',
  examples: [['webhook test crm --account COSTA', 'Whether crm accepts a call']],
  positionals: { webhook: WEBHOOK },
  options: { account: ACCOUNT, origin: SERVICE },
  async run(args, context) {
    const { body } = await changing(context, args, (call) => call('POST', pathOf(args.webhook, '/test')));
    const isAccepted = body.status >= 200 && body.status < 300;
    return {
      json: body,
      text: `${body.error ?? `The answer is ${body.status}`} (${body.milliseconds} ms)\n${body.answer && `${body.answer}\n`}`,
      exit: isAccepted ? EXIT.ok : EXIT.warnings,
    };
  },
});

const replay = command({
  command: 'replay <webhook>',
  describe: 'Send all news from a number on again',
  examples: [['webhook replay crm --account COSTA --from 120', 'Begin again with the change number 120']],
  positionals: { webhook: WEBHOOK },
  options: {
    account: ACCOUNT,
    origin: SERVICE,
    from: { type: 'number', demandOption: true, requiresArg: true, describe: 'The first number to be sent again' },
  },
  async run(args, context) {
    const { body } = await changing(context, args, (call) =>
      call('POST', pathOf(args.webhook, '/replay'), { from: args.from }),
    );
    return { json: body, text: `Webhook ${body.name} begins again after change ${body.confirmed_number}.\n` };
  },
});

const remove = command({
  command: 'delete <webhook>',
  describe: 'Delete a webhook with its log',
  examples: [['webhook delete crm --account COSTA', 'Delete the webhook crm']],
  positionals: { webhook: WEBHOOK },
  options: { account: ACCOUNT, origin: SERVICE },
  async run(args, context) {
    await changing(context, args, (call) => call('DELETE', pathOf(args.webhook)));
    const name = args.webhook.toLowerCase();
    return { json: { webhook: name, deleted: true }, text: `Deleted webhook ${name}.\n` };
  },
});

export const webhook = group('webhook', 'Manage webhooks: addresses that are called with the news of an account', [
  put,
  list,
  show,
  rotate,
  test,
  replay,
  remove,
]);
