import { Buffer } from 'node:buffer';
import type { Context, Next } from 'hono';
import { SignJWT } from 'jose';
import type * as z from 'zod';
import { isPossible } from '../accounts/directory.ts';
import { environmentFor } from '../accounts/environments.ts';
import { namedValues } from '../api/requests.ts';
import { ok } from '../api/responses.ts';
import { createRoute, Router } from '../api/router.ts';
import type { AppEnv, ErrorFormat } from '../env.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import { digestsEqual, sha256Hex } from '../lib/secrets/secrets.ts';
import { type EpochSeconds, nowInSeconds } from '../lib/time/time.ts';
import { checkLimited, isWithinLimit, LIMIT_PERIOD_SECONDS, retryAfter } from '../rate-limits.ts';
import { serves } from '../request-log.ts';
import { findClient } from './clients.ts';
import { hasOtherIssuer, type OwnIssuer, ownIssuer } from './issuer.ts';
import { SIGNING_ALGORITHM } from './own-keys.ts';
import {
  issuerMetadata,
  keySet,
  tokenErrorExample,
  tokenErrors,
  tokenRequest,
  tokenResponse,
} from './schemas.ts';
import { SCOPES } from './scopes.ts';
import { invalidClient, parseTokenRequest, TokenError, UNCACHED } from './token-request.ts';

const TOKEN_PATH = '/oauth/token';
const KEYS_PATH = '/.well-known/jwks.json';
const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** Of public documents: programs in browsers of any site may read them. */
const FOR_ANYBODY = { 'Access-Control-Allow-Origin': '*' };

const TOKEN_LIFETIME_SECONDS = 3600;

/** Digests of secrets that this isolate has verified, by client: repeated token requests do not count as attempts. */
const verifiedSecrets = boundedCache<string>({ maxBytes: 3_000_000, valueBytes: 100 });

/** The built-in token issuer. If settings name another issuer, its paths do not exist. */
export const oauth = new Router();

const format: ErrorFormat = {
  unavailable: (headers) =>
    new TokenError('temporarily_unavailable', 'Retry later.', 503, headers).getResponse(),
  internal: (detail, headers) => new TokenError('server_error', detail, 500, headers).getResponse(),
  methodNotAllowed: (c, allow) =>
    hasOtherIssuer(c.env)
      ? c.res
      : new TokenError('invalid_request', `Use ${allow}.`, 405, { Allow: allow }).getResponse(),
};
oauth.use('/oauth/*', serves('oauth', format));
oauth.use('/.well-known/*', serves('oauth', format));

oauth.on('ALL', [TOKEN_PATH, KEYS_PATH, METADATA_PATH], async (c: Context<AppEnv>, next: Next) =>
  hasOtherIssuer(c.env) ? c.notFound() : next(),
);

const TAGS = ['Tokens'];

const CLIENT = { client_id: 'demo-client', client_secret: 'demo-secret' };
const GRANT = { grant_type: 'client_credentials', ...CLIENT } as const;
const TOKEN = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln',
  token_type: 'Bearer',
  expires_in: TOKEN_LIFETIME_SECONDS,
} as const;

const requestToken = createRoute({
  method: 'post',
  path: TOKEN_PATH,
  operationId: 'requestToken',
  tags: TAGS,
  summary: 'Request an access token',
  description:
    'The client credentials grant (RFC 6749 section 4.4). The client authenticates by HTTP ' +
    'Basic or in the body, but not ' +
    `by both. A token is valid for ${TOKEN_LIFETIME_SECONDS} seconds: reuse it until it ` +
    'expires. Parameters in the URL are an ' +
    'error. Where another issuer is configured, this path and the other two of this section ' +
    'respond with 404.',
  security: [{ clientBasic: [] }, {}],
  request: {
    // Read by `parseTokenRequest`: RFC 6749 says which of several errors comes first.
    body: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: tokenRequest,
          examples: namedValues({ form: GRANT }),
        },
        'application/json': {
          schema: tokenRequest,
          examples: namedValues({ json: { ...GRANT, scope: 'units:read' } }),
        },
      },
    },
  },
  responses: {
    200: ok(tokenResponse, 'A token.', {
      headers: ['Pragma'],
      examples: {
        form: { ...TOKEN, scope: SCOPES.join(' ') },
        json: { ...TOKEN, scope: 'units:read' },
      },
    }),
    ...tokenErrors(
      'POST',
      tokenErrorExample(
        'invalid_request',
        'neither a form nor JSON, a missing or repeated parameter, or two ways of authentication.',
        'The parameter grant_type is missing.',
      ),
      tokenErrorExample(
        'unsupported_grant_type',
        'The parameter grant_type must be client_credentials.',
      ),
      tokenErrorExample(
        'invalid_scope',
        `There is no such scope; the client has ${SCOPES.join(' ')}.`,
      ),
      tokenErrorExample(
        'invalid_client',
        'the client does not exist, its secret is wrong, or it is disabled.',
        'Unknown client or wrong secret.',
      ),
      tokenErrorExample('invalid_request', 'The body is too large.', undefined, {
        name: 'body_too_large',
        status: 413,
      }),
      tokenErrorExample(
        'temporarily_unavailable',
        'too many attempts or tokens.',
        'Too many tokens; reuse them.',
        { name: 'too_many_tokens', status: 429 },
      ),
    ),
  },
});

