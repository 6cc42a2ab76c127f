import { LRUCache } from 'lru-cache';
import { findClient, findEnabledAccountId } from '../db/clients.ts';
import { isOneOfSeveral } from '../db/connection.ts';
import { isWithin } from '../lib/age.ts';
import { orUnavailable } from '../lib/unavailable.ts';

/**
 * Milliseconds for which an isolate relies on what it read about a caller: disabling takes effect within 30 s. An account that
 * is moved to another database must be noticed within a second.
 */
const MAX_AGE_MS = 30_000;
const MAX_AGE_OF_SEVERAL_MS = 1_000;

/** The client that one of this service's own tokens names, read at most half a minute ago. */
export const findCachedClient = cached(findClient);

/** The id of the account whose code a token of another issuer names, read at most half a minute ago. */
export const findCachedAccountId = cached(findEnabledAccountId);

function cached<Found>(find: (db: D1Database, key: string) => Promise<Found | null>) {
  const entries = new LRUCache<string, { readonly found: Found; readonly readAt: number }>({ max: 10_000 });
  return async (db: D1Database, key: string, now: number): Promise<Found | null> => {
    const entry = entries.get(key);
    const maxAge = isOneOfSeveral(db) ? MAX_AGE_OF_SEVERAL_MS : MAX_AGE_MS;
    if (entry !== undefined && isWithin(maxAge, entry.readAt, now)) return entry.found;
    const found = await orUnavailable('caller', find(db, key));
    if (found !== null) entries.set(key, { found, readAt: now });
    return found;
  };
}
