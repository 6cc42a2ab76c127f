import type { HeaderName } from '../http/headers.ts';
import { TOKEN_LIFETIME_SECONDS } from '../oauth/issue.ts';
import { SCOPES } from '../oauth/scopes.ts';
import type { TOKEN_ERRORS } from '../oauth/token-request.ts';
import type { DocumentedResponse, Example, ExampleRequest, Operation } from './operation.ts';
import { LOGGED, QUOTE_REQUEST, UNEXPECTED } from './problems.ts';
import { issuerMetadata, keySet, tokenError, tokenRequest, tokenResponse } from './schemas/tokens.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** The headers that RFC 6749 section 5.1 requires, and those of every logged response. */
const UNCACHED = ['Cache-Control', 'Pragma', ...LOGGED] as const satisfies readonly HeaderName[];

const GRANT = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' };

function error(
  status: number,
  code: (typeof TOKEN_ERRORS)[number],
  description: string,
  message: string,
  example: Omit<Example, 'body'>,
  headers: readonly HeaderName[] = [],
): DocumentedResponse {
  return {
    status,
    description: `\`${code}\`: ${description}`,
    headers: [...UNCACHED, ...headers],
    content: { mediaType: JSON_TYPE, schema: tokenError },
    examples: [{ ...example, body: { error: code, error_description: message } }],
  };
}

function otherMethod(allow: string, method: string, request: ExampleRequest = {}): DocumentedResponse {
  return error(
    405,
    'invalid_request',
    'another method.',
    `Use ${allow}.`,
    { name: 'methodNotAllowed', request: { ...request, method } },
    ['Allow'],
  );
}

function internal(request: ExampleRequest): DocumentedResponse {
  return error(500, 'server_error', UNEXPECTED, QUOTE_REQUEST, {
    name: 'internal',
    request,
    when: 'an unexpected error',
  });
}

function unavailable(request: ExampleRequest): DocumentedResponse {
  return error(
    503,
    'temporarily_unavailable',
    'the database or a setting fails.',
    'Try again later.',
    { name: 'unavailable', request, when: 'the database fails' },
    ['Retry-After'],
  );
}

/** Operations of the built-in issuer of access tokens. */
export const TOKEN_OPERATIONS: readonly Operation[] = [
  {
    path: '/oauth/token',
    method: 'post',
    id: 'requestToken',
    tag: 'Tokens',
    summary: 'Request an access token',
    description:
      'The client credentials grant (RFC 6749 section 4.4). The client authenticates by HTTP Basic or in the body, but not ' +
      `by both. A token is valid for ${TOKEN_LIFETIME_SECONDS} seconds: reuse it until it expires. Parameters in the URL are an ` +
      'error. Where another issuer is configured, this path and the other two of this section respond with 404.',
    security: ['clientBasic', 'clientBody'],
    body: { schema: tokenRequest, mediaTypes: [FORM, JSON_TYPE] },
    responses: [
      {
        status: 200,
        description: 'A token.',
        headers: UNCACHED,
        content: { mediaType: JSON_TYPE, schema: tokenResponse },
        examples: [
          {
            name: 'form',
            request: { body: GRANT },
            body: {
              access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln',
              token_type: 'Bearer',
              expires_in: TOKEN_LIFETIME_SECONDS,
              scope: SCOPES.join(' '),
            },
          },
          {
            name: 'json',
            request: { body: { ...GRANT, scope: 'units:read' }, mediaType: JSON_TYPE },
            body: {
              access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln',
              token_type: 'Bearer',
              expires_in: TOKEN_LIFETIME_SECONDS,
              scope: 'units:read',
            },
          },
        ],
      },
      error(
        400,
        'invalid_request',
        'neither a form nor JSON, a missing or repeated parameter, or two ways of authentication.',
        'The parameter grant_type is missing.',
        { name: 'invalidRequest', request: { body: { client_id: 'demo-client', client_secret: 'demo-secret' } } },
      ),
      error(400, 'unsupported_grant_type', 'another grant type.', 'The grant_type must be client_credentials.', {
        name: 'unsupportedGrantType',
        request: { body: { ...GRANT, grant_type: 'password' } },
      }),
      error(400, 'invalid_scope', 'a scope that the client lacks.', 'The client lacks the requested scope.', {
        name: 'invalidScope',
        request: { body: { ...GRANT, scope: 'units:delete' } },
      }),
      error(
        401,
        'invalid_client',
        'the client does not exist, its secret is wrong, or it is disabled.',
        'Unknown client or wrong secret.',
        { name: 'invalidClient', request: { body: { ...GRANT, client_secret: 'wrong' } } },
        ['WWW-Authenticate'],
      ),
      otherMethod('POST', 'GET'),
      error(413, 'invalid_request', 'more than 16 KiB.', 'The body is too large.', {
        name: 'bodyTooLarge',
        request: { body: { ...GRANT, padding: 'x'.repeat(16 * 1024) } },
      }),
      error(
        429,
        'temporarily_unavailable',
        'too many attempts or tokens.',
        'Too many tokens; reuse them.',
        { name: 'tooManyTokens', request: { body: GRANT }, when: 'a rate limit is exceeded' },
        ['Retry-After'],
      ),
      internal({ body: GRANT }),
      unavailable({ body: GRANT }),
    ],
  },
  {
    path: '/.well-known/jwks.json',
    method: 'get',
    id: 'getKeys',
    tag: 'Tokens',
    summary: 'The keys that verify access tokens',
    description: 'A JWK set (RFC 7517 section 5). HEAD works as well.',
    security: [],
    responses: [
      {
        status: 200,
        description: 'The public keys.',
        headers: ['Cache-Control', ...LOGGED],
        content: { mediaType: JSON_TYPE, schema: keySet },
        examples: [
          {
            name: 'keys',
            body: {
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
        ],
      },
      otherMethod('GET, HEAD', 'DELETE'),
      internal({}),
      unavailable({}),
    ],
  },
  {
    path: '/.well-known/oauth-authorization-server',
    method: 'get',
    id: 'getIssuerMetadata',
    tag: 'Tokens',
    summary: 'The issuer, for OAuth libraries',
    description: 'HEAD works as well.',
    security: [],
    responses: [
      {
        status: 200,
        description: 'The metadata.',
        headers: ['Cache-Control', ...LOGGED],
        content: { mediaType: JSON_TYPE, schema: issuerMetadata },
        examples: [
          {
            name: 'metadata',
            body: {
              issuer: 'https://feeds.example',
              token_endpoint: 'https://feeds.example/oauth/token',
              jwks_uri: 'https://feeds.example/.well-known/jwks.json',
              scopes_supported: SCOPES,
              response_types_supported: [],
              grant_types_supported: ['client_credentials'],
              token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
            },
          },
        ],
      },
      otherMethod('GET, HEAD', 'DELETE'),
      internal({}),
      unavailable({}),
    ],
  },
];
