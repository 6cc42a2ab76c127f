import { type Client, findClient } from '../db/clients.ts';
import { LruMap } from '../lib/lru.ts';
import { digestsEqual, sha256Hex } from '../lib/secrets.ts';
import { orUnavailable } from '../lib/unavailable.ts';

/** What came of checking a client's secret. */
export type ClientVerdict =
  | { readonly kind: 'welcome'; readonly client: Client }
  | { readonly kind: 'refused' | 'too many attempts' };

/** Digests of the secrets that this isolate has found right, by client: they are free, however many tokens are asked for. */
const foundRight = new LruMap<string, string>(10_000);

/** A stored secret that none fits, for a check that costs what a real one costs. */
const UNMATCHABLE_SECRET = '-'.repeat(64);

/**
 * Checks the secret of a client; an unknown client is refused like a wrong secret.
 *
 * @param mayCheck asked before a secret is checked that this isolate has not found right before; false where the caller
 *   has presented too many
 * @throws Unavailable where D1 fails
 */
export async function authenticateClient(
  db: D1Database,
  clientId: string,
  secret: string,
  mayCheck: () => Promise<boolean>,
): Promise<ClientVerdict> {
  const digest = sha256Hex(secret);
  const isKnown = () => equal(digest, foundRight.get(clientId) ?? UNMATCHABLE_SECRET);
  const allowed = isKnown() || (await mayCheck());
  const client = await orUnavailable('The client', findClient(db, clientId));
  // A burst of right requests that came before the first of them was found right is let through here.
  if (!allowed && !isKnown()) return { kind: 'too many attempts' };
  if (!equal(digest, client?.secret ?? UNMATCHABLE_SECRET) || !client?.enabled) return { kind: 'refused' };
  foundRight.set(clientId, digest);
  return { kind: 'welcome', client };
}

function equal(a: string, b: string): boolean {
  return digestsEqual(Buffer.from(a), Buffer.from(b));
}
