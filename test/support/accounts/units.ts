import { env, exports } from 'cloudflare:workers';
import type { Env } from '../../../src/env.ts';
import { call } from '../worker/api.ts';
import { type Agency, createAgency, DEVELOPMENT } from './agency.ts';

export const ORIGIN = 'https://feeds.example';

export { type Agency, DEVELOPMENT };

/** As {@link createAgency}, in the database of the Worker under test. */
export function openAgency(
  code: string,
  unitNames: readonly string[],
  scopes?: readonly string[],
): Promise<Agency> {
  return createAgency(env.DB, code, unitNames, scopes);
}

/** The Worker's response to a request at {@link ORIGIN}. */
export function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(ORIGIN + path, init));
}

/** An access token from the token endpoint. */
export async function obtainToken(
  { clientId, secret }: Pick<Agency, 'clientId' | 'secret'>,
  scope?: string,
  bindings?: Env,
): Promise<string> {
  const body = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
    scope,
  };
  const answer = await call(
    'POST',
    '/oauth/token',
    body,
    { 'Content-Type': 'application/json' },
    bindings,
  );
  if (answer.status !== 200) throw new Error(`No token: ${answer.status}`);
  return answer.body.access_token;
}

/** The headers of a call with a token and a body of JSON. */
export function withToken(
  token: string,
  more: Record<string, string> = {},
): Record<string, string> {
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...more };
}
