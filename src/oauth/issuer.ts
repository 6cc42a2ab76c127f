import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import { type OwnKeys, ownKeys, SIGNING_ALGORITHM } from './own-keys.ts';

/** An issuer whose tokens are accepted, and what they must contain. */
export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: string[];
  /** Accepted values of the header `typ`, in lower case and without `application/`; `undefined` means no `typ`. */
  readonly types: readonly (string | undefined)[];
  readonly requiredClaims: string[];
  readonly keys: JWTVerifyGetKey;
  /** The claim that names an account; `null` if tokens name a client that is stored in D1. */
  readonly accountClaim: string | null;
}

export interface OwnIssuer extends Issuer, Pick<OwnKeys, 'signing' | 'published'> {}

/** Whether settings name another issuer; if so, this service issues no tokens. */
export function hasOtherIssuer(env: Env): boolean {
  return Boolean(
    env.TOKEN_ISSUER || env.TOKEN_AUDIENCE || env.TOKEN_JWKS_URL || env.TOKEN_ACCOUNT_CLAIM,
  );
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
    throw new DependencyUnavailable(
      'PUBLIC_ORIGIN must be an origin such as https://feed.example.com',
    );
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
  const [issuer, audience, keysUrl] = (
    ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'TOKEN_JWKS_URL'] as const
  ).map((name) => {
    if (env[name]) return env[name];
    throw new DependencyUnavailable(`${name} is not set, but another setting of another issuer is`);
  }) as [string, string, string];
  const url = secureUrl(keysUrl);
  if (url === null) throw new DependencyUnavailable('TOKEN_JWKS_URL must be an https URL');
  const accountClaim = env.TOKEN_ACCOUNT_CLAIM || 'account';
  const keys = keySets.get(url.href) ?? remoteKeys(url);
  keySets.set(url.href, keys);
  return {
    issuer,
    audience,
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    types: ['at+jwt', 'jwt', undefined],
    requiredClaims: ['exp', accountClaim],
    keys,
    accountClaim,
  };
}

/** A URL with https, or with http and a loopback host. */
function secureUrl(setting: string): URL | null {
  const url = URL.canParse(setting) ? new URL(setting) : null;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback) ? url : null;
}

/** Milliseconds after which the keys of another issuer are refreshed, and for which they work while it is not responding. */
const REFRESH_AFTER_MS = 10 * 60_000;
const MAX_AGE_MS = 24 * 60 * 60_000;

/** Milliseconds after a response of the issuer in which unknown keys cause no further request. */
const COOLDOWN_MS = 5_000;

/** Milliseconds within which the issuer must respond. */
const TIMEOUT_MS = 3_000;

/** What is wrong with a token if no key was found; every other error is the issuer's. */
const CAUSED_BY_TOKEN = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys];

/** By URL; there is one unless the setting changes. */
const keySets = new Map<string, JWTVerifyGetKey>();

/** The keys that another issuer publishes. They throw DependencyUnavailable if it fails and they are not cached. */
function remoteKeys(url: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: MAX_AGE_MS,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  let refreshAt = 0;
  return async (header, token) => {
    const isDue = Date.now() >= refreshAt;
    if (isDue) refreshAt = Date.now() + REFRESH_AFTER_MS;
    try {
      if (isDue && keys.fresh) {
        await keys
          .reload()
          .catch((error) =>
            log('warn', 'issuer_keys.not_refreshed', { error: describeError(error) }),
          );
      }
      return await keys(header, token);
    } catch (error) {
      if (CAUSED_BY_TOKEN.some((type) => error instanceof type)) throw error;
      throw new DependencyUnavailable(`keys of the other issuer: ${describeError(error)}`);
    }
  };
}
