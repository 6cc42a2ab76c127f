import { Agent, request } from 'node:http';

/**
 * Milliseconds after which an idle connection is closed: workerd closes one after five seconds, and a call at that moment would
 * fail with `socket hang up`.
 */
const IDLE_TIMEOUT = 2_000;

/** The response to a request. */
export interface Posted {
  readonly status: number | undefined;
  readonly body: Buffer;
}

/**
 * A function that posts bytes to an address over kept connections, with a third of the processor time that Node's `fetch` takes.
 * It rejects if the connection fails; any status is a response.
 *
 * @param shared headers of every request
 */
export function postTo(
  url: URL,
  shared: Readonly<Record<string, string>> = {},
): (parts: readonly Uint8Array[], headers?: Readonly<Record<string, number>>) => Promise<Posted> {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT });
  return (parts, headers = {}) =>
    new Promise((resolve, reject) => {
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const all = { ...shared, ...headers, 'Content-Length': length };
      const sent = request(url, { agent, method: 'POST', headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks) }));
      });
      sent.on('error', reject);
      for (const part of parts) sent.write(part);
      sent.end();
    });
}
