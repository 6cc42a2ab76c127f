import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { Failure } from '../command/failure.ts';
import type { Cloudflare } from './api.ts';

/** What the project's configuration says about the deployed Worker. */
export interface Project {
  /** The Worker's name. */
  readonly name: string;
  readonly compatibilityDate: string;
  /** The id of the Cloudflare account, if the configuration names one. */
  readonly accountId: string | undefined;
  readonly database: Named & {
    /** The directory of its migrations. */
    readonly migrations: string;
  };
  readonly store: Named;
  /** The names of its queues. */
  readonly queues: readonly string[];
  /** Whether the Worker is served at an address below workers.dev. */
  readonly onWorkersDev: boolean;
  /** Where the Worker is served, if the configuration states it: `PUBLIC_ORIGIN`, or its first custom domain. */
  readonly origin: string | undefined;
  /** Whether the configuration places the Worker itself. */
  readonly hasPlacement: boolean;
}

/** A database or KV namespace of the configuration. */
interface Named {
  readonly binding: string;
  readonly name: string;
  readonly id: string | undefined;
}

/** The ids of the deployed database and KV namespace; `undefined` for one that does not exist yet. */
export interface Resources {
  readonly database: string | undefined;
  readonly store: string | undefined;
}

/** The parsed parts of `wrangler.toml`. It is parsed directly, because loading wrangler takes seconds. */
interface WranglerConfig {
  readonly name?: string;
  readonly main?: string;
  readonly compatibility_date?: string;
  readonly account_id?: string;
  readonly workers_dev?: boolean;
  readonly route?: unknown;
  readonly routes?: readonly { readonly pattern?: string; readonly custom_domain?: boolean }[];
  readonly vars?: Readonly<Record<string, string>>;
  readonly placement?: object;
  readonly build?: { readonly command?: string };
  readonly assets?: { readonly directory: string };
  readonly d1_databases?: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly database_id?: string;
    readonly migrations_dir?: string;
  }[];
  readonly kv_namespaces?: readonly { readonly binding: string; readonly id?: string }[];
  readonly queues?: { readonly producers?: readonly { readonly queue: string }[] };
  /** Environments with settings of their own. */
  readonly env?: Readonly<Record<string, WranglerConfig>>;
}

/**
 * The configuration of the environment that `CLOUDFLARE_ENV` names, as for wrangler: its own settings, over those of all.
 */
