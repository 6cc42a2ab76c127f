import { TOTAL_CHANGES } from '../db/operator/changes.ts';
import type { Statement } from './database.ts';
import { postTo } from './post.ts';

/** The header that has the length of a batch's statements, in bytes. */
const HEAD_LENGTH = 'X-Head-Length';

/** Characters from which a parameter follows the statements as bytes, so that it is not escaped twice. */
const LONG = 1024;

/**
 * A Worker that gives another process access to the local database and KV namespace: far faster than Miniflare's own proxy,
 * which is synchronous. Its Durable Object is the one that stores the database of the binding in `wrangler dev`, and runs
 * statements where the data is: D1's own interface would serialize every parameter three times. Each request must contain
 * `TOKEN`, since any process on this machine can reach the port.
 */
export const BRIDGE_WORKER = `
import { DurableObject } from 'cloudflare:workers';

const decoder = new TextDecoder();

export class LocalDatabase extends DurableObject {
  async batch(request) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    let read = 0;
    const next = (length) => decoder.decode(bytes.subarray(read, (read += length)));
    const statements = JSON.parse(next(Number(request.headers.get('${HEAD_LENGTH}'))));
    const value = (param) =>
      typeof param === 'boolean' ? Number(param) : typeof param === 'object' && param !== null ? next(param.length) : param;
    const { sql } = this.ctx.storage;
    const changes = () => sql.exec('${TOTAL_CHANGES}').one().changes;
    const run = ({ statement, params }) => {
      const before = changes();
      const cursor = sql.exec(statement, ...params.map(value));
      const results = cursor.toArray();
      const meta = { changes: changes() - before, rows_read: cursor.rowsRead, rows_written: cursor.rowsWritten };
      return { success: true, results, meta: { ...meta, size_after: sql.databaseSize } };
    };
    return this.ctx.storage.transactionSync(() => statements.map(run));
  }

  async fetch(request) {
    try {
      return Response.json(await this.batch(request));
    } catch (error) {
      return failed(error);
    }
  }
}

const failed = (error) => Response.json(error.message, { status: 500 });

const calls = {
  list: (env, options) => env.SNAPSHOTS.list(options),
  delete: async (env, key) => (await env.SNAPSHOTS.delete(key)) ?? null,
};

export default {
  async fetch(request, env) {
    if (request.headers.get('Authorization') !== env.TOKEN) return new Response(null, { status: 401 });
    try {
      if (request.headers.has('${HEAD_LENGTH}')) {
        return await env.DATABASES.get(env.DATABASES.idFromName(env.DATABASE)).fetch(request);
      }
      const { call, argument } = await request.json();
      return Response.json(await calls[call](env, argument));
    } catch (error) {
      return failed(error);
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
  const post = postTo(url, { Authorization: token });
  const call = async (parts: readonly Buffer[], headers: Record<string, number> = {}): Promise<never> => {
    const { status, body } = await post(parts, headers);
    const result = JSON.parse(body.toString());
    if (status !== 200) throw new Error(result);
    return result as never;
  };
  const named = (name: string, argument: unknown) => call([Buffer.from(JSON.stringify({ call: name, argument }))]);
  return {
    batch: (statements) => {
      const [head, ...long] = batchParts(statements);
      return call([head, ...long], { [HEAD_LENGTH]: head.length });
    },
    list: (options) => named('list', options),
    delete: (key) => named('delete', key),
  };
}

/** Statements as JSON, with their long parameters replaced by their lengths in bytes; then these parameters. */
function batchParts(statements: readonly Statement[]): [head: Buffer, ...long: Buffer[]] {
  const long: Buffer[] = [];
  const shown = (param: unknown) => {
    if (typeof param !== 'string' || param.length < LONG) return param;
    const bytes = Buffer.from(param);
    long.push(bytes);
    return { length: bytes.length };
  };
  const head = statements.map(({ statement, params }) => ({ statement, params: params.map(shown) }));
  return [Buffer.from(JSON.stringify(head)), ...long];
}
