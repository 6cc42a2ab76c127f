import { Buffer } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import { type Client, findClient } from '../db/accounts/clients.ts';
import { digestsEqual, sha256Hex } from '../lib/secrets/secrets.ts';

/** The outcome of checking a client's secret. */
export type ClientVerdict = { readonly kind: 'authorized'; readonly client: Client } | { readonly kind: 'denied' };

/** Digests of secrets that this isolate has verified, by client: repeated token requests do not count as attempts. */
const verifiedSecrets = new LRUCache<string, string>({ max: 10_000 });

/** A stored digest that no secret matches, so that an unknown client costs the same check as a known one. */
const UNMATCHABLE_SECRET = '-'.repeat(64);

/** Whether this isolate has verified the secret of a client before, and has not found it to be invalid since. */
export function isVerifiedSecret(clientId: string, secret: string): boolean {
  return equal(sha256Hex(secret), verifiedSecrets.get(clientId) ?? UNMATCHABLE_SECRET);
}

/**
 * Checks the secret of a client. An unknown client is denied like a wrong secret.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function authenticateClient(db: D1Database, clientId: string, secret: string): Promise<ClientVerdict> {
  const digest = sha256Hex(secret);
  const client = await findClient(db, clientId);
  if (!equal(digest, client?.secret ?? UNMATCHABLE_SECRET) || !client?.enabled) {
    if (verifiedSecrets.get(clientId) === digest) verifiedSecrets.delete(clientId);
    return { kind: 'denied' };
  }
  verifiedSecrets.set(clientId, digest);
  return { kind: 'authorized', client };
}

function equal(a: string, b: string): boolean {
  return digestsEqual(Buffer.from(a), Buffer.from(b));
}
