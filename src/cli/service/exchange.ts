import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Timeout, withTimeout } from '../../lib/time/timeout.ts';
import { Failure } from '../command/failure.ts';

/** Milliseconds within which a service must accept a connection. */
const CONNECTED_WITHIN_MS = 2_000;

interface Message {
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  /** The next chunk is asked for once the service has taken the one before. */
  readonly body?: string | AsyncIterable<Uint8Array> | undefined;
}

interface Waiting {
  /** How long the service may take no more of the body, and then not answer. */
  readonly patienceMs: number;
  /** What to do if nothing accepts the connection, as a sentence after another; empty if that is unknown. */
  readonly remedy: string;
}

/**
 * Sends a request, and returns the beginning of its answer. Not with `fetch`, because loading that takes 60 MB of memory.
 *
 * @throws Failure if there is no answer
 */
export async function exchange(
  url: URL,
  { method, headers, body }: Message,
  { patienceMs, remedy }: Waiting,
): Promise<IncomingMessage> {
  const { request } = await (url.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  const sending = request(url.href, { method, headers });
  const answer = once(sending, 'response').then(
    ([response]) => response as IncomingMessage,
    (error: Error) => {
      throw new Failure('no_service', `${url.origin} did not respond: ${error.message}`);
    },
  );
  // It is awaited below, unless something else fails before.
  answer.catch(() => {});
  // Once it has answered, a service can close the connection of a body that it does not read.
  sending.on('error', () => {});
  try {
    await connected(sending, url.origin, remedy);
    if (body === undefined || typeof body === 'string') sending.end(body);
    else await sendChunks(sending, body, answer, patienceMs);
    return await withTimeout('The service', answer, patienceMs);
  } catch (error) {
    sending.destroy();
    if (!(error instanceof Timeout)) throw error;
    throw new Failure(
      'no_answer',
      `${url.origin} has not answered for ${patienceMs / 1_000} seconds.`,
    );
  }
}

/** @throws Failure if nothing accepts the connection in time */
async function connected(sending: ClientRequest, origin: string, remedy: string): Promise<void> {
  const [socket]: [Socket] = (await once(sending, 'socket')) as never;
  if (!socket.connecting) return;
  const connecting = once(socket, 'connect');
  await withTimeout(origin, connecting, CONNECTED_WITHIN_MS).catch(() => {
    throw new Failure('no_service', `Nothing answers at ${origin}.${remedy}`);
  });
}

/** Sends a body to its end, or until the service has answered. */
async function sendChunks(
  sending: ClientRequest,
  chunks: AsyncIterable<Uint8Array>,
  answer: Promise<unknown>,
  patienceMs: number,
): Promise<void> {
  const answered = answer.then(() => true);
  answered.catch(() => {});
  for await (const chunk of chunks) {
    const taken = new Promise<boolean>((resolve) => {
      sending.write(chunk, (error) => resolve(error ? answered : false));
    });
    if (await withTimeout('The service', Promise.race([answered, taken]), patienceMs)) return;
  }
  sending.end();
}
