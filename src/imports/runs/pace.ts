import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import { ImportError } from '../pipeline/error.ts';

/** Milliseconds that a file may take altogether. */
const MAX_DURATION_MS = 600_000;

/** Bytes a second that have to arrive on average, once a minute is over. */
const MIN_SPEED = 1_000;
const PATIENCE_MS = 60_000;

/**
 * Checks how fast a file arrives: a server that sends a byte a second would never time out, and the
 * account's other imports would wait for it. Call the result with each chunk.
 *
 * @throws ImportError
 */
export function paceOf(clock: () => EpochMilliseconds): (chunk: Uint8Array) => void {
  const startedAt = clock();
  let received = 0;
  return ({ length }) => {
    received += length;
    const elapsed = clock() - startedAt;
    const least = (elapsed / 1_000) * MIN_SPEED;
    if (elapsed <= MAX_DURATION_MS && (elapsed <= PATIENCE_MS || received >= least)) return;
    const seconds = Math.round(elapsed / 1_000);
    throw new ImportError('incomplete', message('too_slow', { bytes: received, seconds }));
  };
}
