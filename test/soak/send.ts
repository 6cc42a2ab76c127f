import type { Tally } from './tally.ts';

/** What the connection of a request fails with if the server had just closed it. */
const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

const MAX_ATTEMPTS = 3;

/**
 * Sends a request whose repetition does no harm. workerd closes a connection after five seconds without a request, Node
 * after four: on a busy machine Node may be late, and a request that it then sends is lost with its connection. Such a
 * request is repeated, as RFC 9112 section 9.3.1 lets clients do, and counted.
 *
 * @throws if the connection fails for any other reason, such as a service that does not listen
 */
export async function send(url: string, init: RequestInit, tally: Tally): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      const { code = '' } = Object((error as Error).cause) as { code?: string };
      if (!CLOSED.includes(code) || attempt === MAX_ATTEMPTS) throw new Error(`no connection: ${code || error}`);
      tally.count('idle connections closed, request repeated');
    }
  }
}