async function parseConfig(config: string): Promise<WranglerConfig> {
  try {
    const { env, ...all }: WranglerConfig = parse(await readFile(config, 'utf8'));
    const chosen = process.env.CLOUDFLARE_ENV;
    if (!chosen) return all;
    if (env?.[chosen] === undefined) throw new Error(`there is no environment ${chosen}, which CLOUDFLARE_ENV names`);
    return { ...all, ...env[chosen] };
  } catch (error) {
    throw new Failure('bad_config', `${config} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Reads the project's configuration.
 *
 * @throws Failure `bad_config`
 */
export async function readProject(config: string): Promise<Project> {
  const read = await parseConfig(config);
  const { name, compatibility_date, account_id, workers_dev, route, routes, vars, placement } = read;
  const domain = routes?.find(({ custom_domain }) => custom_domain)?.pattern;
  const [database] = read.d1_databases ?? [];
  const [store] = read.kv_namespaces ?? [];
  if (name === undefined || compatibility_date === undefined || database?.database_name === undefined || !store) {
    throw new Failure(
      'bad_config',
      `${config} must name the Worker, its compatibility date, its database and its KV namespace.`,
    );
  }
  return {
    name,
    compatibilityDate: compatibility_date,
    accountId: account_id,
    database: {
      binding: database.binding,
      name: database.database_name,
      id: idOrNone(database.database_id),
      migrations: join(dirname(config), database.migrations_dir ?? 'migrations'),
    },
    store: {
      binding: store.binding,
      // The title that wrangler gives it.
      name: `${name}-${store.binding.toLowerCase().replaceAll('_', '-')}`,
      id: idOrNone(store.id),
    },
    queues: read.queues?.producers?.map(({ queue }) => queue) ?? [],
    onWorkersDev: workers_dev ?? (route === undefined && !routes?.length),
    origin: vars?.PUBLIC_ORIGIN ?? (domain === undefined ? undefined : `https://${domain}`),
    hasPlacement: placement !== undefined,
  };
}

/** An id of zeros marks a place that the "Deploy to Cloudflare" button fills in. */
function idOrNone(id: string | undefined): string | undefined {
  return id === undefined || /^[0-]*$/.test(id) ? undefined : id;
}

/** The resources of a project; one without an id in the configuration is found by its name. */
export async function findResources({ database, store }: Project, cloudflare: Cloudflare): Promise<Resources> {
  const [databaseId, storeId] = await Promise.all([
    database.id ?? findDatabase(database.name, cloudflare),
    store.id ?? findStore(store.name, cloudflare),
  ]);
  return { database: databaseId, store: storeId };
}

async function findDatabase(name: string, cloudflare: Cloudflare): Promise<string | undefined> {
  const databases = await cloudflare.list<{ name: string; uuid: string }>('/d1/database');
  return databases.find((database) => database.name === name)?.uuid;
}

async function findStore(title: string, cloudflare: Cloudflare): Promise<string | undefined> {
  const stores = await cloudflare.list<{ title: string; id: string }>('/storage/kv/namespaces');
  return stores.find((store) => store.title === title)?.id;
}

/**
 * Writes a configuration by which wrangler reaches the deployed database and KV namespace, and returns its path.
 *
 * @throws Failure `not_deployed`
 */
export async function writeRemoteConfig(config: string, project: Project, cloudflare: Cloudflare): Promise<string> {
  const found = await findResources(project, cloudflare);
  const { name, compatibilityDate, database, store } = project;
  if (found.database === undefined || found.store === undefined) {
    const missing = found.database === undefined ? `database ${database.name}` : `KV namespace ${store.name}`;
    throw new Failure('not_deployed', `The Cloudflare account has no ${missing}. Deploy first: npm run deploy`);
  }
  return writeConfig(config, 'remote.json', {
    name,
    account_id: cloudflare.accountId,
    compatibility_date: compatibilityDate,
    d1_databases: [
      { binding: database.binding, database_name: database.name, database_id: found.database, remote: true },
    ],
    kv_namespaces: [{ binding: store.binding, id: found.store, remote: true }],
  });
}

/** What a deployment adds to the project's configuration. */
export interface DeploySettings {
  readonly accountId: string;
  readonly database: string;
  readonly store: string;
  /** The cloud region to place the Worker near, as `aws:eu-west-3`. */
  readonly region: string;
}

/**
 * Writes the configuration again with the ids of its first database and KV namespace and with a placement, unless it has
 * one of its own, and returns its path.
 */
export async function writeDeployConfig(config: string, settings: DeploySettings): Promise<string> {
  const read = await parseConfig(config);
  const [database, ...databases] = read.d1_databases ?? [];
  const [store, ...stores] = read.kv_namespaces ?? [];
  return writeConfig(config, 'deploy.json', {
    placement: { region: settings.region },
    ...read,
    account_id: settings.accountId,
    main: `../../${read.main}`,
    // Relative to the directory of the configuration; the command runs in the project's directory.
    ...(read.assets && { assets: { ...read.assets, directory: `../../${read.assets.directory}` } }),
    d1_databases: [{ ...database, database_id: settings.database }, ...databases].map((given) => ({
      ...given,
      migrations_dir: `../../${given.migrations_dir ?? 'migrations'}`,
    })),
    kv_namespaces: [{ ...store, id: settings.store }, ...stores],
  });
}

/** Writes a configuration next to the one it is derived from, in a path that git ignores, and returns the path. */
async function writeConfig(config: string, file: string, content: object): Promise<string> {
  const path = join(dirname(config), '.wrangler', 'lindero', file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(content, null, 2));
  return path;
}
