import type { WorkerOptions } from 'miniflare';
import { databaseOver, oneByOne } from '../../src/cli/database.ts';
import { type Posted, postTo } from '../../src/cli/post.ts';

/**
 * A Worker that gives the tests' process its databases and KV namespaces at a socket of its own. Miniflare's proxy takes three
 * times as long, and its synchronous calls now and then fail: `AssertionError: false == true` in `fetch-sync.ts`.
 */
export function directBindings(
  bindings: Partial<Pick<WorkerOptions, 'd1Databases' | 'kvNamespaces'>>,
): WorkerOptions & { readonly modules: readonly object[] } {
  return {
    ...bindings,
    name: 'bindings',
    modules: [{ type: 'ESModule', path: 'bindings.js', contents: WORKER }],
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}

const WORKER = `
const calls = {
  batch: async (db, statements) =>
    Response.json(await db.batch(statements.map(({ statement, params }) => db.prepare(statement).bind(...params)))),
  get: async (store, key) => {
    const value = await store.get(key, 'stream');
    return value === null ? new Response(null, { status: 404 }) : new Response(value);
  },
  list: async (store, options) => Response.json(await store.list(options)),
  delete: async (store, key) => Response.json((await store.delete(key)) ?? null),
};

export default {
  async fetch(request, env) {
    const { binding, call, argument } = await request.json();
    try {
      return await calls[call](env[binding], argument);
    } catch (error) {
      return Response.json(error.message, { status: 500 });
    }
  },
};
`;

/** The bindings of such a Worker, by their names. */
export interface DirectBindings {
  database(name: string): D1Database;
  store(name: string): Store;
}

/** What the tests use of a KV namespace. */
export interface Store extends Pick<KVNamespace, 'list' | 'delete'> {
  get(key: string): Promise<Uint8Array | null>;
}

/**
 * The bindings of the Worker at an address. A failing call throws an error with the message that it has in the Worker.
 *
 * @param url that of the Worker's socket
 */
export function bindingsAt(url: URL): DirectBindings {
  const post = postTo(url);
  const send = (binding: string, call: string, argument: unknown) =>
    post([Buffer.from(JSON.stringify({ binding, call, argument }))]);
  const call = async (binding: string, name: string, argument: unknown): Promise<never> =>
    valueIn(await send(binding, name, argument)) as never;
  return {
    database: (name) => databaseOver(oneByOne((statements) => call(name, 'batch', statements))),
    store: (name) => ({
      async get(key) {
        const { status, body } = await send(name, 'get', key);
        return status === 404 ? null : body;
      },
      list: (options) => call(name, 'list', options),
      delete: (key) => call(name, 'delete', key),
    }),
  };
}

function valueIn({ status, body }: Posted): unknown {
  const value = JSON.parse(body.toString());
  if (status !== 200) throw new Error(value);
  return value;
}
