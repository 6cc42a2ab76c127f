import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { printedArray, wranglerLibrary } from './wrangler.ts';

/** What the deployed Worker stores its data in. */
export interface Resources {
  /** The Worker's name. */
  readonly name: string;
  readonly compatibilityDate: string;
  /** The Cloudflare account, where the configuration names one. */
  readonly account: { readonly account_id?: string };
  readonly database: { readonly binding: string; readonly name: string; readonly id: string | undefined };
  readonly store: { readonly binding: string; readonly title: string; readonly id: string | undefined };
}

/**
 * The resources that a configuration names. One without an id is found by the name under which wrangler creates it at the
 * first deployment; `undefined` stands for one that the account does not have yet.
 */
export async function findResources(config: string, wrangler: Context['wrangler']): Promise<Resources> {
  const { name, compatibility_date, account_id, d1_databases, kv_namespaces } = wranglerLibrary().unstable_readConfig({
    config,
  });
  const [database] = d1_databases;
  const [store] = kv_namespaces;
  if (name === undefined || compatibility_date === undefined || database?.database_name === undefined || !store) {
    throw new Failure(
      'bad_config',
      `${config} must name the Worker, its compatibility date, its database and its store.`,
    );
  }
  const title = `${name}-${store.binding.toLowerCase().replaceAll('_', '-')}`;
  const [databaseId, storeId] = await Promise.all([
    database.database_id ?? findDatabase(database.database_name, wrangler),
    store.id ?? findStore(title, wrangler),
  ]);
  return {
    name,
    compatibilityDate: compatibility_date,
    account: account_id === undefined ? {} : { account_id },
    database: { binding: database.binding, name: database.database_name, id: databaseId },
    store: { binding: store.binding, title, id: storeId },
  };
}

/**
 * Writes a configuration by which wrangler reaches the deployed database and store, and gives its path.
 *
 * @throws Failure where they are not there, or cannot be asked for
 */
export async function writeRemoteConfig(config: string, wrangler: Context['wrangler']): Promise<string> {
  const { name, compatibilityDate, account, database, store } = await findResources(config, wrangler);
  if (database.id === undefined || store.id === undefined) {
    const missing = database.id === undefined ? `database ${database.name}` : `KV namespace ${store.title}`;
    throw new Failure('not_deployed', `The account has no ${missing}. Deploy first: npm run deploy`);
  }
  return writeConfig(config, 'remote.json', {
    name,
    compatibility_date: compatibilityDate,
    ...account,
    d1_databases: [{ binding: database.binding, database_name: database.name, database_id: database.id, remote: true }],
    kv_namespaces: [{ binding: store.binding, id: store.id, remote: true }],
  });
}

/** Writes the configuration again with the ids of its first database and its first store, and gives its path. */
export function writeDeployConfig(config: string, { database, store }: Resources): Promise<string> {
  const { rawConfig } = wranglerLibrary().experimental_readRawConfig({ config });
  const [ofDatabase, ...databases] = rawConfig.d1_databases ?? [];
  const [ofStore, ...stores] = rawConfig.kv_namespaces ?? [];
  return writeConfig(config, 'deploy.json', {
    ...rawConfig,
    main: `../../${rawConfig.main}`,
    d1_databases: [{ ...ofDatabase, database_id: database.id }, ...databases].map((given) => ({
      ...given,
      migrations_dir: `../../${given.migrations_dir ?? 'migrations'}`,
    })),
    kv_namespaces: [{ ...ofStore, id: store.id }, ...stores],
  });
}

/** Writes a configuration beside the one that it is derived from, where git does not look, and gives its path. */
async function writeConfig(config: string, file: string, content: object): Promise<string> {
  const path = join(dirname(config), '.wrangler', 'lindero', file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(content, null, 2));
  return path;
}

async function findDatabase(name: string, wrangler: Context['wrangler']): Promise<string | undefined> {
  const databases = printedArray<{ name: string; uuid: string }>(await wrangler(['d1', 'list', '--json']));
  return databases.find((database) => database.name === name)?.uuid;
}

async function findStore(title: string, wrangler: Context['wrangler']): Promise<string | undefined> {
  const stores = printedArray<{ title: string; id: string }>(await wrangler(['kv', 'namespace', 'list']));
  return stores.find((store) => store.title === title)?.id;
}
