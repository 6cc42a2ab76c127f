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
}

/** This service as issuer: its tokens name a client stored in D1. */
export interface OwnIssuer extends Issuer {
  readonly kind: 'own';
  readonly signing: OwnKeys['signing'];
  readonly published: OwnKeys['published'];
}

/** Another issuer: a claim of its tokens names an account. */
export interface OtherIssuer extends Issuer {
  readonly kind: 'other';
  readonly accountClaim: string;
}

/** Whether settings name another issuer; if so, this service issues no tokens. */
export function hasOtherIssuer(env: Env): boolean {
  return OTHER_ISSUER_SETTINGS.some((name) => isSet(env[name]));
}

/**
 * This service as issuer, identified by `PUBLIC_ORIGIN` or else by the request's origin. That value is both issuer and
 * audience of its tokens, so a token is valid at the origin that issued it.
 *
 * @throws DependencyUnavailable naming the setting that is missing or malformed
 */
export async function ownIssuer(env: Env, requestUrl: string): Promise<OwnIssuer> {
  const { signing, published, verifying } = await ownKeys(env.SIGNING_KEYS);
  const origin = isSet(env.PUBLIC_ORIGIN) ? checkedOrigin(env.PUBLIC_ORIGIN) : originOf(requestUrl);
  return {
    kind: 'own',
    issuer: origin,
    audience: origin,
    algorithms: [SIGNING_ALGORITHM],
    types: ['at+jwt'],
    requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'jti', 'scope'],
    keys: verifying,
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
export function otherIssuer(env: Env): OtherIssuer {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_JWKS_URL, TOKEN_ACCOUNT_CLAIM } = env;
  if (!isSet(TOKEN_ISSUER)) {
    throw new DependencyUnavailable('TOKEN_ISSUER is not set, but another setting of another issuer is');
  }
  if (!isSet(TOKEN_AUDIENCE)) throw new DependencyUnavailable('TOKEN_AUDIENCE is not set, but TOKEN_ISSUER is');
  if (!isSet(TOKEN_JWKS_URL)) throw new DependencyUnavailable('TOKEN_JWKS_URL is not set, but TOKEN_ISSUER is');
  const accountClaim = isSet(TOKEN_ACCOUNT_CLAIM) ? TOKEN_ACCOUNT_CLAIM : 'account';
  return {
    kind: 'other',
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    types: ['at+jwt', 'jwt', undefined],
    requiredClaims: ['exp', accountClaim],
    keys: remoteKeys(checkedKeysUrl(TOKEN_JWKS_URL)),
    accountClaim,
  };
}

const OTHER_ISSUER_SETTINGS = ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'TOKEN_JWKS_URL', 'TOKEN_ACCOUNT_CLAIM'] as const;

function isSet(setting: string | undefined): setting is string {
  return setting !== undefined && setting !== '';
}

function checkedOrigin(setting: string): string {
  if (parseSecureUrl(setting)?.origin !== setting) {
    throw new DependencyUnavailable('PUBLIC_ORIGIN must be an origin such as https://feed.example.com');
  }
  return setting;
}

/** A request's URL is absolute, normalised and without credentials, so its origin is everything before the path. */
function originOf(requestUrl: string): string {
  return requestUrl.slice(0, requestUrl.indexOf('/', 'https://'.length));
}

function checkedKeysUrl(setting: string): URL {
  const url = parseSecureUrl(setting);
  if (url === undefined) throw new DependencyUnavailable('TOKEN_JWKS_URL must be an https URL');
  return url;
}

/** A URL with https, or with http and a loopback host. */
function parseSecureUrl(setting: string): URL | undefined {
  try {
    const url = new URL(setting);
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? url : undefined;
  } catch {
    return undefined;
  }
}
