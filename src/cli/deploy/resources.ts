import { type Cloudflare, unlessMissing } from '../cloudflare/api.ts';
import { titleOf, type WranglerConfig } from '../cloudflare/config.ts';
import { checkLocation, type DatabaseInfo, type Location } from './location.ts';

/**
 * Creates the databases, KV namespaces, buckets and queues that do not exist, all of them in the jurisdiction of the first
 * database. Wrangler would create a namespace in each first upload, and could not repeat one that has failed; without a queue,
 * it fails after it has uploaded the Worker.
 *
 * @param config its ids are those of what exists
 * @param asked where databases are created
 * @returns the configuration with the ids of all of them, and the first database
 */
export async function createMissing(
  config: WranglerConfig,
  asked: Location | undefined,
  cloudflare: Cloudflare,
): Promise<{ readonly config: WranglerConfig; readonly database: DatabaseInfo }> {
  const d1_databases = [];
  for (const found of config.d1_databases) {
    const place = { primary_location_hint: asked?.location, jurisdiction: asked?.jurisdiction };
    const body = { name: found.database_name, ...place };
    const database_id = found.database_id ?? (await cloudflare.post<DatabaseInfo>('/d1/database', body)).uuid;
    d1_databases.push({ ...found, database_id });
  }
  const database = await cloudflare.get<DatabaseInfo>(`/d1/database/${d1_databases[0]!.database_id}`);
  checkLocation(database, asked);
  const jurisdiction = database.jurisdiction ?? undefined;
  const kv_namespaces = [];
  for (const store of config.kv_namespaces) {
    const body = { title: titleOf(config.name, store), jurisdiction };
    const id = store.id ?? (await cloudflare.post<{ id: string }>('/storage/kv/namespaces', body)).id;
    kv_namespaces.push({ ...store, id });
  }
  const r2_buckets = (config.r2_buckets ?? []).map((bucket) => ({ jurisdiction, ...bucket }));
  for (const { bucket_name: name, jurisdiction } of r2_buckets) {
    const headers = jurisdiction === undefined ? {} : { 'cf-r2-jurisdiction': jurisdiction };
    if ((await cloudflare.get(`/r2/buckets/${name}`, headers).catch(unlessMissing)) !== undefined) continue;
    await cloudflare.post('/r2/buckets', { name, locationHint: asked?.location }, headers);
  }
  const queues = await cloudflare.list<{ queue_name: string }>('/queues');
  for (const { queue } of config.queues?.producers ?? []) {
    if (!queues.some(({ queue_name }) => queue_name === queue)) await cloudflare.post('/queues', { queue_name: queue });
  }
  return { config: { ...config, d1_databases, kv_namespaces, r2_buckets }, database };
}
