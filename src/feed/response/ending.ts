import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestDetails } from '../../request-log.ts';

/** How sending a body has ended: by itself, by a failure, or because its reader has disconnected. */
export interface Ending extends Pick<RequestDetails, 'records' | 'missed'> {
  readonly bytes: number;
  readonly end: 'complete' | 'aborted' | 'disconnected';
}

/**
 * A body that takes chunks only as its reader pulls, and that fails if they do: a feed never ends as if it were complete
 * unless it is.
 *
 * @param length stated to the reader where it is known: a response that falls short of it aborts every kind of connection.
 * It becomes wrong if a cached part changes and is evicted before it is sent.
 * @param report receives the error of a body that fails
 */
export function streamOf(
  chunks: AsyncIterator<Uint8Array, unknown> | Iterator<Uint8Array, unknown>,
  length: number | null,
  report: (error: unknown) => void,
): { readonly body: ReadableStream<Uint8Array>; readonly ending: Promise<Ending> } {
  const { promise: ending, resolve } = Promise.withResolvers<Ending>();
  let bytes = 0;
  // The runtime pulls outside of the request, which may have to be silent in the log.
  const inRequest = AsyncLocalStorage.snapshot();
  const body = new ReadableStream<Uint8Array>(
    {
      ...(length === null ? {} : { expectedLength: length }),
      pull: (controller) =>
        inRequest(async () => {
          try {
            const next = await chunks.next();
            if (next.done) {
              if (length !== null && bytes < length)
                throw new Error('The feed is shorter than stated');
              controller.close();
              resolve({ bytes, end: 'complete' });
            } else {
              bytes += next.value.length;
              if (length !== null && bytes > length)
                throw new Error('The feed is longer than stated');
              controller.enqueue(next.value);
            }
          } catch (error) {
            report(error);
            // Not the error itself: it may contain a statement with its parameters, which the platform would log.
            controller.error(new Error('The feed was aborted'));
            resolve({ bytes, end: 'aborted' });
          }
        }),
      /** The reader has disconnected: what was read for it and not yet built is discarded. */
      async cancel() {
        resolve({ bytes, end: 'disconnected' });
        await chunks.return?.(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, ending };
}
