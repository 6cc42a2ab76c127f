import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'smol-toml';
import type { Env } from '../../env.ts';
import type { Platform } from '../command/context.ts';
import { Failure } from '../command/failure.ts';
import { readSetting, SETTINGS_FILE } from '../settings/file.ts';
import { SEALING_KEY, SESSION_KEY } from '../settings/generated.ts';
import { SIGNING_KEYS } from '../settings/signing-keys.ts';
import { bindingsWorker } from './bindings.ts';
import { databaseOver, oneByOne, retryWhileLocked } from './database.ts';

/**
 * Opens the local database and KV namespace of `wrangler dev`, and reads the settings that it would pass to the Worker.
 *
 * @param config the path of `wrangler.toml`
 * @param persistTo the directory of the local state, as `wrangler dev --persist-to` takes it
 * @throws Failure `no_platform` if they cannot be opened
 */
export async function openLocalPlatform(config: string, persistTo: string): Promise<Platform> {
  try {
    const { database, store } = await readLocalConfig(config);
    const { Miniflare, NoOpLog } = loadMiniflare();
    const bindings = bindingsWorker({ DB: database }, { SNAPSHOTS: store });
    const miniflare = new Miniflare({
      workers: [bindings.worker],
      resourcePersistencePath: join(resolve(persistTo), 'v3'),
      port: 0,
      cf: false,
      log: new NoOpLog(),
      // Errors of the runtime reach the caller as those of its calls.
      handleStructuredLogs: () => {},
    });
    await miniflare.ready;
    const { batches, store: namespace } = bindings.open(miniflare);
    const env = {
      DB: databaseOver(oneByOne(retryWhileLocked(batches('DB')))),
      SNAPSHOTS: namespace('SNAPSHOTS'),
      SIGNING_KEYS: await readSetting(join(dirname(config), SETTINGS_FILE), SIGNING_KEYS),
      SESSION_KEY: await readSetting(join(dirname(config), SETTINGS_FILE), SESSION_KEY),
      SEALING_KEY: await readSetting(join(dirname(config), SETTINGS_FILE), SEALING_KEY),
    };
    return { env: env as unknown as Env, dispose: () => miniflare.dispose() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('no_platform', `The local database cannot be opened: ${reason}`);
  }
}

/** Miniflare, loaded by `require`: for an `import`, Node would first search its 4 MB for the names that it exports. */
function loadMiniflare(): typeof import('miniflare') {
  return createRequire(import.meta.url)('miniflare');
}

interface LocalConfig {
  /** The identifiers under which wrangler stores the local database and KV namespace. */
  readonly database: string;
  readonly store: string;
}

interface WranglerConfig {
  readonly d1_databases?: readonly { binding: string; database_id?: string; preview_database_id?: string }[];
  readonly kv_namespaces?: readonly { binding: string; id?: string; preview_id?: string }[];
}

/** Wrangler's rule: the preview id, else the id, else the name of the binding. */
async function readLocalConfig(config: string): Promise<LocalConfig> {
  const { d1_databases, kv_namespaces }: WranglerConfig = parse(await readFile(config, 'utf8'));
  const database = d1_databases?.find(({ binding }) => binding === 'DB');
  const store = kv_namespaces?.find(({ binding }) => binding === 'SNAPSHOTS');
  if (database === undefined || store === undefined) {
    throw new Error(`${config} must have the bindings DB and SNAPSHOTS`);
  }
  return {
    database: database.preview_database_id ?? database.database_id ?? database.binding,
    store: store.preview_id ?? store.id ?? store.binding,
  };
}
