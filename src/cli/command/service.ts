import { randomBytes } from 'node:crypto';
import { listClients } from '../../db/accounts/clients.ts';
import { DAY_SECONDS, nowInSeconds } from '../../lib/time/time.ts';
import { newClient, removeClient } from '../../oauth/client.ts';
import type { Scope as OAuthScope } from '../../oauth/scopes.ts';
import type { Command, CommandSpec, Context, NoOptions } from './command.ts';
import { type AccountArguments, inAccount } from './command.ts';
import { Failure } from './failure.ts';
import { ACCOUNT, type OptionTypes, SERVICE } from './options.ts';

export async function originOf(
  { origin, remote }: { readonly origin?: string | undefined; readonly remote: boolean },
  context: Context,
): Promise<string> {
  return (origin ?? (await context.origin(remote))).replace(/\/$/, '');
}

interface Answer {
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
  readonly body: any;
}

const COMMAND_CLIENT = /^command-[0-9a-f]{16}$/;

/** Calls a path of the API, with a body as JSON or else as a stream. If it fails, so does the command. */
export type Call = (method: string, path: string, body?: object | ReadableStream) => Promise<Answer>;

/**
 * Calls the API of the running service for an account. Commands that store secrets need it: only the service has the key that
 * encrypts them. A temporary client gives access. If a command is killed, a later one removes its client, after a day.
 */
export async function withService<Result>(
  context: Context,
  args: AccountArguments & { readonly origin?: string | undefined },
  scopes: readonly OAuthScope[],
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const origin = await originOf(args, context);
  return inAccount(context, args, async ({ env, db, accountId, code }) => {
    const dayAgo = nowInSeconds() - DAY_SECONDS;
    for (const { id, createdAt } of await listClients(db, accountId)) {
      if (COMMAND_CLIENT.test(id) && createdAt < dayAgo) await removeClient(env, { accountId, code, id });
    }
    const client = { accountId, code, id: `command-${randomBytes(8).toString('hex')}`, scopes };
    // A random id is never in use already.
    const { id, secret } = (await newClient(env, client))!;
    try {
      const token = await tokenOf(origin, id, secret);
      return await work((method, path, body) => call(`${origin}${path}`, method, token, body));
    } finally {
      await removeClient(env, client);
    }
  });
}

interface Resource {
  readonly call: Call;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
  list(): Promise<any[]>;
}

/** Defines commands on a collection of the API, whose noun is also the name of the positional argument. */
export function serviceCommands(noun: string, scopes: readonly OAuthScope[]) {
  const collection = `/v1/${noun}s`;
  const define = <const Line extends string, const Flags extends OptionTypes = NoOptions>(
    spec: CommandSpec<Line, Flags, Resource>,
  ): Command => ({
    ...spec,
    options: { account: ACCOUNT, origin: SERVICE, ...spec.options },
    run(args: Parameters<typeof spec.run>[0] & AccountArguments & Readonly<Record<string, string>>, context: Context) {
      const path = `${collection}/${encodeURIComponent(args[noun] ?? '')}`;
      return withService(context, args, scopes, (call) =>
        spec.run(args, { call, path, list: () => readList(call, collection) }),
      );
    },
  });
  const remove = (describe: string) =>
    define({
      command: `delete <${noun}>` as string,
      describe,
      async run(args, { call, path }) {
        await call('DELETE', path);
        return { json: { [noun]: (args as unknown as Readonly<Record<string, string>>)[noun], deleted: true } };
      },
    });
  return { define, remove };
}

async function readList(call: Call, collection: string): Promise<object[]> {
  const found: object[] = [];
  for (let path: string | undefined = `${collection}?limit=500`; path !== undefined; ) {
    const { body, headers } = await call('GET', path);
    found.push(...body[collection.split('/').at(-1)!]);
    path = /^<([^>]*)>/.exec(headers.get('Link') ?? '')?.[1];
  }
  return found;
}

async function tokenOf(origin: string, id: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const response = await reach(`${origin}/oauth/token`, { method: 'POST', body });
  if (response.status === 404) {
    throw new Failure('other_issuer', 'The service accepts the tokens of another issuer only. Call its API with one.');
  }
  const { access_token } = (await response.json()) as { access_token?: string };
  if (access_token === undefined) throw new Failure('refused', `${origin} issued no token: ${response.status}`);
  return access_token;
}

async function call(url: string, method: string, token: string, body: Parameters<Call>[2]): Promise<Answer> {
  const isStream = body instanceof ReadableStream;
  const response = await reach(url, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': isStream ? 'application/xml' : 'application/json' },
    ...(body && { body: isStream ? body : JSON.stringify(body), duplex: 'half' }),
  });
  const text = await response.text();
  const answer = text === '' ? null : JSON.parse(text);
  if (response.ok) return { headers: response.headers, body: answer };
  const errors = (answer?.errors ?? []) as { readonly pointer: string; readonly detail: string }[];
  const fields = errors.map(({ pointer, detail }) => `${pointer.slice(1)}: ${detail}`).join('\n');
  throw new Failure(answer?.code ?? 'refused', fields || String(answer?.detail ?? response.status));
}

function reach(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch(() => {
    const { origin } = new URL(url);
    throw new Failure('no_service', `No service is running at ${origin}. Run npm start, or use --origin.`);
  });
}
