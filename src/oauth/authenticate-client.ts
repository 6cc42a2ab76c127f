import { type Client, findClient } from '../db/clients.ts';
import { LruMap } from '../lib/lru.ts';
import { digestsEqual, sha256Hex } from '../lib/secrets.ts';
import { orUnavailable } from '../lib/unavailable.ts';

/** The outcome of checking a client's secret. */
export type ClientVerdict =
  | { readonly kind: 'authorized'; readonly client: Client }
  | { readonly kind: 'denied' | 'too many attempts' };

/** Digests of secrets that this isolate has verified, by client: repeated token requests do not count as attempts. */
const verifiedSecrets = new LruMap<string, string>(10_000);

/** A stored digest that no secret matches, so that an unknown client costs the same check as a known one. */
const UNMATCHABLE_SECRET = '-'.repeat(64);

/**
 * Checks the secret of a client. An unknown client is denied like a wrong secret.
 *
 * @param mayAttempt called before checking a secret that this isolate has not verified; returns false if the caller has
 *   made too many attempts
 * @throws DependencyUnavailable if D1 fails
 */
export async function authenticateClient(
  db: D1Database,
  clientId: string,
  secret: string,
  mayAttempt: () => Promise<boolean>,
): Promise<ClientVerdict> {
  const digest = sha256Hex(secret);
  const isVerified = () => equal(digest, verifiedSecrets.get(clientId) ?? UNMATCHABLE_SECRET);
  const allowed = isVerified() || (await mayAttempt());
  const client = await orUnavailable('client', findClient(db, clientId));
  // Asked again: another request of the same burst may have verified the secret in the meantime.
  if (!allowed && !isVerified()) return { kind: 'too many attempts' };
  if (!equal(digest, client?.secret ?? UNMATCHABLE_SECRET) || !client?.enabled) return { kind: 'denied' };
  verifiedSecrets.set(clientId, digest);
  return { kind: 'authorized', client };
}

function equal(a: string, b: string): boolean {
  return digestsEqual(Buffer.from(a), Buffer.from(b));
}
