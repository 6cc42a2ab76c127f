import { join, resolve } from 'node:path';
import { Miniflare } from 'miniflare';
import { readConfig, type WranglerConfig } from '../../../src/cli/cloudflare/config.ts';
import type { Env } from '../../../src/env.ts';

interface Statement {
  readonly statement: string;
  readonly params: readonly unknown[];
}

/** Runs statements in one transaction, and returns a result for each. */
type RunBatch = <Row>(statements: readonly Statement[]) => Promise<D1Result<Row>[]>;

/**
 * A database behind the proxy of wrangler or Miniflare, which would make a synchronous call for each `prepare` and `bind`. D1's
 * `batch` reads only the text and parameters of a statement, under these names.
 */
export function overProxy(db: D1Database): D1Database {
  return databaseOver((statements) => db.batch(statements as unknown as D1PreparedStatement[]));
}

function databaseOver(runBatch: RunBatch): D1Database {
  const database: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare: (statement) => prepared(runBatch, statement, []),
    batch: (statements) =>
      runBatch(
        (statements as (D1PreparedStatement & Statement)[]).map(({ statement, params }) => ({
          statement,
          params,
        })),
      ),
  };
  return database as D1Database;
}

/** A statement. Results have rows as objects, so the columns must have distinct names. */
function prepared(
  runBatch: RunBatch,
  statement: string,
  params: readonly unknown[],
): D1PreparedStatement & Statement {
  const all = async <Row>() => (await runBatch<Row>([{ statement, params }]))[0]!;
  return {
    statement,
    params,
    bind: (...values: unknown[]) => prepared(runBatch, statement, values),
    all,
    run: all,
    async first(column?: string) {
      const [row] = (await all<Record<string, unknown>>()).results;
      return (column === undefined ? row : row?.[column]) ?? null;
    },
    // biome-ignore lint/suspicious/noExplicitAny: the platform's two signatures have no common type
    raw: async (): Promise<any> => (await all<object>()).results.map(Object.values),
  } as D1PreparedStatement & Statement;
}

/** A bucket behind the same proxy, whose files are read at once: Node's streams lack workerd's `readAtLeast`. */
export function readable(bucket: R2Bucket): R2Bucket {
  const get = async (key: string, options?: R2GetOptions) => {
    const found = await bucket.get(key, options);
    if (found === null) return null;
    const whole = await found.arrayBuffer();
    const chunks = [new Uint8Array(whole)];
    const readAtLeast = async () => {
      const value = chunks.shift();
      return { value, done: value === undefined };
    };
    const getReader = () => ({ readAtLeast, cancel: async () => {}, releaseLock: () => {} });
    return { body: { getReader }, json: async () => new Response(whole).json() };
  };
  return new Proxy(bucket, {
    get: (target, name) => (name === 'get' ? get : Reflect.get(target, name)),
  });
}

/** The databases, KV namespaces and buckets that `wrangler dev` uses, for Miniflare. */
export function localBindings({
  d1_databases,
  kv_namespaces,
  r2_buckets = [],
}: Pick<WranglerConfig, 'd1_databases' | 'kv_namespaces' | 'r2_buckets'>) {
  return Object.fromEntries([
    ...d1_databases.map((one) => [
      one.binding,
      { type: 'd1' as const, id: one.preview_database_id ?? one.database_id ?? one.binding },
    ]),
    ...kv_namespaces.map((one) => [
      one.binding,
      { type: 'kv' as const, id: one.preview_id ?? one.id ?? one.binding },
    ]),
    ...r2_buckets.map((one) => [
      one.binding,
      { type: 'r2' as const, name: one.preview_bucket_name ?? one.bucket_name },
    ]),
  ]);
}

/** The databases and buckets of a local `wrangler dev`, opened by the tests while it runs. */
export interface Platform extends AsyncDisposable {
  readonly env: Env;
}

/**
 * Opens the local databases, KV namespaces and buckets of `wrangler dev`.
 *
 * @param configPath the path of `wrangler.toml`
 * @param persistTo the directory of the local state
 */
export async function openLocalPlatform(configPath: string, persistTo: string): Promise<Platform> {
  const config = await readConfig(configPath);
  const { name, compatibility_date: compatibilityDate } = config;
  const manifest = {
    mainModule: 'none.js',
    modulesRoot: '/',
    modules: { 'none.js': { type: 'esm' as const, contents: 'export default {}' } },
  };
  const miniflare = new Miniflare({
    workers: [{ config: { name, compatibilityDate, manifest, env: localBindings(config) } }],
    resourcePersistencePath: join(resolve(persistTo), 'v3'),
  });
  const bindings = await miniflare.getBindings<Env>();
  const entries = Object.entries(bindings).map(([binding, value]) =>
    /^DB(_\d+)?$/.test(binding) ? [binding, overProxy(value as D1Database)] : [binding, value],
  );
  return { env: Object.fromEntries(entries), [Symbol.asyncDispose]: () => miniflare.dispose() };
}
