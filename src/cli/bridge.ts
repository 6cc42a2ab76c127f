import { TOTAL_CHANGES } from '../db/operator/changes.ts';
import type { RunBatch, Statement } from './database.ts';
import { postTo } from './post.ts';

/** The header that has the length of a batch's statements, in bytes. */
const HEAD_LENGTH = 'X-Head-Length';

/** The headers with the number of a batch, and with that of the one that must be run before it. */
const NUMBER = 'X-Number';
const AFTER = 'X-After';

/** After so many further batches, the end of one is forgotten: a batch only refers to one that was under way. */
const REMEMBERED = 1_000;

/** Characters from which a numbered parameter follows the statements, as bytes. */
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
  ends = new Map();

  // Settled when the batch with this number has been run. It may be asked for before that batch has arrived, since requests on
  // several connections may overtake each other.
  endOf(number) {
    if (!this.ends.has(number)) {
      const end = Promise.withResolvers();
      end.promise.catch(() => {});
      this.ends.set(number, end);
    }
    return this.ends.get(number);
  }

  async batch(request) {
    const after = request.headers.get('${AFTER}');
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (after !== null) await this.endOf(Number(after)).promise;
    return this.run(request, bytes);
  }

  run(request, bytes) {
    let read = Number(request.headers.get('${HEAD_LENGTH}'));
    const statements = JSON.parse(decoder.decode(bytes.subarray(0, read)));
    const value = (param) => {
      if (typeof param === 'boolean') return Number(param);
      return typeof param === 'object' && param !== null ? bytes.slice(read, (read += param.length)) : param;
    };
    const { sql } = this.ctx.storage;
    const changes = () => sql.exec('${TOTAL_CHANGES}').one().changes;
    const runOne = ({ statement, params }) => {
      const before = changes();
      const cursor = sql.exec(statement, ...params.map(value));
      const results = cursor.toArray();
      const meta = { changes: changes() - before, rows_read: cursor.rowsRead, rows_written: cursor.rowsWritten };
      return { success: true, results, meta: { ...meta, size_after: sql.databaseSize } };
    };
    return this.ctx.storage.transactionSync(() => statements.map(runOne));
  }

  async fetch(request) {
    const number = Number(request.headers.get('${NUMBER}'));
    this.ends.delete(number - ${REMEMBERED});
    const end = this.endOf(number);
    try {
      const results = await this.batch(request);
      end.resolve();
      return Response.json(results);
    } catch (error) {
      end.reject(error);
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
  readonly batch: RunBatch;
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
  let batches = 0;
  const running = new Set<number>();
  return {
    batch: async <Row>(statements: readonly Statement[]): Promise<D1Result<Row>[]> => {
      const [head, ...long] = batchParts(statements);
      const number = ++batches;
      const after = [...running].at(-1);
      running.add(number);
      try {
        const order = { [NUMBER]: number, ...(after === undefined ? {} : { [AFTER]: after }) };
        return await call([head, ...long], { [HEAD_LENGTH]: head.length, ...order });
      } finally {
        running.delete(number);
      }
    },
    list: (options) => named('list', options),
    delete: (key) => named('delete', key),
  };
}

/**
 * Statements as JSON, with their long texts replaced by their lengths in bytes; then these texts. SQLite is given their bytes,
 * since it would take a tenth of the time of writing to decode them and to encode them again.
 */
function batchParts(statements: readonly Statement[]): [head: Buffer, ...long: Buffer[]] {
  const long: Buffer[] = [];
  const head = statements.map(({ statement, params }) => {
    let text = statement;
    const shown = params.map((param, index) => {
      const number = `?${index + 1}`;
      if (typeof param !== 'string' || param.length < LONG || !statement.includes(number)) return param;
      const bytes = Buffer.from(param);
      long.push(bytes);
      text = text.replaceAll(new RegExp(`\\${number}\\b`, 'g'), `CAST(${number} AS TEXT)`);
      return { length: bytes.length };
    });
    return { statement: text, params: shown };
  });
  return [Buffer.from(JSON.stringify(head)), ...long];
}
