import { type Cloudflare, unlessMissing } from '../cloudflare/api.ts';
import { type BucketBinding, titleOf, type WranglerConfig } from '../cloudflare/config.ts';
import { checkLocation, type DatabaseInfo, type Location } from './location.ts';

/** What the databases, KV namespaces, queues and buckets of a configuration are, once all of them exist. */
export interface Resources {
  /** The configuration with the ids of all of them. */
  readonly config: WranglerConfig;
  /** The first database. */
  readonly database: DatabaseInfo;
}

/**
 * Creates what does not exist, all of it in the jurisdiction of the first database. Wrangler would create a namespace in each
 * first upload, and could not repeat one that has failed; without a queue, it fails after it has uploaded the Worker.
 *
 * @param config its ids are those of what exists
 * @param location where databases are created
 */
export async function createMissing(
  config: WranglerConfig,
  location: Location | undefined,
  cloudflare: Cloudflare,
): Promise<Resources> {
  const d1_databases = [];
  for (const database of config.d1_databases) {
    const id = database.database_id ?? (await createDatabase(database.database_name, location, cloudflare));
    d1_databases.push({ ...database, database_id: id });
  }
  const database = await cloudflare.get<DatabaseInfo>(`/d1/database/${d1_databases[0]!.database_id}`);
  checkLocation(database, location);
  const jurisdiction = database.jurisdiction ?? undefined;
  const kv_namespaces = [];
  for (const store of config.kv_namespaces) {
    const body = { title: titleOf(config.name, store), jurisdiction };
    const id = store.id ?? (await cloudflare.post<{ id: string }>('/storage/kv/namespaces', body)).id;
    kv_namespaces.push({ ...store, id });
  }
  const r2_buckets = (config.r2_buckets ?? []).map((bucket) => ({ jurisdiction, ...bucket }));
  for (const bucket of r2_buckets) await createBucket(bucket, location, cloudflare);
  await createQueues(config, cloudflare);
  return { config: { ...config, d1_databases, kv_namespaces, r2_buckets }, database };
}

async function createDatabase(name: string, location: Location | undefined, cloudflare: Cloudflare): Promise<string> {
  const place = { primary_location_hint: location?.location, jurisdiction: location?.jurisdiction };
  return (await cloudflare.post<DatabaseInfo>('/d1/database', { name, ...place })).uuid;
}

async function createBucket(
  { bucket_name: name, jurisdiction }: BucketBinding,
  location: Location | undefined,
  cloudflare: Cloudflare,
): Promise<void> {
  const headers = jurisdiction === undefined ? {} : { 'cf-r2-jurisdiction': jurisdiction };
  if ((await cloudflare.get(`/r2/buckets/${name}`, headers).catch(unlessMissing)) !== undefined) return;
  await cloudflare.post('/r2/buckets', { name, locationHint: location?.location }, headers);
}

async function createQueues({ queues }: WranglerConfig, cloudflare: Cloudflare): Promise<void> {
  const existing = await cloudflare.list<{ queue_name: string }>('/queues');
  for (const { queue } of queues?.producers ?? []) {
    if (existing.some(({ queue_name }) => queue_name === queue)) continue;
    await cloudflare.post('/queues', { queue_name: queue });
  }
}
