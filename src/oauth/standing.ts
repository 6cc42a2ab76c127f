import { findClient, findEnabledAccountId } from '../db/clients.ts';
import { isWithin } from '../lib/age.ts';
import { LruMap } from '../lib/lru.ts';
import { orUnavailable } from '../lib/unavailable.ts';

/** Milliseconds for which an isolate relies on what it read of a caller: a disabled one is out within them. */
const MEMORY = 30_000;

/** The client that a token of the service itself names, as it stands, or stood half a minute ago at the most. */
export const findClientStanding = remembering(findClient);

/** The id of the account whose code a token of another issuer names, as it stands, or stood half a minute ago. */
export const findAccountStanding = remembering(findEnabledAccountId);

function remembering<Found>(find: (db: D1Database, key: string) => Promise<Found | null>) {
  const readings = new LruMap<string, { readonly found: Found; readonly readAt: number }>(10_000);
  return async (db: D1Database, key: string, now: number): Promise<Found | null> => {
    const reading = readings.get(key);
    if (reading !== undefined && isWithin(MEMORY, reading.readAt, now)) return reading.found;
    const found = await orUnavailable('The caller', find(db, key));
    if (found !== null) readings.set(key, { found, readAt: now });
    return found;
  };
}
