import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { Failure } from '../command/failure.ts';
import { replaceFile } from '../command/files.ts';
import type { Cloudflare } from './api.ts';

export const CONFIG = 'wrangler.toml';

/**
 * The parts of `wrangler.toml` that matter here. It is parsed directly, because loading wrangler
 * takes seconds.
 */
export interface WranglerConfig {
  readonly name: string;
  readonly main?: string;
  readonly compatibility_date: string;
  readonly account_id?: string;
  readonly workers_dev?: boolean;
  readonly route?: unknown;
  readonly routes?: readonly { readonly pattern?: string; readonly custom_domain?: boolean }[];
  readonly vars?: Readonly<Record<string, string>>;
  readonly placement?: object | undefined;
  readonly assets?: { readonly directory: string };
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name: string;
    readonly database_id?: string | undefined;
    readonly preview_database_id?: string;
    readonly migrations_dir?: string;
  }[];
  readonly kv_namespaces: readonly {
    readonly binding: string;
    readonly id?: string | undefined;
    readonly preview_id?: string;
  }[];
  readonly r2_buckets?: readonly {
    readonly binding: string;
    readonly bucket_name: string;
    readonly preview_bucket_name?: string;
    readonly jurisdiction?: string | undefined;
  }[];
  readonly queues?: { readonly producers?: readonly { readonly queue: string }[] };
}

/**
 * Settings that an environment does not inherit from the configuration of production, nor its name.
 */
const NOT_INHERITED = [
  'vars',
  'd1_databases',
  'kv_namespaces',
  'r2_buckets',
  'queues',
  'analytics_engine_datasets',
  'ratelimits',
];

/** Reads the configuration of the environment `CLOUDFLARE_ENV` as wrangler does. */
export async function readConfig(path: string): Promise<WranglerConfig> {
  const bad = (reason: string) => new Failure('bad_config', `${path} ${reason}`);
  try {
    const { env, ...all } = parse(await readFile(path, 'utf8')) as {
      env?: Record<string, object>;
      name?: string;
    };
    const chosen = process.env.CLOUDFLARE_ENV;
    const own = chosen ? env?.[chosen] : {};
    if (own === undefined) throw bad(`has no environment ${chosen}.`);
    const inherited = Object.entries(all).filter(([name]) => !NOT_INHERITED.includes(name));
    const common = chosen
      ? { ...Object.fromEntries(inherited), name: `${all.name}-${chosen}` }
      : all;
    const read: Partial<WranglerConfig> = { ...common, ...own };
    const { name, compatibility_date: date, d1_databases: databases, kv_namespaces: stores } = read;
    if (name && date && databases?.[0]?.database_name && stores?.[0]) return read as WranglerConfig;
    throw bad('must name the Worker, its compatibility date, its database and its KV namespace.');
  } catch (error) {
    throw error instanceof Failure ? error : bad(`cannot be read: ${(error as Error).message}`);
  }
}

/** The title that wrangler gives a KV namespace. */
export function titleOf(worker: string, { binding }: { readonly binding: string }): string {
  return `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`;
}

/**
 * The configuration with the ids of its databases and KV namespaces, where they exist; they are
 * found by name. Its buckets are in the jurisdiction of the first database.
 */
export async function withIds(
  config: WranglerConfig,
  cloudflare: Cloudflare,
): Promise<WranglerConfig> {
  const [databases, stores] = await Promise.all([
    cloudflare.list<{ name: string; uuid: string; jurisdiction?: string | null }>('/d1/database'),
    cloudflare.list<{ title: string; id: string }>('/storage/kv/namespaces'),
  ]);
  const d1_databases = config.d1_databases.map((database) => {
    const found = databases.find(({ name }) => name === database.database_name);
    return { ...database, database_id: given(database.database_id) ?? found?.uuid };
  });
  const first = databases.find(({ uuid }) => uuid === d1_databases[0]!.database_id);
  return {
    ...config,
    d1_databases,
    r2_buckets: bucketsIn(first?.jurisdiction ?? undefined, config),
    kv_namespaces: config.kv_namespaces.map((store) => {
      const found = stores.find(({ title }) => title === titleOf(config.name, store));
      return { ...store, id: given(store.id) ?? found?.id };
    }),
  };
}

/**
 * The buckets with their jurisdiction, unless it is stated: a binding without it does not find a
 * bucket that has one.
 */
export function bucketsIn(
  jurisdiction: string | undefined,
  { r2_buckets = [] }: Pick<WranglerConfig, 'r2_buckets'>,
) {
  return r2_buckets.map((bucket) => ({
    ...bucket,
    jurisdiction: bucket.jurisdiction ?? jurisdiction,
  }));
}

/** An id of zeros marks a place that the "Deploy to Cloudflare" button fills in. */
function given(id: string | undefined): string | undefined {
  return id === undefined || /^[0-]*$/.test(id) ? undefined : id;
}

/**
 * Writes a configuration next to the one it is derived from, in a path that git ignores, and
 * returns the path. Each environment has its own: a command for one must never read the
 * configuration that another has just written.
 */
export async function writeDerived(config: string, name: string, content: object): Promise<string> {
  const environment = process.env.CLOUDFLARE_ENV ? `.${process.env.CLOUDFLARE_ENV}` : '';
  const path = join(dirname(config), '.wrangler', 'lindero', `${name}${environment}.json`);
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, JSON.stringify(content, null, 2));
  return path;
}
