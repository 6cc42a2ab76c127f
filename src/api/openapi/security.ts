import { SCOPE_MEANINGS } from '../../oauth/scopes.ts';

/** The ways to authenticate. */
export const SECURITY_SCHEMES = {
  feedAccount: {
    type: 'apiKey',
    in: 'query',
    name: 'U',
    description: '`OWNPROPERTIES@` followed by the account code; with `feedPassword`.',
  },
  feedPassword: { type: 'apiKey', in: 'query', name: 'P', description: 'The account’s password.' },
  feedBasic: {
    type: 'http',
    scheme: 'basic',
    description:
      'User name `OWNPROPERTIES@<account code>`, and the account’s password. Preferable: URLs end up in logs.',
  },
  clientBasic: { type: 'http', scheme: 'basic', description: 'The client’s id and secret, each form-encoded.' },
  accessToken: {
    type: 'oauth2',
    description: 'An access token from `POST /oauth/token`, sent as `Authorization: Bearer`.',
    flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: SCOPE_MEANINGS } },
  },
};
