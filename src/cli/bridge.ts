import { Agent, request } from 'node:http';
import type { Statement } from './database.ts';

/**
 * A Worker that gives another process access to its database and KV namespace: far faster than Miniflare's own proxy,
 * which is synchronous. Each request must contain `TOKEN`, since any process on this machine can reach the port.
 */
export const BRIDGE_WORKER = `
const calls = {
  batch: (env, statements) =>
    env.DB.batch(statements.map(({ statement, params }) => env.DB.prepare(statement).bind(...params))),
  list: (env, options) => env.SNAPSHOTS.list(options),
  delete: async (env, key) => (await env.SNAPSHOTS.delete(key)) ?? null,
};
export default {
  async fetch(request, env) {
    if (request.headers.get('Authorization') !== env.TOKEN) return new Response(null, { status: 401 });
    try {
      const { call, argument } = await request.json();
      return Response.json(await calls[call](env, argument));
    } catch (error) {
      return Response.json(error.message, { status: 500 });
    }
  },
};
`;

/** The operations of the bridge. */
export interface Bridge {
  batch<Row>(statements: readonly Statement[]): Promise<D1Result<Row>[]>;
  list(options?: KVNamespaceListOptions): Promise<KVNamespaceListResult<unknown>>;
  delete(key: string): Promise<void>;
}

/**
 * The calls of a bridge Worker at an address. Each fails with the same message as in the Worker.
 *
 * @param token the Worker's `TOKEN`
 */
export function connectBridge(url: URL, token: string): Bridge {
  const agent = new Agent({ keepAlive: true });
  const call = async (name: string, argument: unknown): Promise<never> => {
    const { status, text } = await post(JSON.stringify({ call: name, argument }));
    const result = JSON.parse(text);
    if (status !== 200) throw new Error(result);
    return result as never;
  };
  const post = (body: string): Promise<{ status: number | undefined; text: string }> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { agent, method: 'POST', headers: { Authorization: token } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    batch: (statements) => call('batch', statements),
    list: (options) => call('list', options),
    delete: (key) => call('delete', key),
  };
}