oauth.openapi(requestToken, async (c) => {
  const { clientId, secret, scope } = await parseTokenRequest(c.req.raw);
  const issuer = await ownIssuer(c.env, c.req.url);
  const owner = { kind: 'client', name: clientId } as const;
  if (!isPossible(owner)) throw invalidClient('Unknown client or wrong secret.');
  const isVerified = () => isVerifiedSecret(clientId, secret);
  const attempt = { env: c.env, request: c.req.raw, subject: `client:${clientId}`, isVerified };
  const verdict = await checkLimited(attempt, async () => {
    const { DB } = await environmentFor(c.env, owner, 0);
    return authenticateClient(DB, clientId, secret);
  });
  if (verdict.kind === 'denied') throw invalidClient('Unknown client or wrong secret.');
  if (verdict.kind === 'too many attempts')
    throw tooMany('Too many attempts.', retryAfter(c.req.raw));

  c.set('caller', { accountId: verdict.client.accountId, clientId });
  const scopes = grantScopes(scope, verdict.client.scopes);
  if (!(await isWithinLimit(c.env.TOKENS, clientId))) throw tooMany('Too many tokens; reuse them.');
  const granted = scopes.join(' ');
  const token = await issueToken(issuer, clientId, verdict.client.createdAt, granted);
  const valid = { token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS } as const;
  return c.json({ access_token: token, ...valid, scope: granted }, 200, UNCACHED);
});

const getKeys = createRoute({
  method: 'get',
  path: KEYS_PATH,
  operationId: 'getKeys',
  tags: TAGS,
  summary: 'The keys that verify access tokens',
  description: 'A JWK set (RFC 7517 section 5).',
  security: [],
  responses: {
    200: ok(keySet, 'The public keys.', {
      headers: ['Access-Control-Allow-Origin'],
      examples: {
        keys: {
          keys: [
            {
              kty: 'EC',
              crv: 'P-256',
              x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
              y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
              kid: '2026-11',
              alg: 'ES256',
              use: 'sig',
            },
          ],
        },
      },
    }),
    ...tokenErrors('GET, HEAD'),
  },
});

oauth.openapi(getKeys, async (c) => {
  const { published } = await ownIssuer(c.env, c.req.url);
  return c.json(published, 200, { ...FOR_ANYBODY, 'Cache-Control': 'public, max-age=600' });
});

const getIssuerMetadata = createRoute({
  method: 'get',
  path: METADATA_PATH,
  operationId: 'getIssuerMetadata',
  tags: TAGS,
  summary: 'The issuer, for OAuth libraries',
  description: 'RFC 8414 section 2.',
  security: [],
  responses: {
    200: ok(issuerMetadata, 'The metadata.', {
      headers: ['Access-Control-Allow-Origin'],
      examples: { metadata: metadataOf('https://feeds.example') },
    }),
    ...tokenErrors('GET, HEAD'),
  },
});

oauth.openapi(getIssuerMetadata, async (c) => {
  const { issuer } = await ownIssuer(c.env, c.req.url);
  return c.json(metadataOf(issuer), 200, {
    ...FOR_ANYBODY,
    'Cache-Control': 'public, max-age=3600',
  });
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

function tooMany(description: string, seconds = LIMIT_PERIOD_SECONDS): TokenError {
  return new TokenError('temporarily_unavailable', description, 429, {
    'Retry-After': String(seconds),
  });
}

/** Whether this isolate has verified the secret of a client before, and has not found it to be invalid since. */
function isVerifiedSecret(clientId: string, secret: string): boolean {
  return hasDigest(secret, verifiedSecrets.get(clientId));
}

/**
 * Checks the secret of a client. An unknown client is denied like a wrong secret.
 *
 * @throws DependencyUnavailable if D1 fails
 */
async function authenticateClient(db: D1Database, clientId: string, secret: string) {
  const client = await findClient(db, clientId);
  if (!hasDigest(secret, client?.secret) || !client?.enabled) {
    if (isVerifiedSecret(clientId, secret)) verifiedSecrets.delete(clientId);
    return { kind: 'denied' } as const;
  }
  verifiedSecrets.set(clientId, client.secret);
  return { kind: 'authorized', client } as const;
}

/** Compares in constant time. An unknown client takes as long as a wrong secret: no secret has the default digest. */
function hasDigest(secret: string, stored = '-'.repeat(64)): boolean {
  return digestsEqual(Buffer.from(sha256Hex(secret)), Buffer.from(stored));
}

/**
 * The scopes to issue a token for: the requested ones (RFC 6749 section 3.3), by default all that the client has.
 * What is no scope is not repeated in the error: it may be a secret in the wrong place.
 *
 * @throws TokenError if the client lacks one, or has none
 */
function grantScopes(requested: string | undefined, allowed: readonly string[]): readonly string[] {
  const granted = requested === undefined ? allowed : [...new Set(requested.split(' '))];
  if (granted.length === 0) throw new TokenError('invalid_scope', 'The client has no scope.');
  const missing = granted.filter((scope) => !allowed.includes(scope));
  if (missing.length === 0) return granted;
  const lacking = SCOPES.find((scope) => missing.includes(scope));
  throw new TokenError(
    'invalid_scope',
    lacking === undefined
      ? `There is no such scope; the client has ${allowed.join(' ') || 'none'}.`
      : `The client lacks the scope ${lacking}.`,
  );
}

/** An access token for a client that acts on its own behalf, as a signed JWT (RFC 9068 section 2). */
function issueToken(
  { issuer, audience, signing }: OwnIssuer,
  clientId: string,
  createdAt: EpochSeconds,
  scope: string,
) {
  const now = nowInSeconds();
  return new SignJWT({ client_id: clientId, client_created_at: createdAt, scope })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: signing.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(clientId)
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
    .setJti(crypto.randomUUID())
    .sign(signing.key);
}
