import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { describeError, log } from '../lib/log.ts';
import { Unavailable } from '../lib/unavailable.ts';

const MINUTE = 60_000;

/** Milliseconds after which keys are asked for again, and for which they are used where the issuer does not answer. */
const RENEWED_AFTER = 10 * MINUTE;
const USABLE = 24 * 60 * MINUTE;

/** Milliseconds for which the issuer is left alone after it failed, or gave keys that an unknown one is not among. */
const LEFT_ALONE = 5_000;

const PATIENCE = 3_000;

/** By address; there is one unless the setting changes. */
const keySets = new Map<string, JWTVerifyGetKey>();

/**
 * The keys that another issuer publishes, fetched when a token needs them and kept by the isolate: asked for again after
 * ten minutes or for an unknown `kid`, and used for a day where the issuer does not answer.
 *
 * @throws Unavailable, when used, where the issuer does not answer and no keys of it are known
 */
export function remoteKeys(address: URL): JWTVerifyGetKey {
  const known = keySets.get(address.href) ?? fetchedKeys(address);
  keySets.set(address.href, known);
  return known;
}

function fetchedKeys(address: URL): JWTVerifyGetKey {
  let askedAt = Number.NEGATIVE_INFINITY;
  let failed = false;
  const keys = createRemoteJWKSet(address, {
    cacheMaxAge: USABLE,
    cooldownDuration: LEFT_ALONE,
    timeoutDuration: PATIENCE,
    async [customFetch](url: string, options: RequestInit) {
      if (failed && Date.now() - askedAt < LEFT_ALONE) throw new Error('The issuer did not answer a moment ago');
      askedAt = Date.now();
      failed = false;
      return fetch(url, options);
    },
  });
  let renewAt = 0;
  return async (header, token) => {
    try {
      const now = Date.now();
      if (now >= renewAt) {
        renewAt = now + RENEWED_AFTER;
        if (keys.fresh) {
          await keys.reload().catch((error: unknown) => {
            failed = true;
            log('warn', 'keys not renewed', { error: describeError(error) });
          });
        }
      }
      return await keys(header, token);
    } catch (error) {
      if (tellsOfToken(error)) throw error;
      failed = true;
      throw new Unavailable(`The keys of the other issuer: ${describeError(error)}`);
    }
  };
}

/** Whether looking for a key failed for what the token says, not for what the issuer did. */
function tellsOfToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}
