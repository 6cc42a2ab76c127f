import { randomUUID } from 'node:crypto';
import type { Miniflare, WorkerOptions } from 'miniflare';
import type { RunBatch } from './database.ts';

/** The host whose requests reach the Worker with the bindings; no such host can exist. */
const HOST = 'bindings.invalid';

const SCRIPT = `
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
    if (request.headers.get('Authorization') !== env.TOKEN) return new Response(null, { status: 401 });
    const { binding, call, argument } = await request.json();
    try {
      return await calls[call](env[binding], argument);
    } catch (error) {
      return Response.json(error.message, { status: 500 });
    }
  },
};
`;

/** What this process uses of a KV namespace. */
export interface Store extends Pick<KVNamespace, 'list' | 'delete'> {
  get(key: string): Promise<Uint8Array | null>;
}

/** The bindings of a Worker, by their names. A failing call throws an error with the message that it has in the Worker. */
export interface Bindings {
  /** Runs batches of a database, each by one request. */
  batches(binding: string): RunBatch;
  store(binding: string): Store;
}

/**
 * A Worker for databases and KV namespaces that this process shares with others. Miniflare's own proxy would make a synchronous
 * call for each `prepare` and `bind`, hence tens of thousands for an import.
 *
 * @param databases the identifiers of D1 databases by their bindings
 * @param stores the identifiers of KV namespaces by their bindings
 */
export function bindingsWorker(
  databases: Readonly<Record<string, string>>,
  stores: Readonly<Record<string, string>> = {},
): { readonly worker: WorkerOptions; open(miniflare: Miniflare): Bindings } {
  // Any process on this machine can reach Miniflare's port.
  const token = randomUUID();
  const worker: WorkerOptions = {
    config: {
      name: 'bindings',
      compatibilityDate: '2026-10-01',
      manifest: {
        mainModule: 'bindings.js',
        modulesRoot: '/',
        modules: { 'bindings.js': { type: 'esm', contents: SCRIPT } },
      },
      env: { TOKEN: { type: 'text', value: token }, ...withType('d1', databases), ...withType('kv', stores) },
      triggers: [{ type: 'fetch', pattern: `${HOST}/*` }],
    },
  };
  return { worker, open: (miniflare) => bindingsBehind(miniflare, token) };
}

function bindingsBehind(miniflare: Miniflare, token: string): Bindings {
  const send = (binding: string, call: string, argument: unknown) =>
    miniflare.dispatchFetch(`http://${HOST}/`, {
      method: 'POST',
      headers: { Authorization: token },
      body: JSON.stringify({ binding, call, argument }),
    });
  const resultOf = async (binding: string, call: string, argument: unknown): Promise<never> => {
    const response = await send(binding, call, argument);
    const value = await response.json();
    if (!response.ok) throw new Error(String(value));
    return value as never;
  };
  return {
    batches: (binding) => (statements) => resultOf(binding, 'batch', statements),
    store: (binding) => ({
      async get(key) {
        const response = await send(binding, 'get', key);
        return response.status === 404 ? null : new Uint8Array(await response.arrayBuffer());
      },
      list: (options) => resultOf(binding, 'list', options),
      delete: (key) => resultOf(binding, 'delete', key),
    }),
  };
}

function withType<Type extends 'd1' | 'kv'>(type: Type, ids: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(ids).map(([binding, id]) => [binding, { type, id }]));
}
