import { LOGGED, USUAL_ERROR_HEADER } from '../http/headers.ts';
import {
  type DocumentedResponse,
  type Example,
  type ExampleRequest,
  QUOTE_REQUEST,
  UNEXPECTED,
} from '../http/operation.ts';
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

/** A status and code with the message of an example, which says it all unless there is a description. */
type TokenErrorExample = readonly [
  status: number,
  code: TokenErrorCode,
  message: string,
  request: ExampleRequest,
  more?: { readonly description?: string; readonly when?: Example['when'] },
];

/** @param errors by the names of their examples */
function documented(errors: Readonly<Record<string, TokenErrorExample>>): DocumentedResponse[] {
  return Object.entries(errors).map(([name, [status, code, message, request, { description, when } = {}]]) => ({
    status,
    description: `\`${code}\`: ${description ?? message}`,
    headers: ['Cache-Control', 'Pragma', ...(USUAL_ERROR_HEADER[status] ?? []), ...LOGGED],
    content: { mediaType: 'application/json', schema: tokenError },
    examples: { [name]: { request, when, body: { error: code, error_description: message } } },
  }));
}

function failures(allow: string, method: string, request: ExampleRequest) {
  const unexpected = { description: UNEXPECTED, when: 'an unexpected error' } as const;
  const failing = { description: 'the database or a setting fails.', when: 'the database fails' } as const;
  return {
    methodNotAllowed: [405, 'invalid_request', `Use ${allow}.`, { method }],
    internal: [500, 'server_error', QUOTE_REQUEST, request, unexpected],
    unavailable: [503, 'temporarily_unavailable', 'Try again later.', request, failing],
  } as const satisfies Record<string, TokenErrorExample>;
}

/** The errors of the keys and the metadata. */
export const METADATA_ERRORS = documented(failures('GET, HEAD', 'DELETE', {}));

/** A grant with other parameters. */
const given = (parameters: object) => ({ body: { ...GRANT, ...parameters } });
const INVALID = 'neither a form nor JSON, a missing or repeated parameter, or two ways of authentication.';
const MISSING = 'The parameter grant_type is missing.';
const UNSUPPORTED = 'The parameter grant_type must be client_credentials.';
const REFUSED = { description: 'too many attempts or tokens.', when: 'a rate limit is exceeded' } as const;
const DENIED = { description: 'the client does not exist, its secret is wrong, or it is disabled.' };

/** The errors of the token endpoint. */
export const TOKEN_REQUEST_ERRORS = documented({
  invalidRequest: [400, 'invalid_request', MISSING, given({ grant_type: '' }), { description: INVALID }],
  unsupportedGrantType: [400, 'unsupported_grant_type', UNSUPPORTED, given({ grant_type: 'password' })],
  invalidScope: [400, 'invalid_scope', 'The client lacks the requested scope.', given({ scope: 'units:delete' })],
  invalidClient: [401, 'invalid_client', 'Unknown client or wrong secret.', given({ client_secret: 'wrong' }), DENIED],
  bodyTooLarge: [413, 'invalid_request', 'The body is too large.', given({ padding: 'x'.repeat(16 * 1024) })],
  tooManyTokens: [429, 'temporarily_unavailable', 'Too many tokens; reuse them.', given({}), REFUSED],
  ...failures('POST', 'GET', given({})),
});
