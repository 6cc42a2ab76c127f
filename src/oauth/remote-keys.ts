import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { describeError, log } from '../lib/log.ts';
import { DependencyUnavailable } from '../lib/unavailable.ts';

const MINUTE = 60_000;

/** Milliseconds after which keys are refreshed, and for which they are used while the issuer is not responding. */
const REFRESH_AFTER = 10 * MINUTE;
const MAX_AGE = 24 * 60 * MINUTE;

/** Milliseconds without requests to the issuer after it failed, or after its keys lacked the one that a token names. */
const COOLDOWN_MS = 5_000;

const TIMEOUT = 3_000;

/** What is wrong with a token if no key was found; every other error is the issuer's. */
const CAUSED_BY_TOKEN = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** By URL; there is one unless the setting changes. */
const keySets = new Map<string, JWTVerifyGetKey>();

/**
 * The keys that another issuer publishes, fetched when a token needs them and cached by the isolate: refreshed after ten
 * minutes or for an unknown `kid`, and used for up to a day while the issuer is not responding.
 *
 * @throws DependencyUnavailable, when used, if the issuer is not responding and its keys are not cached
 */
export function remoteKeys(url: URL): JWTVerifyGetKey {
  const keys = keySets.get(url.href) ?? fetchedKeys(url);
  keySets.set(url.href, keys);
  return keys;
}

function fetchedKeys(url: URL): JWTVerifyGetKey {
  let requestedAt = Number.NEGATIVE_INFINITY;
  let failed = false;
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: MAX_AGE,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT,
    async [customFetch](href: string, options: RequestInit) {
      if (failed && Date.now() - requestedAt < COOLDOWN_MS) throw new Error('The issuer failed a moment ago');
      requestedAt = Date.now();
      failed = false;
      return fetch(href, options);
    },
  });
  let refreshAt = 0;
  return async (header, token) => {
    try {
      const isDue = Date.now() >= refreshAt;
      if (isDue) refreshAt = Date.now() + REFRESH_AFTER;
      if (isDue && keys.fresh) {
        await keys.reload().catch((error: unknown) => {
          failed = true;
          log('warn', 'issuer_keys.not_refreshed', { error: describeError(error) });
        });
      }
      return await keys(header, token);
    } catch (error) {
      if (CAUSED_BY_TOKEN.some((type) => error instanceof type)) throw error;
      failed = true;
      throw new DependencyUnavailable(`keys of the other issuer: ${describeError(error)}`);
    }
  };
}
