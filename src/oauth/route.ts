import type { Context } from 'hono';
import { Hono } from 'hono';
import { environmentFor } from '../databases/environments.ts';
import type { AppEnv } from '../env.ts';
import { BodyError } from '../lib/body.ts';
import { log } from '../lib/log.ts';
import { DependencyUnavailable, orUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { checkLimited, LIMIT_PERIOD_SECONDS, type LimitedVerdict, mayIssueToken } from '../rate-limits.ts';
import { requestId } from '../request-log.ts';
import { authenticateClient, isVerifiedSecret } from './authenticate-client.ts';
import { grantScopes, issueToken, TOKEN_LIFETIME_SECONDS } from './issue.ts';
import { hasOtherIssuer, ownIssuer } from './issuer.ts';
import { SCOPES } from './scopes.ts';
import { parseTokenRequest, type TokenError } from './token-request.ts';

const TOKEN_PATH = '/oauth/token';
const KEYS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The built-in token issuer. If settings name another issuer, its paths do not exist. */
export const oauth = new Hono<AppEnv>();

oauth.on('ALL', [TOKEN_PATH, KEYS_PATH, METADATA_PATH], async (c, next) =>
  hasOtherIssuer(c.env) ? c.notFound() : next(),
);

oauth.post(TOKEN_PATH, handleTokenRequest);

oauth.get(KEYS_PATH, async (c) => {
  const { published } = await ownIssuer(c.env, c.req.url);
  return c.json(published, 200, { 'Cache-Control': 'public, max-age=600' });
});

/** RFC 8414 section 2. */
oauth.get(METADATA_PATH, async (c) => {
  const { issuer } = await ownIssuer(c.env, c.req.url);
  const metadata = {
    issuer,
    token_endpoint: issuer + TOKEN_PATH,
    jwks_uri: issuer + KEYS_PATH,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
  return c.json(metadata, 200, { 'Cache-Control': 'public, max-age=3600' });
});

oauth.all(TOKEN_PATH, () => methodError('POST'));
oauth.on('ALL', [KEYS_PATH, METADATA_PATH], () => methodError('GET, HEAD'));

oauth.onError((error, c) => {
  if (error instanceof BodyError) {
    const status = error.reason === 'too large' ? 413 : 400;
    return errorResponse({ error: 'invalid_request', description: `${error.message}.` }, status);
  }
  if (!(error instanceof DependencyUnavailable)) throw error;
  log('error', 'dependency.unavailable', { requestId: requestId(c), interface: 'oauth', error: error.message });
  return errorResponse({ error: 'temporarily_unavailable', description: 'Try again later.' }, 503, {
    'Retry-After': String(RETRY_AFTER_SECONDS),
  });
});

async function handleTokenRequest(c: Context<AppEnv>): Promise<Response> {
  const request = await parseTokenRequest(c.req.raw);
  if ('error' in request) return errorResponse(request, request.error === 'invalid_client' ? 401 : 400);

  const issuer = await ownIssuer(c.env, c.req.url);
  const { clientId, secret, scope } = request;
  const owner = { kind: 'client', name: clientId } as const;
  const { DB } = await orUnavailable('directory', environmentFor(c.env, owner, 0));
  const check = () => authenticateClient(DB, clientId, secret);
  const verdict = isVerifiedSecret(clientId, secret)
    ? await check()
    : await checkLimited({ env: c.env, request: c.req.raw, subject: `client:${clientId}`, secret }, check);
  if (verdict.kind !== 'authorized') return denyClient(verdict.kind);

  c.set('caller', { accountId: verdict.client.accountId, clientId });
  const scopes = grantScopes(scope, verdict.client.scopes);
  if (scopes === undefined) {
    return errorResponse({ error: 'invalid_scope', description: 'The client lacks the requested scope.' }, 400);
  }
  if (!(await mayIssueToken(c.env, clientId))) return tooManyRequests('Too many tokens; reuse them.');
  return respond(200, {
    access_token: await issueToken(issuer, clientId, scopes, Date.now()),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: scopes.join(' '),
  });
}

function denyClient(reason: LimitedVerdict['kind']): Response {
  switch (reason) {
    case 'denied':
      return errorResponse({ error: 'invalid_client', description: 'Unknown client or wrong secret.' }, 401);
    case 'too many attempts':
      return tooManyRequests('Too many attempts.');
  }
}

function tooManyRequests(description: string): Response {
  const headers = { 'Retry-After': String(LIMIT_PERIOD_SECONDS) };
  return errorResponse({ error: 'temporarily_unavailable', description }, 429, headers);
}

/** The response to an unexpected error, which the log describes under this id. */
export function internalTokenError(requestId: string): Response {
  return errorResponse({ error: 'server_error', description: `Please quote request ${requestId}.` }, 500, {
    'X-Request-Id': requestId,
  });
}

/** An error response (RFC 6749 section 5.2); a 401 offers HTTP Basic. */
function errorResponse(
  { error, description }: TokenError,
  status: number,
  headers: Record<string, string> = {},
): Response {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' } : {};
  return respond(status, { error, error_description: description }, { ...challenge, ...headers });
}

function methodError(allow: string): Response {
  return errorResponse({ error: 'invalid_request', description: `Use ${allow}.` }, 405, { Allow: allow });
}

/** Responses of the token endpoint must not be cached (RFC 6749 section 5.1). */
function respond(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache', ...headers } });
}
