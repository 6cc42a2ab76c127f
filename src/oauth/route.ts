import { type Context, Hono } from 'hono';
import { CHECK_PERIOD, mayCheck } from '../credential-checks.ts';
import type { AppEnv } from '../env.ts';
import { BodyError } from '../lib/body.ts';
import { describeError, log } from '../lib/log.ts';
import { RETRY_AFTER, Unavailable } from '../lib/unavailable.ts';
import { requestId } from '../logged.ts';
import { authenticateClient, type ClientVerdict } from './authenticate-client.ts';
import { grantScopes, issueToken, TOKEN_LIFETIME } from './issue.ts';
import { hasOtherIssuer, ownIssuer } from './issuer.ts';
import { SCOPES } from './scopes.ts';
import { readTokenRequest, type TokenRefusal } from './token-request.ts';

const TOKEN_PATH = '/oauth/token';
const KEYS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The built-in issuer of tokens. Where settings name another one, nothing of it is there. */
export const oauth = new Hono<AppEnv>();

oauth.on('ALL', [TOKEN_PATH, KEYS_PATH, METADATA_PATH], async (c, next) =>
  hasOtherIssuer(c.env) ? c.notFound() : next(),
);

oauth.post(TOKEN_PATH, answerToken);

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

oauth.all(TOKEN_PATH, () => refuseMethod('POST'));
oauth.on('ALL', [KEYS_PATH, METADATA_PATH], () => refuseMethod('GET, HEAD'));

oauth.onError((error, c) => {
  if (error instanceof BodyError) {
    const status = error.why === 'too large' ? 413 : 400;
    return refuse({ error: 'invalid_request', description: `${error.message}.` }, status);
  }
  if (!(error instanceof Unavailable)) throw error;
  log('error', 'oauth', { requestId: requestId(c), error: error.message });
  return refuse({ error: 'temporarily_unavailable', description: 'Try again later.' }, 503, {
    'Retry-After': String(RETRY_AFTER),
  });
});

/** The steps of a token request, in their order. */
async function answerToken(c: Context<AppEnv>): Promise<Response> {
  const request = await readTokenRequest(c.req.raw);
  if ('error' in request) return refuse(request, request.error === 'invalid_client' ? 401 : 400);

  const issuer = await ownIssuer(c.env, c.req.url);
  const { clientId, secret, scope } = request;
  const verdict = await authenticateClient(c.env.DB, clientId, secret, () =>
    mayCheck(c, `client:${clientId}`, (error) =>
      log('warn', 'credential checks', { requestId: requestId(c), error: describeError(error) }),
    ),
  );
  if (verdict.kind !== 'welcome') return turnAway(verdict.kind);

  const scopes = grantScopes(scope, verdict.client.scopes);
  if (scopes === undefined) {
    return refuse({ error: 'invalid_scope', description: 'The client does not have the scope asked for.' }, 400);
  }
  return answer(200, {
    access_token: await issueToken(issuer, clientId, scopes, Date.now()),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME,
    scope: scopes.join(' '),
  });
}

function turnAway(why: Exclude<ClientVerdict['kind'], 'welcome'>): Response {
  switch (why) {
    case 'refused':
      return refuse({ error: 'invalid_client', description: 'The client or its secret is wrong.' }, 401);
    case 'too many attempts':
      return refuse({ error: 'temporarily_unavailable', description: 'Too many secrets were tried.' }, 429, {
        'Retry-After': String(CHECK_PERIOD),
      });
  }
}

/** What a refusal is answered with (RFC 6749 section 5.2); one of the client's credentials offers HTTP Basic. */
function refuse({ error, description }: TokenRefusal, status: number, headers: Record<string, string> = {}): Response {
  const challenge = status === 401 ? { 'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"' } : {};
  return answer(status, { error, error_description: description }, { ...challenge, ...headers });
}

function refuseMethod(allow: string): Response {
  const description = `This path is served by ${allow}.`;
  return refuse({ error: 'invalid_request', description }, 405, { Allow: allow });
}

/** RFC 6749 section 5.1: what a token endpoint says is kept nowhere. */
function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache', ...headers } });
}
