import type { JWTVerifyGetKey } from 'jose';
import type { Env } from '../env.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import { type OwnKeys, ownKeys, SIGNING_ALGORITHM } from './own-keys.ts';
import { remoteKeys } from './remote-keys.ts';

/** An issuer whose tokens are accepted, and what they must contain. */
export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: string[];
  /** Accepted values of the header `typ`, in lower case and without `application/`; `undefined` stands for no `typ`. */
  readonly types: readonly (string | undefined)[];
  readonly requiredClaims: string[];
  readonly keys: JWTVerifyGetKey;
  /** The claim that names an account; `null` if tokens name a client that is stored in D1. */
  readonly accountClaim: string | null;
}

/** This service as issuer. */
export interface OwnIssuer extends Issuer, Pick<OwnKeys, 'signing' | 'published'> {}

/** Whether settings name another issuer; if so, this service issues no tokens. */
export function hasOtherIssuer(env: Env): boolean {
  return Boolean(env.TOKEN_ISSUER || env.TOKEN_AUDIENCE || env.TOKEN_JWKS_URL || env.TOKEN_ACCOUNT_CLAIM);
}

/**
 * This service as issuer, identified by `PUBLIC_ORIGIN` or else by the request's origin. That value is both issuer and
 * audience of its tokens, so a token is valid at the origin that issued it.
 *
 * @throws DependencyUnavailable naming the setting that is missing or malformed
 */
export async function ownIssuer(env: Env, requestUrl: string): Promise<OwnIssuer> {
  const { signing, published, verifying } = await ownKeys(env.SIGNING_KEYS);
  const origin = env.PUBLIC_ORIGIN || new URL(requestUrl).origin;
  if (env.PUBLIC_ORIGIN && secureUrl(origin)?.origin !== origin) {
    throw new DependencyUnavailable('PUBLIC_ORIGIN must be an origin such as https://feed.example.com');
  }
  return {
    issuer: origin,
    audience: origin,
    algorithms: [SIGNING_ALGORITHM],
    types: ['at+jwt'],
    requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'jti', 'scope'],
    keys: verifying,
    accountClaim: null,
    signing,
    published,
  };
}

/**
 * The issuer that the settings name. Access tokens of such issuers often have the `typ` `JWT`, or none, instead of the
 * `at+jwt` of RFC 9068.
 *
 * @throws DependencyUnavailable naming the setting that is missing or malformed
 */
export function otherIssuer(env: Env): Issuer {
  const [issuer, audience, keysUrl] = (['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'TOKEN_JWKS_URL'] as const).map((name) => {
    if (env[name]) return env[name];
    throw new DependencyUnavailable(`${name} is not set, but another setting of another issuer is`);
  }) as [string, string, string];
  const url = secureUrl(keysUrl);
  if (url === null) throw new DependencyUnavailable('TOKEN_JWKS_URL must be an https URL');
  const accountClaim = env.TOKEN_ACCOUNT_CLAIM || 'account';
  return {
    issuer,
    audience,
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    types: ['at+jwt', 'jwt', undefined],
    requiredClaims: ['exp', accountClaim],
    keys: remoteKeys(url),
    accountClaim,
  };
}

/** A URL with https, or with http and a loopback host. */
function secureUrl(setting: string): URL | null {
  const url = URL.canParse(setting) ? new URL(setting) : null;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback) ? url : null;
}
