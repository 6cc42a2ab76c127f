import { env } from 'cloudflare:workers';
import type { Env } from '../../../src/env.ts';
import type { Example } from '../../../src/http/operation.ts';
import { SCOPES, type Scope } from '../../../src/oauth/scopes.ts';
import { bodyContent, type DocumentedOperation } from '../../../src/openapi/document.ts';
import { ask, type CompleteResponse, watched } from '../../support/ask.ts';

const tokens = new Map<Scope, string>();

/** Requests a token of the demo client for each scope. Call it once, after `openExampleAgency`. */
export async function obtainTokens(): Promise<void> {
  for (const scope of SCOPES) {
    const body = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret', scope };
    const headers = { 'Content-Type': 'application/json' };
    const { bytes } = await ask('/oauth/token', { method: 'POST', headers, body: JSON.stringify(body) });
    tokens.set(scope, JSON.parse(new TextDecoder().decode(bytes)).access_token);
  }
}

/** The response to an example's request, under its precondition. */
export async function send(
  documented: DocumentedOperation,
  { request = {}, when }: Example,
): Promise<CompleteResponse> {
  const { operation } = documented;
  const { path = {}, query = {} } = request;
  const [[firstType] = []] = bodyContent(operation);
  const mediaType = request.mediaType ?? firstType;
  const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!));
  const hasBody = firstType !== undefined && request.body !== undefined;
  const init = {
    method: request.method ?? operation.method.toUpperCase(),
    headers: {
      ...(hasBody && { 'Content-Type': mediaType! }),
      ...authorization(documented, when),
      ...request.headers,
    },
    ...(hasBody && { body: encode(request.body, mediaType) }),
  };
  const target = `${url}?${new URLSearchParams(query)}`;
  await prepare(when);
  if (when !== 'unchanged since the last request') {
    return ask(target, init, bindings(when)).finally(() => env.DB.exec(`DELETE FROM webhooks WHERE url = ''`));
  }
  const before = await ask(target, init);
  return ask(target, { ...init, headers: { ...init.headers, 'If-None-Match': before.headers.get('ETag')! } });
}

/** Brings about the preconditions that are a state of the account. */
async function prepare(when: Example['when']): Promise<void> {
  switch (when) {
    case 'the reader exists':
      return write('POST', 'readers:write', '/v1/readers', { name: 'idealista' });
    case 'a reader has the channel':
      return write('POST', 'readers:write', '/v1/readers', { name: 'coastal', channel: 'coast' });
    case 'the channel exists':
      return write('POST', 'readers:write', '/v1/channels/inland/add', { properties: ['R4100001'] });
    case 'the webhook exists':
      return write('PUT', 'webhooks:write', '/v1/webhooks/crm', { url: 'https://x.example/' });
    case 'the account has too many webhooks':
      await env.DB.exec(
        `INSERT INTO webhooks (account_id, name, url, events, origin, secret, confirmed_number) ` +
          `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT a.id, 'x' || i, '', '[]', '', '', 0 FROM n, accounts a WHERE a.code = 'DEMO'`,
      );
  }
}

async function write(method: string, scope: Scope, path: string, body: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${tokens.get(scope)}`, 'Content-Type': 'application/json' };
  await ask(path, { method, headers, body: JSON.stringify(body) });
}

function encode(body: unknown, mediaType: string | undefined): string {
  if (typeof body === 'string') return body;
  if (mediaType !== 'application/x-www-form-urlencoded') return JSON.stringify(body);
  return new URLSearchParams(body as Record<string, string>).toString();
}

/** A token with the scope of an operation, unless the example is about not having one. */
export function authorization({ operation }: DocumentedOperation, when?: Example['when']): Record<string, string> {
  const [required] = operation.middleware?.security.flatMap((schemes) => schemes.accessToken ?? []) ?? [];
  if (when === 'no credentials' || required === undefined) return {};
  const lacking = required === 'units:read' ? 'units:write' : 'units:read';
  const scope = when === 'the token lacks the scope' ? lacking : (required as Scope);
  return { Authorization: `Bearer ${tokens.get(scope)}` };
}

function bindings(when: Example['when']): Env {
  const refusing = { limit: async () => ({ success: false }) };
  const fail = (error: Error) => () => {
    throw error;
  };
  switch (when) {
    case 'the database fails':
      return { ...watched(fail(new Error('D1_ERROR: internal error'))), SIGNING_KEYS: '' };
    case 'a rate limit is exceeded':
      return { ...env, CREDENTIAL_CHECKS: refusing, TOKENS: refusing, UPDATES: refusing };
    case 'an unexpected error':
      return { ...env, METRICS: { writeDataPoint: fail(new TypeError('unexpected')) } };
    default:
      return env;
  }
}
