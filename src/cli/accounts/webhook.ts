import { accountCommand, group } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { number, required, texts } from '../command/options.ts';
import { fields, list, shownOnce } from '../command/print.ts';
import { deletion, listing, request } from '../command/request.ts';
import type { Body } from '../service/client.ts';

const WEBHOOK = '/v1/webhooks/{webhook}';

function stateOf({ enabled, disabled_because, failing_since }: Body): string {
  if (!enabled) return disabled_because === null ? 'disabled' : `disabled: ${disabled_because}`;
  return failing_since === null ? 'enabled' : `failing since ${failing_since}`;
}

export const webhook = group(
  'webhook',
  'Manage webhooks: addresses that are called when an account has news',
  [
    request({
      command: 'put <webhook>',
      describe: 'Create or change a webhook; the secret of a new one is shown once',
      examples: {
        'crm --account COSTA --address https://crm.example/hook':
          'Call this address with every change in COSTA',
        'crm --account COSTA --address https://crm.example/hook --no-enabled': 'Stop calling it',
      },
      options: {
        address: { ...required('The https address to call'), as: 'url' },
        event: { ...texts('What to report; all by default'), as: 'events' },
        enabled: { type: 'boolean', describe: 'Whether the address is called; it is by default' },
      },
      method: 'PUT',
      path: WEBHOOK,
      print: (json) => (json.secret === undefined ? { json } : shownOnce(json)),
    }),
    listing({
      describe: "List an account's webhooks, and how much of the news each has received",
      examples: { '--account COSTA': 'List the webhooks of COSTA' },
      path: '/v1/webhooks',
      columns: ['name', 'url'],
      more: {
        CONFIRMED: ({ confirmed_number, number }) => `${confirmed_number} of ${number}`,
        STATE: stateOf,
      },
    }),
    accountCommand({
      command: 'show <webhook>',
      describe: 'Show a webhook and its last 100 calls, newest first',
      examples: { 'crm --account COSTA': 'See why crm receives nothing' },
      async run({ webhook }, { client }) {
        const path = `/v1/webhooks/${encodeURIComponent(webhook)}`;
        const shown = await client.get(path);
        const { attempts } = await client.get(`${path}/attempts`);
        const columns = ['attempted_at', 'events', 'status', 'error', 'milliseconds'];
        const { text } = list<Body>('attempts', attempts, columns);
        return { json: { ...shown, attempts }, text: `${fields(shown)}\n${text}` };
      },
    }),
    request({
      command: 'rotate <webhook>',
      describe:
        'Create a new secret for a webhook, and show it once; both sign calls until the old one expires',
      examples: {
        'crm --account COSTA':
          'Create a new secret; calls are also signed with the old one for a day',
      },
      options: {
        'old-secret-days': number('Days for which the old secrets also sign calls; 1 by default'),
      },
      method: 'POST',
      path: `${WEBHOOK}/rotate`,
      print: (json) => shownOnce(json),
    }),
    request({
      command: 'test <webhook>',
      describe: 'Call a webhook with a ping, and show its response',
      examples: { 'crm --account COSTA': 'See whether crm accepts a call' },
      method: 'POST',
      path: `${WEBHOOK}/test`,
      print: (json) => ({
        json,
        exit: json.status >= 200 && json.status < 300 ? EXIT.ok : EXIT.warnings,
      }),
    }),
    request({
      command: 'replay <webhook>',
      describe: 'Send all news again, from a given number on',
      examples: { 'crm --account COSTA --from 120': 'Send change 120 and all later ones again' },
      options: { from: { ...number('The first change number to resend'), demandOption: true } },
      method: 'POST',
      path: `${WEBHOOK}/replay`,
    }),
    deletion('webhook', WEBHOOK, 'Delete a webhook with its log', {
      'crm --account COSTA': 'Delete the webhook crm',
    }),
  ],
);
