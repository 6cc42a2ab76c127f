import { DependencyUnavailable } from '../lib/unavailable.ts';

/** Bytes of files that are being received which an isolate holds, and those of one account. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_BYTES_OF_ACCOUNT = 16 * 1024 * 1024;

/** By account. */
const held = new Map<number, number>();

/**
 * Counts the memory that a file takes while it is being received.
 *
 * @returns a function that states how much it takes from now on; 0 at its end
 */
export function heldBytes(accountId: number): (bytes: number) => void {
  let own = 0;
  return (bytes) => {
    const ofAccount = (held.get(accountId) ?? 0) - own + bytes;
    const ofAll = [...held.values()].reduce((sum, one) => sum + one, 0) - own + bytes;
    if (bytes > own && (ofAccount > MAX_BYTES_OF_ACCOUNT || ofAll > MAX_BYTES))
      throw new DependencyUnavailable('file: too many files are being received');
    own = bytes;
    if (ofAccount > 0) held.set(accountId, ofAccount);
    else held.delete(accountId);
  };
}
