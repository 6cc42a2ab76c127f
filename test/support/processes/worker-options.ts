import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerOptions } from 'miniflare';
import { parse } from 'smol-toml';
import type { WranglerConfig as OwnConfig } from '../../../src/cli/cloudflare/config.ts';
import { localBindings } from './platform.ts';

type Env = NonNullable<WorkerOptions['config']['env']>;

interface WranglerConfig extends Pick<OwnConfig, 'r2_buckets'> {
  readonly compatibility_date: string;
  readonly compatibility_flags: string[];
  readonly assets: { readonly directory: string; readonly binding: string };
  readonly images: { readonly binding: string };
  readonly d1_databases: readonly { binding: string; database_name: string; database_id: string }[];
  readonly kv_namespaces: readonly { binding: string; id: string }[];
  readonly queues: {
    readonly producers: readonly { binding: string; queue: string }[];
    readonly consumers: readonly {
      queue: string;
      max_batch_size: number;
      max_batch_timeout: number;
    }[];
  };
  readonly ratelimits: readonly {
    name: string;
    namespace_id: string;
    simple: { limit: number; period: 10 | 60 };
  }[];
}

/** What `wrangler.toml` gives the Worker, for a Miniflare of its own. */
interface ProjectOptions {
  readonly compatibilityDate: string;
  readonly compatibilityFlags: string[];
  /** Identifiers by the names of their bindings. */
  readonly databases: Readonly<Record<string, string>>;
  readonly stores: Readonly<Record<string, string>>;
  /** Databases, KV namespaces, buckets, queues and rate limits. */
  readonly env: Env;
  /** The queues whose messages it receives. */
  readonly triggers: NonNullable<WorkerOptions['config']['triggers']>;
  /** The directory of the files that are served as they are, and its binding. */
  readonly assets: { readonly directory: string; readonly binding: string };
}

/**
 * Reads `wrangler.toml`.
 *
 * @param root the project's directory
 * @param limits requests per period of rate limits, instead of the configured ones
 */
export function readProjectOptions(
  root: string,
  limits: Readonly<Record<string, number>> = {},
): ProjectOptions {
  const config = parse(
    readFileSync(join(root, 'wrangler.toml'), 'utf8'),
  ) as unknown as WranglerConfig;
  const { d1_databases, kv_namespaces, queues, ratelimits, assets, images } = config;
  const env: Env = localBindings(config);
  env[images.binding] = { type: 'images' };
  for (const { binding, queue } of queues.producers) env[binding] = { type: 'queue', name: queue };
  for (const { name, namespace_id, simple } of ratelimits) {
    const limit = limits[name] ?? simple.limit;
    env[name] = { type: 'rate-limit', namespace: namespace_id, simple: { ...simple, limit } };
  }
  return {
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    databases: Object.fromEntries(
      d1_databases.map(({ binding, database_id }) => [binding, database_id]),
    ),
    stores: Object.fromEntries(kv_namespaces.map(({ binding, id }) => [binding, id])),
    env,
    triggers: queues.consumers.map(({ queue, max_batch_size, max_batch_timeout }) => ({
      type: 'queue',
      name: queue,
      maxBatchSize: max_batch_size,
      maxBatchTimeout: max_batch_timeout,
    })),
    assets: { ...assets, directory: join(root, assets.directory) },
  };
}
