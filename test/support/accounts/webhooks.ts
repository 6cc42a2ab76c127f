import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { newWebhookSecret, sealingContext } from '../../../src/changes/webhooks/call.ts';
import { EVENTS, eventsCall, pingCall } from '../../../src/changes/webhooks/events.ts';
import { putWebhook } from '../../../src/changes/webhooks/webhooks.ts';
import type { Env } from '../../../src/env.ts';
import { seal } from '../../../src/lib/secrets/sealed.ts';
import type { Task } from '../../../src/tasks/tasks.ts';

/** A webhook of an account, and its secret. */
export interface OpenWebhook {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
}

/** Stores a webhook, by default for all news. */
export async function openWebhook(
  accountId: number,
  name: string,
  url = `https://${name}.example.com/hook`,
  events: readonly string[] = EVENTS,
): Promise<OpenWebhook> {
  const secret = newWebhookSecret();
  const sealed = await seal(secret, env.SEALING_KEY!, sealingContext({ accountId, name }));
  await putWebhook(
    env.DB,
    { accountId, name },
    { url, events, enabled: true },
    'https://feeds.example',
    sealed,
  );
  const statement = env.DB.prepare('SELECT id FROM webhooks WHERE account_id = ? AND name = ?');
  return { id: (await statement.bind(accountId, name).first<number>('id'))!, name, url, secret };
}

/** A received call, whose signature is that of the webhook's secret. */
export interface Call {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly account: string;
    readonly changes_url: string;
    readonly unit_changes_url: string;
    readonly events: readonly {
      readonly type: string;
      readonly number: number;
      readonly id: string;
      readonly development_id?: string;
    }[];
  };
}

/** What a request to a webhook says; verified with the library of Standard Webhooks. */
export async function readCall(request: Request, secret: string): Promise<Call> {
  const body = await request.text();
  const headers = Object.fromEntries(request.headers);
  const webhook = new Webhook(secret);
  // The library compares the timestamp with the real time, whatever time a test has.
  const timestamp = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const expected = webhook.sign(headers['webhook-id']!, timestamp, body);
  if (!headers['webhook-signature']!.split(' ').includes(expected))
    throw new Error('The signature is wrong');
  const said = JSON.parse(body);
  const described = said.type === 'ping' ? pingCall : eventsCall;
  // A member that the schema does not have would be missing from what it returns.
  expect(described.parse(said)).toEqual(said);
  return { id: headers['webhook-id']!, ...said };
}

/** An environment whose queues only remember the tasks. */
export function withTasks(bindings: Partial<Env> = {}): {
  readonly env: Env;
  readonly tasks: { task: Task; delay: number }[];
} {
  const tasks: { task: Task; delay: number }[] = [];
  const TASKS = {
    send: async (task: Task, { delaySeconds = 0 } = {}) =>
      void tasks.push({ task, delay: delaySeconds }),
  } as unknown as Queue;
  return { env: { ...env, ...bindings, TASKS, LONG_TASKS: TASKS }, tasks };
}
