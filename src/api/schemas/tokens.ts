import { z } from 'zod';
import { named } from '../../http/schemas.ts';
import { SCOPES } from '../../oauth/scopes.ts';
import { TOKEN_ERRORS } from '../../oauth/token-request.ts';

/** What `parseTokenRequest` of `oauth/token-request.ts` accepts as parameters. */
export const tokenRequest = named(
  'TokenRequest',
  z.object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().optional().meta({ description: 'Unless HTTP Basic is used.' }),
    client_secret: z.string().optional().meta({ description: 'Unless HTTP Basic is used.' }),
    scope: z
      .string()
      .optional()
      .meta({ description: `Scopes separated by spaces (${SCOPES.join(', ')}); all of the client by default.` }),
  }),
);

export const tokenResponse = named(
  'TokenResponse',
  z.object({
    access_token: z.string().meta({ description: 'A signed JWT (RFC 9068).' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    scope: z.string(),
  }),
);

export const tokenError = named(
  'TokenError',
  z
    .object({ error: z.enum(TOKEN_ERRORS), error_description: z.string() })
    .meta({ description: 'RFC 6749 section 5.2.' }),
);

export const keySet = named(
  'KeySet',
  z.object({
    keys: z.array(
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  }),
);

export const issuerMetadata = named(
  'IssuerMetadata',
  z
    .object({
      issuer: z.url(),
      token_endpoint: z.url(),
      jwks_uri: z.url(),
      scopes_supported: z.array(z.enum(SCOPES)),
      response_types_supported: z.array(z.string()),
      grant_types_supported: z.array(z.string()),
      token_endpoint_auth_methods_supported: z.array(z.string()),
    })
    .meta({ description: 'RFC 8414 section 2.' }),
);
