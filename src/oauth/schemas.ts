import * as z from 'zod';
import type { ErrorForm } from '../api/operation.ts';
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

/** The form of errors of the token endpoint, the keys and the metadata. */
export const errorForm: ErrorForm = {
  mediaType: 'application/json',
  schema: tokenError,
  headers: ['Pragma'],
  statuses: { ...TOKEN_ERRORS, method_not_allowed: 405, body_too_large: 413, too_many_tokens: 429 },
  codes: {
    method_not_allowed: 'invalid_request',
    body_too_large: 'invalid_request',
    too_many_tokens: 'temporarily_unavailable',
    unavailable: 'temporarily_unavailable',
    internal: 'server_error',
  },
  bodyOf: (error, error_description) => ({ error, error_description }),
};

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
