import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { Failure } from '../command/failure.ts';
import { replaceFile } from '../command/files.ts';

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
  readonly limits?: object | undefined;
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
