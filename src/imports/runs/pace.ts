import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { Timeout, withTimeout } from '../../lib/time/timeout.ts';
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

/**
 * The chunks of a file that a client sends, which has to arrive as fast as one from a server.
 *
 * @param timeout milliseconds without any byte
 * @throws ImportError
 */
export async function* receivedChunks(
  body: ReadableStream<Uint8Array> | null,
  clock: () => EpochMilliseconds = Date.now,
  timeout = PATIENCE_MS,
): AsyncGenerator<Uint8Array> {
  const check = paceOf(clock);
  const reader = body?.getReader();
  for (;;) {
    const read = reader && withTimeout('The client', reader.read(), timeout);
    const next = await read?.catch((error) => failed(error, timeout));
    if (next === undefined || next.done) return;
    check(next.value);
    yield next.value;
  }
}

function failed(error: unknown, timeout: number): never {
  const isLate = error instanceof Timeout;
  const reason = isLate
    ? message('silent', { seconds: timeout / 1_000 })
    : message('connection_failed');
  throw new ImportError('incomplete', reason);
}
