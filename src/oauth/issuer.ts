import type { JWTVerifyGetKey } from 'jose';
import type { Env } from '../env.ts';
import { Unavailable } from '../lib/unavailable.ts';
import { SIGNING_ALGORITHM } from './keys.ts';
import { remoteKeys } from './remote-keys.ts';
import { type SigningKeys, signingKeys } from './signing-keys.ts';

/** Whose tokens are taken, and what must stand in them. */
export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: string[];
  /** Values of the header `typ`, in lower case and without `application/`; `undefined` is a header without it. */
  readonly types: readonly (string | undefined)[];
  readonly requiredClaims: string[];
  readonly keys: JWTVerifyGetKey;
}

/** The service itself: its tokens name a client, who is known here. */
export interface OwnIssuer extends Issuer {
  readonly kind: 'own';
  readonly signing: SigningKeys['signing'];
  readonly published: SigningKeys['published'];
}

/** Another issuer: a claim of its tokens names an account. */
export interface OtherIssuer extends Issuer {
  readonly kind: 'other';
  readonly accountClaim: string;
}

/** Whether settings name another issuer; then the service issues no tokens itself. */
export function hasOtherIssuer(env: Env): boolean {
  return OTHER_ISSUER_SETTINGS.some((name) => isSet(env[name]));
}

/**
 * The service itself, under `PUBLIC_ORIGIN`, else under the origin of the request. Its tokens have that one value as
 * issuer and as audience, so a token is good where it was issued.
 *
 * @throws Unavailable naming the setting that is missing or malformed
 */
export async function ownIssuer(env: Env, requestUrl: string): Promise<OwnIssuer> {
  const { signing, published, verifying } = await signingKeys(env.SIGNING_KEYS);
  const origin = isSet(env.PUBLIC_ORIGIN) ? publicOrigin(env.PUBLIC_ORIGIN) : originOf(requestUrl);
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
 * The issuer that the settings name. Access tokens of such issuers often say `JWT`, or nothing, where RFC 9068 has
 * `at+jwt`.
 *
 * @throws Unavailable naming the setting that is missing or malformed
 */
export function otherIssuer(env: Env): OtherIssuer {
  const { TOKEN_ISSUER, TOKEN_AUDIENCE, TOKEN_JWKS_URL, TOKEN_ACCOUNT_CLAIM } = env;
  if (!isSet(TOKEN_ISSUER)) throw new Unavailable('TOKEN_ISSUER is not set, but another setting of another issuer is');
  if (!isSet(TOKEN_AUDIENCE)) throw new Unavailable('TOKEN_AUDIENCE is not set, but TOKEN_ISSUER is');
  if (!isSet(TOKEN_JWKS_URL)) throw new Unavailable('TOKEN_JWKS_URL is not set, but TOKEN_ISSUER is');
  const accountClaim = isSet(TOKEN_ACCOUNT_CLAIM) ? TOKEN_ACCOUNT_CLAIM : 'account';
  return {
    kind: 'other',
    issuer: TOKEN_ISSUER,
    audience: TOKEN_AUDIENCE,
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    types: ['at+jwt', 'jwt', undefined],
    requiredClaims: ['exp', accountClaim],
    keys: remoteKeys(keyAddress(TOKEN_JWKS_URL)),
    accountClaim,
  };
}

const OTHER_ISSUER_SETTINGS = ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'TOKEN_JWKS_URL', 'TOKEN_ACCOUNT_CLAIM'] as const;

function isSet(setting: string | undefined): setting is string {
  return setting !== undefined && setting !== '';
}

function publicOrigin(setting: string): string {
  if (trustworthyAddress(setting)?.origin !== setting) {
    throw new Unavailable('PUBLIC_ORIGIN is not an origin such as https://feed.example.com');
  }
  return setting;
}

/** A request's address is absolute and normalised, and has no credentials: what stands before its path is its origin. */
function originOf(requestUrl: string): string {
  return requestUrl.slice(0, requestUrl.indexOf('/', 'https://'.length));
}

function keyAddress(setting: string): URL {
  const address = trustworthyAddress(setting);
  if (address === undefined) throw new Unavailable('TOKEN_JWKS_URL is not an https address');
  return address;
}

/** An address of https, or of http within one machine. */
function trustworthyAddress(setting: string): URL | undefined {
  try {
    const url = new URL(setting);
    const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    return url.protocol === 'https:' || (url.protocol === 'http:' && local) ? url : undefined;
  } catch {
    return undefined;
  }
}
