import * as z from 'zod';
import { type ErrorExample, errorResponses } from '../api/responses.ts';
import { named, namedObject } from '../api/schemas.ts';
import { SCOPES } from './scopes.ts';

/** The errors of RFC 6749 section 5.2, and two of section 4.1.2.1 that section 5.2 lacks, with their usual status. */
export const TOKEN_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;

export type TokenErrorCode = keyof typeof TOKEN_ERRORS;

const parameter = z.string().optional();

/** The parameters of a token request. Unknown ones are ignored, and a client_id that consists of digits may be a number. */
export const tokenRequest = namedObject('TokenRequest', {
  grant_type: z.literal('client_credentials'),
  client_id: z
    .preprocess(
      (id) => (Number.isSafeInteger(id) && (id as number) >= 0 ? String(id) : id),
      parameter,
    )
    .meta({ type: 'string', description: 'Unless HTTP Basic is used.' }),
  client_secret: parameter.describe('Unless HTTP Basic is used.'),
  scope: parameter.describe(
    `Scopes separated by spaces (${SCOPES.join(', ')}); by default, all that the client has.`,
  ),
});

export const tokenResponse = namedObject('TokenResponse', {
  access_token: z.string().describe('A signed JWT (RFC 9068).'),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds.'),
  scope: z.string(),
});

const tokenError = named(
  'TokenError',
  z
    .object({
      error: z.enum(Object.keys(TOKEN_ERRORS) as [TokenErrorCode]),
      error_description: z.string(),
    })
    .describe('RFC 6749 section 5.2.'),
);

/** An error that an operation of the issuer documents. @param name of its example, if not the code */
export function tokenErrorExample(
  error: TokenErrorCode,
  description: string,
  detail = description,
  { name = error as string, status = TOKEN_ERRORS[error] as number } = {},
): ErrorExample {
  return { name, code: error, status, description, body: { error, error_description: detail } };
}

/** The responses of an operation of the issuer with errors. @param methods of its path */
export function tokenErrors(methods: string, ...own: readonly ErrorExample[]): object {
  const all = [
    ...own,
    tokenErrorExample('invalid_request', 'another method.', `Use ${methods}.`, {
      name: 'method_not_allowed',
      status: 405,
    }),
    tokenErrorExample(
      'server_error',
      'unexpected; the log contains the error under the id that the document states.',
      'Please quote request 0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e.',
      { name: 'internal' },
    ),
    tokenErrorExample(
      'temporarily_unavailable',
      'the database or a setting fails.',
      'Retry later.',
      { name: 'unavailable' },
    ),
  ];
  return errorResponses('application/json', tokenError, all, ['Pragma']);
}

export const publicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});

export const keySet = namedObject('KeySet', { keys: z.array(publicKey) });

export const issuerMetadata = named(
  'IssuerMetadata',
  z
    .object({
      issuer: z.url(),
      token_endpoint: z.url(),
      jwks_uri: z.url(),
      scopes_supported: z.array(z.enum(SCOPES)).readonly(),
      response_types_supported: z.array(z.string()),
      grant_types_supported: z.array(z.string()),
      token_endpoint_auth_methods_supported: z.array(z.string()),
    })
    .describe('RFC 8414 section 2.'),
);
