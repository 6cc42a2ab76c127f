import { randomBytes } from 'node:crypto';
import { createClient, deleteClient } from '../../db/operator/clients.ts';
import type { Scope } from '../../oauth/scopes.ts';
import { newSecret } from '../settings/secret.ts';
import { type AccountArguments, inAccount } from './account.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** The option that names the service which a command calls. */
export const SERVICE = {
  type: 'string',
  requiresArg: true,
  describe: 'Where the service is served; by default http://localhost:8787, or with --remote its deployed address',
} as const;

/** An answer of the service, with its JSON body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
  readonly body: any;
}

/** Calls a path of the API. Its failures are those of the command. */
export type Call = (
  method: string,
  path: string,
  body?: object | { readonly stream: ReadableStream; readonly type: string },
) => Promise<Answer>;

/**
 * Calls the API of the running service for an account, which some commands must: only the service has the key that encrypts
 * secrets. A client that exists for as long as the command runs gives access.
 *
 * @throws Failure `no_service` if the service is not running, or `refused` with the error of a call
 */
export async function withService<Result>(
  context: Context,
  args: AccountArguments & { readonly origin?: string | undefined },
  scopes: readonly Scope[],
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const origin = (args.origin ?? (await context.origin(args.remote))).replace(/\/$/, '');
  return inAccount(context, args, async (env, accountId) => {
    const id = `command-${randomBytes(8).toString('hex')}`;
    const secret = newSecret();
    await createClient(env.DB, { id, accountId, secret, scopes });
    try {
      const token = await tokenOf(origin, id, secret);
      return await work((method, path, body) => call(`${origin}${path}`, method, token, body));
    } finally {
      await deleteClient(env.DB, accountId, id);
    }
  });
}

async function tokenOf(origin: string, id: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const response = await reach(`${origin}/oauth/token`, { method: 'POST', body });
  if (response.status === 404) {
    throw new Failure('other_issuer', 'The service uses another issuer of tokens. Call its API with one of them.');
  }
  const { access_token } = (await response.json()) as { access_token?: string };
  if (access_token === undefined) throw new Failure('refused', `${origin} issued no token: ${response.status}`);
  return access_token;
}

async function call(url: string, method: string, token: string, body: Parameters<Call>[2]): Promise<Answer> {
  const isStream = body !== undefined && 'stream' in body;
  const response = await reach(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': isStream ? body.type : 'application/json' }),
    },
    body: body === undefined ? null : isStream ? body.stream : JSON.stringify(body),
    ...(isStream ? { duplex: 'half' } : {}),
  });
  const text = await response.text();
  const answer = text === '' ? null : JSON.parse(text);
  if (response.ok) return { status: response.status, headers: response.headers, body: answer };
  const fields = (answer?.errors ?? []).map(({ pointer, detail }: Record<string, string>) => ` ${pointer} ${detail}.`);
  throw new Failure(answer?.code ?? 'refused', `${answer?.detail ?? response.status}${fields.join('')}`);
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch {
    const { origin } = new URL(url);
    throw new Failure(
      'no_service',
      `The service is not running at ${origin}. Start it with npm start, or use --origin.`,
    );
  }
}
