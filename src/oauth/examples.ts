import { type HeaderName, LOGGED } from '../http/headers.ts';
import {
  type DocumentedResponse,
  type Example,
  type ExampleRequest,
  QUOTE_REQUEST,
  UNEXPECTED,
} from '../http/operation.ts';

import { TOKEN_LIFETIME_SECONDS } from './issue.ts';
import { type TokenErrorCode, tokenError } from './schemas.ts';
import { SCOPES } from './scopes.ts';

export const GRANT = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' };

export const TOKEN = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln',
  token_type: 'Bearer',
  expires_in: TOKEN_LIFETIME_SECONDS,
};

export const PUBLIC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  kid: '2026-11',
  alg: 'ES256',
  use: 'sig',
};

export const METADATA_EXAMPLE = {
  issuer: 'https://feeds.example',
  token_endpoint: 'https://feeds.example/oauth/token',
  jwks_uri: 'https://feeds.example/.well-known/jwks.json',
  scopes_supported: SCOPES,
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
};

type Case = Pick<Example, 'request' | 'when'> & { readonly name: string; readonly header?: 'Allow' | 'Retry-After' };

function error(
  [status, code]: readonly [number, TokenErrorCode],
  description: string,
  message: string,
  { name, header, ...example }: Case,
): DocumentedResponse {
  const more = code === 'invalid_client' ? 'WWW-Authenticate' : header;
  return {
    status,
    description: `\`${code}\`: ${description}`,
    headers: ['Cache-Control', 'Pragma', ...(more === undefined ? [] : [more as HeaderName]), ...LOGGED],
    content: { mediaType: 'application/json', schema: tokenError },
    examples: { [name]: { ...example, body: { error: code, error_description: message } } },
  };
}

function failures(allow: string, method: string, request: ExampleRequest): DocumentedResponse[] {
  return [
    error([405, 'invalid_request'], 'another method.', `Use ${allow}.`, {
      name: 'methodNotAllowed',
      request: { method },
      header: 'Allow',
    }),
    error([500, 'server_error'], UNEXPECTED, QUOTE_REQUEST, { name: 'internal', request, when: 'an unexpected error' }),
    error([503, 'temporarily_unavailable'], 'the database or a setting fails.', 'Try again later.', {
      name: 'unavailable',
      request,
      when: 'the database fails',
      header: 'Retry-After',
    }),
  ];
}

/** The errors of the keys and the metadata. */
export const METADATA_ERRORS = failures('GET, HEAD', 'DELETE', {});

/** The errors of the token endpoint. */
export const TOKEN_REQUEST_ERRORS: readonly DocumentedResponse[] = [
  error(
    [400, 'invalid_request'],
    'neither a form nor JSON, a missing or repeated parameter, or two ways of authentication.',
    'The parameter grant_type is missing.',
    { name: 'invalidRequest', request: { body: { client_id: 'demo-client', client_secret: 'demo-secret' } } },
  ),
  error([400, 'unsupported_grant_type'], 'another grant type.', 'The grant_type must be client_credentials.', {
    name: 'unsupportedGrantType',
    request: { body: { ...GRANT, grant_type: 'password' } },
  }),
  error([400, 'invalid_scope'], 'a scope that the client lacks.', 'The client lacks the requested scope.', {
    name: 'invalidScope',
    request: { body: { ...GRANT, scope: 'units:delete' } },
  }),
  error(
    [401, 'invalid_client'],
    'the client does not exist, its secret is wrong, or it is disabled.',
    'Unknown client or wrong secret.',
    { name: 'invalidClient', request: { body: { ...GRANT, client_secret: 'wrong' } } },
  ),
  error([413, 'invalid_request'], 'more than 16 KiB.', 'The body is too large.', {
    name: 'bodyTooLarge',
    request: { body: { ...GRANT, padding: 'x'.repeat(16 * 1024) } },
  }),
  error([429, 'temporarily_unavailable'], 'too many attempts or tokens.', 'Too many tokens; reuse them.', {
    name: 'tooManyTokens',
    request: { body: GRANT },
    when: 'a rate limit is exceeded',
    header: 'Retry-After',
  }),
  ...failures('POST', 'GET', { body: GRANT }),
];
