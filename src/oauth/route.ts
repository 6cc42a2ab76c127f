import type { Context, Next } from 'hono';
import type * as z from 'zod';
import { environmentFor } from '../databases/environments.ts';
import type { AppEnv } from '../env.ts';
import { Api } from '../http/api.ts';
import { ok } from '../http/operation.ts';
import { checkLimited, isAllowed, LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { authenticateClient, grantScopes, issueToken, isVerifiedSecret, TOKEN_LIFETIME_SECONDS } from './grant.ts';
import { hasOtherIssuer, ownIssuer } from './issuer.ts';
import { errorForm, issuerMetadata, keySet, tokenRequest, tokenResponse } from './schemas.ts';
import { SCOPES } from './scopes.ts';
import { invalidClient, MAX_BYTES, parseTokenRequest, TokenError, UNCACHED } from './token-request.ts';

const TOKEN_PATH = '/oauth/token';
const KEYS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The built-in token issuer. If settings name another issuer, its paths do not exist. */
export const oauth = new Api('Tokens', EXAMPLES);

oauth.on('ALL', [TOKEN_PATH, KEYS_PATH, METADATA_PATH], async (c: Context<AppEnv>, next: Next) =>
  hasOtherIssuer(c.env) ? c.notFound() : next(),
);

oauth.write({
  method: 'post',
  path: TOKEN_PATH,
  operationId: 'requestToken',
  summary: 'Request an access token',
  description:
    'The client credentials grant (RFC 6749 section 4.4). The client authenticates by HTTP Basic or in the body, but not ' +
    `by both. A token is valid for ${TOKEN_LIFETIME_SECONDS} seconds: reuse it until it expires. Parameters in the URL are an ` +
    'error. Where another issuer is configured, this path and the other two of this section respond with 404.',
  security: [{ clientBasic: [] }, {}],
  // Read by `parseTokenRequest`: RFC 6749 says which of several errors comes first.
  request: {
    body: { content: { 'application/x-www-form-urlencoded': tokenRequest, 'application/json': tokenRequest } },
  },
  responses: { 200: ok(tokenResponse, 'A token.', 'Pragma') },
  errorForm,
  problems: {
    body_too_large: {
      detail: 'The body is too large.',
      request: { body: { padding: 'x'.repeat(MAX_BYTES) } },
    },
  },
  handle: async (c) => {
    const { clientId, secret, scope } = await parseTokenRequest(c.req.raw);
    const issuer = await ownIssuer(c.env, c.req.url);
    const { DB } = await environmentFor(c.env, { kind: 'client', name: clientId }, 0);
    const check = () => authenticateClient(DB, clientId, secret);
    const verdict = isVerifiedSecret(clientId, secret)
      ? await check()
      : await checkLimited({ env: c.env, request: c.req.raw, subject: `client:${clientId}` }, check);
    if (verdict.kind === 'denied') throw invalidClient('Unknown client or wrong secret.');
    if (verdict.kind === 'too many attempts') throw tooMany('Too many attempts.');

    c.set('caller', { accountId: verdict.client.accountId, clientId });
    const scopes = grantScopes(scope, verdict.client.scopes);
    if (scopes === undefined) throw new TokenError('invalid_scope', 'The client lacks the requested scope.');
    if (!(await isAllowed(c.env.TOKENS, clientId))) throw tooMany('Too many tokens; reuse them.');
    const granted = scopes.join(' ');
    const token = await issueToken(issuer, clientId, granted, Date.now());
    const valid = { token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS } as const;
    return { body: { access_token: token, ...valid, scope: granted }, headers: UNCACHED };
  },
});

oauth.read({
  path: KEYS_PATH,
  operationId: 'getKeys',
  summary: 'The keys that verify access tokens',
  description: 'A JWK set (RFC 7517 section 5).',
  responses: { 200: ok(keySet, 'The public keys.') },
  errorForm,
  handle: async (c) => {
    const { published } = await ownIssuer(c.env, c.req.url);
    return { body: published, headers: { 'Cache-Control': 'public, max-age=600' } };
  },
});

oauth.read({
  path: METADATA_PATH,
  operationId: 'getIssuerMetadata',
  summary: 'The issuer, for OAuth libraries',
  description: 'RFC 8414 section 2.',
  responses: { 200: ok(issuerMetadata, 'The metadata.') },
  errorForm,
  examples: { metadata: { body: metadataOf('https://feeds.example') } },
  handle: async (c) => {
    const { issuer } = await ownIssuer(c.env, c.req.url);
    return { body: metadataOf(issuer), headers: { 'Cache-Control': 'public, max-age=3600' } };
  },
});

function metadataOf(issuer: string): z.output<typeof issuerMetadata> {
  return {
    issuer,
    token_endpoint: issuer + TOKEN_PATH,
    jwks_uri: issuer + KEYS_PATH,
    scopes_supported: SCOPES,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

function tooMany(description: string): TokenError {
  return new TokenError('temporarily_unavailable', description, 429, { 'Retry-After': String(LIMIT_PERIOD_SECONDS) });
}
