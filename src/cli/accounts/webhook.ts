import { accountCommand, group } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { flag, integer, number, required, texts } from '../command/options.ts';
import { fields, list, shownOnce } from '../command/print.ts';

const at = (webhook: string) => `/v1/webhooks/${encodeURIComponent(webhook)}`;

// biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
type Webhook = any;

function stateOf({ enabled, disabled_because, failing_since }: Webhook): string {
  if (!enabled) return disabled_because === null ? 'disabled' : `disabled: ${disabled_because}`;
  return failing_since === null ? 'enabled' : `failing since ${failing_since}`;
}

export const webhook = group(
  'webhook',
  'Manage webhooks: addresses that are called when an account has news',
  [
    accountCommand({
      command: 'put <webhook>',
      describe: 'Create or change a webhook; the secret of a new one is shown once',
      options: {
        address: required('The https address to call'),
        event: texts('What to report; all by default'),
        enabled: flag('Whether the address is called', true),
      },
      async run({ webhook, address: url, event, enabled }, { client }) {
        const json = await client.put(at(webhook), {
          url,
          enabled,
          ...(event !== undefined && { events: event }),
        });
        return json.secret === undefined ? { json } : shownOnce('secret', json);
      },
    }),
    accountCommand({
      command: 'list',
      describe: "List an account's webhooks, and how much of the news each has received",
      run: async (_, { client }) =>
        list<Webhook>('webhooks', await client.list('/v1/webhooks'), ['name', 'url'], {
          CONFIRMED: ({ confirmed_number, number }) => `${confirmed_number} of ${number}`,
          STATE: stateOf,
        }),
    }),
    accountCommand({
      command: 'show <webhook>',
      describe: 'Show a webhook and its last 100 calls, newest first',
      async run({ webhook }, { client }) {
        const shown = await client.get(at(webhook));
        const { attempts } = await client.get(`${at(webhook)}/attempts`);
        const columns = ['attempted_at', 'events', 'status', 'error', 'milliseconds'];
        const { text } = list<Record<string, unknown>>('attempts', attempts, columns);
        return { json: { ...shown, attempts }, text: `${fields(shown)}\n${text}` };
      },
    }),
    accountCommand({
      command: 'rotate <webhook>',
      describe:
        'Create a new secret for a webhook, and show it once; both sign calls until the old one expires',
      options: {
        'old-secret-days': number(
          1,
          'Days for which calls are also signed with the old secrets',
          integer(0),
        ),
      },
      async run({ webhook, ...args }, { client }) {
        return shownOnce(
          'secret',
          await client.post(`${at(webhook)}/rotate`, { old_secret_days: args['old-secret-days'] }),
        );
      },
    }),
    accountCommand({
      command: 'test <webhook>',
      describe: 'Call a webhook with a ping, and show its response',
      async run({ webhook }, { client }) {
        const json = await client.post(`${at(webhook)}/test`);
        return { json, exit: json.status >= 200 && json.status < 300 ? EXIT.ok : EXIT.warnings };
      },
    }),
    accountCommand({
      command: 'replay <webhook>',
      describe: 'Send all news again, from a given number on',
      options: {
        from: {
          type: 'number',
          demandOption: true,
          requiresArg: true,
          describe: 'The first change number to resend',
        },
      },
      run: async ({ webhook, from }, { client }) => ({
        json: await client.post(`${at(webhook)}/replay`, { from }),
      }),
    }),
    accountCommand({
      command: 'delete <webhook>',
      describe: 'Delete a webhook with its log',
      async run({ webhook }, { client }) {
        await client.delete(at(webhook));
        return { json: { webhook, deleted: true } };
      },
    }),
  ],
);
