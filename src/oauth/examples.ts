import { LOGGED, USUAL_ERROR_HEADER } from '../http/headers.ts';
import { type DocumentedResponse, type Example, QUOTE_REQUEST, UNEXPECTED } from '../http/operation.ts';
import { TOKEN_LIFETIME_SECONDS } from './grant.ts';
import { type TokenErrorCode, tokenError } from './schemas.ts';

export const GRANT = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' };

export const TOKEN = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln',
  token_type: 'Bearer',
  expires_in: TOKEN_LIFETIME_SECONDS,
} as const;

export const PUBLIC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  kid: '2026-11',
  alg: 'ES256',
  use: 'sig',
};

/** When an error occurs, and an example: its status and code, and the message that its request causes. */
type TokenErrorExample = readonly [
  status: number,
  code: TokenErrorCode,
  description: string,
  message: string,
  request: Example['request'],
  when?: Example['when'],
];

/** @param errors by the names of their examples */
function documented(errors: Readonly<Record<string, TokenErrorExample>>): DocumentedResponse[] {
  return Object.entries(errors).map(([name, [status, code, description, message, request = {}, when]]) => ({
    status,
    description: `\`${code}\`: ${description}`,
    headers: ['Cache-Control', 'Pragma', ...(USUAL_ERROR_HEADER[status] ?? []), ...LOGGED],
    content: { mediaType: 'application/json', schema: tokenError },
    examples: { [name]: { request, when, body: { error: code, error_description: message } } },
  }));
}

function failures(allow: string, method: string, request: Example['request']) {
  return {
    methodNotAllowed: [405, 'invalid_request', 'another method.', `Use ${allow}.`, { method }],
    internal: [500, 'server_error', UNEXPECTED, QUOTE_REQUEST, request, 'an unexpected error'],
    unavailable: [
      ...([503, 'temporarily_unavailable', 'the database or a setting fails.', 'Try again later.'] as const),
      request,
      'the database fails',
    ],
  } as const satisfies Record<string, TokenErrorExample>;
}

/** The errors of the keys and the metadata. */
export const METADATA_ERRORS = documented(failures('GET, HEAD', 'DELETE', {}));

/** The errors of the token endpoint. */
export const TOKEN_REQUEST_ERRORS = documented({
  invalidRequest: [
    400,
    'invalid_request',
    'neither a form nor JSON, a missing or repeated parameter, or two ways of authentication.',
    'The parameter grant_type is missing.',
    { body: { client_id: 'demo-client', client_secret: 'demo-secret' } },
  ],
  unsupportedGrantType: [
    400,
    'unsupported_grant_type',
    'another grant type.',
    'The grant_type must be client_credentials.',
    { body: { ...GRANT, grant_type: 'password' } },
  ],
  invalidScope: [
    400,
    'invalid_scope',
    'a scope that the client lacks.',
    'The client lacks the requested scope.',
    { body: { ...GRANT, scope: 'units:delete' } },
  ],
  invalidClient: [
    401,
    'invalid_client',
    'the client does not exist, its secret is wrong, or it is disabled.',
    'Unknown client or wrong secret.',
    { body: { ...GRANT, client_secret: 'wrong' } },
  ],
  bodyTooLarge: [
    413,
    'invalid_request',
    'more than 16 KiB.',
    'The body is too large.',
    { body: { ...GRANT, padding: 'x'.repeat(16 * 1024) } },
  ],
  tooManyTokens: [
    429,
    'temporarily_unavailable',
    'too many attempts or tokens.',
    'Too many tokens; reuse them.',
    { body: GRANT },
    'a rate limit is exceeded',
  ],
  ...failures('POST', 'GET', { body: GRANT }),
});
