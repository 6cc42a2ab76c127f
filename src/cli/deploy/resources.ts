import { DAY_SECONDS } from '../../lib/time/time.ts';
import { BACKUP_DAYS, BACKUPS } from '../../operator/backups/store.ts';
import { ORIGINAL_DAYS, ORIGINALS } from '../../pictures/names.ts';
import { LOST_TASK_DAYS, LOST_TASKS } from '../../tasks/lost-tasks.ts';
import { type Cloudflare, unlessMissing } from '../cloudflare/api.ts';
import type { WranglerConfig } from '../cloudflare/config.ts';
import { EXIT, Failure } from '../command/failure.ts';
import { deployLine } from '../command/lines.ts';

/** Where the database is created: near a place, or bound to a jurisdiction. */
export interface Location {
  readonly location?: string | undefined;
  readonly jurisdiction?: string | undefined;
}

/**
 * The locations of D1 (developers.cloudflare.com/d1/configuration/data-location), each with a cloud
 * region in its middle: which data centers a location comprises is not documented.
 */
export const LOCATIONS: Readonly<Record<string, string>> = {
  weur: 'aws:eu-west-3',
  eeur: 'aws:eu-central-1',
  wnam: 'aws:us-west-2',
  enam: 'aws:us-east-1',
  apac: 'aws:ap-southeast-1',
  oc: 'aws:ap-southeast-2',
};

/**
 * The documented jurisdictions, each with a cloud region; another one is passed on to Cloudflare.
 */
const JURISDICTIONS: Readonly<Record<string, string>> = {
  eu: 'aws:eu-central-1',
  us: 'aws:us-east-1',
  fedramp: 'aws:us-east-1',
};

export function noLocation(): Failure {
  return new Failure(
    'no_location',
    `A new database needs a location, which cannot be changed later:
  ${deployLine('--location weur')}     or ${Object.keys(LOCATIONS).slice(1).join(', ')}
  ${deployLine('--jurisdiction eu')}   or ${Object.keys(JURISDICTIONS).slice(1).join(', ')}
For what they mean: npm run deploy -- --help`,
    EXIT.usage,
  );
}

/** What to do if wrangler.toml lacks a database that has accounts, by its number. */
export function declaring(number: number): string {
  return `Accounts are in DB_${number}: declare it again with ${deployLine(`--databases ${number}`)}, and commit wrangler.toml.`;
}

/** A database as Cloudflare's API describes it; the region is that of its primary, in capitals. */
export interface DatabaseInfo {
  readonly uuid: string;
  readonly running_in_region?: string | null;
  readonly jurisdiction?: string | null;
}

/**
 * The cloud region to place the Worker near: each request then costs one round trip to the region
 * of the database and none between the Worker and the database. Placement takes regions of cloud
 * providers, not those of D1
 * (developers.cloudflare.com/changelog/post/2026-01-22-explicit-placement-hints).
 *
 * @param asked the requested location of a new database, in case the API does not report the actual
 * one
 * @returns `undefined` if nothing tells where the database is
 */
export function placementRegion(
  { running_in_region, jurisdiction }: DatabaseInfo,
  asked: Location = {},
): string | undefined {
  return (
    LOCATIONS[running_in_region?.toLowerCase() ?? ''] ??
    LOCATIONS[asked.location ?? ''] ??
    JURISDICTIONS[jurisdiction ?? asked.jurisdiction ?? '']
  );
}

/** Near the database. If nothing tells where that is, the Worker stays where it is. */
export async function placementOf(
  { name, placement, d1_databases }: WranglerConfig,
  database: DatabaseInfo,
  asked: Location | undefined,
  cloudflare: Cloudflare,
  print: (line: string) => void,
): Promise<object | undefined> {
  const region = database.running_in_region ?? 'an unknown region';
  const where = `Database ${d1_databases[0]!.database_name} in ${region}; Worker`;
  if (placement !== undefined) {
    print(`${where} placed by wrangler.toml`);
    return placement;
  }
  type Settings = { placement?: { region?: string } };
  const last = () =>
    cloudflare.get<Settings>(`/workers/scripts/${name}/settings`).catch(unlessMissing);
  const near = placementRegion(database, asked) ?? (await last())?.placement?.region;
  print(near === undefined ? `${where} not placed` : `${where} near ${near}`);
  return near === undefined ? undefined : { region: near };
}

/**
 * Finds the databases, KV namespaces, buckets and queues by their names, and creates those that do
 * not exist, all of them in the jurisdiction of the first database. Wrangler would create a
 * namespace in each first upload, and could not repeat one that has failed; without a queue, it
 * fails after it has uploaded the Worker.
 *
 * @param asked where databases are created
 * @returns the configuration with the ids of all of them, and the first database
 * @throws Failure if a database is missing and nothing was asked
 */
export async function provide(
  config: WranglerConfig,
  asked: Location | undefined,
  cloudflare: Cloudflare,
  print: (line: string) => void,
) {
  const known = await cloudflare.list<{ name: string; uuid: string }>('/d1/database');
  const idOf = async (
    { database_id, database_name: name }: Database,
    jurisdiction: string | undefined,
  ) => {
    const id = given(database_id) ?? known.find((one) => one.name === name)?.uuid;
    if (id !== undefined) return id;
    if (asked === undefined) throw noLocation();
    const body = { name, primary_location_hint: asked.location, jurisdiction };
    return (await cloudflare.post<DatabaseInfo>('/d1/database', body)).uuid;
  };
  const [first, ...others] = config.d1_databases as [Database, ...Database[]];
  const database_id = await idOf(first, asked?.jurisdiction);
  const database = await cloudflare.get<DatabaseInfo>(`/d1/database/${database_id}`);
  const jurisdiction = database.jurisdiction ?? undefined;
  // A location is only a hint, so a database elsewhere is accepted; a jurisdiction is a commitment
  // to others.
  if (asked?.jurisdiction !== undefined && asked.jurisdiction !== jurisdiction) {
    throw new Failure(
      'wrong_jurisdiction',
      `The database exists and is not bound to the jurisdiction ${asked.jurisdiction}, ` +
        'which cannot be added later. Export the accounts, delete it with ' +
        '"npx wrangler d1 delete", and deploy again.',
    );
  }
  const d1_databases = [{ ...first, database_id }];
  for (const each of others) {
    d1_databases.push({ ...each, database_id: await idOf(each, jurisdiction) });
  }
  const stores = await cloudflare.list<{ title: string; id: string }>('/storage/kv/namespaces');
  const kv_namespaces = [];
  for (const store of config.kv_namespaces) {
    // As wrangler names it.
    const title = `${config.name}-${store.binding.toLowerCase().replaceAll('_', '-')}`;
    const id = given(store.id) ?? stores.find((one) => one.title === title)?.id;
    const create = () =>
      cloudflare.post<{ id: string }>('/storage/kv/namespaces', { title, jurisdiction });
    kv_namespaces.push({ ...store, id: id ?? (await create()).id });
  }
  // A binding without a jurisdiction does not find a bucket that has one.
  const r2_buckets = (config.r2_buckets ?? []).map((bucket) => ({ jurisdiction, ...bucket }));
  for (const { bucket_name: name, jurisdiction } of r2_buckets) {
    const headers = jurisdiction === undefined ? {} : { 'cf-r2-jurisdiction': jurisdiction };
    if ((await cloudflare.get(`/r2/buckets/${name}`, headers).catch(unlessMissing)) === undefined)
      await cloudflare.post('/r2/buckets', { name, locationHint: asked?.location }, headers);
    await retain(name, headers, cloudflare);
  }
  await provideQueues(config, jurisdiction, cloudflare, print);
  return { config: { ...config, d1_databases, kv_namespaces, r2_buckets }, database };
}

/** What Cloudflare deletes from the bucket, by the beginning of its key. */
const RETAINED = [
  { prefix: BACKUPS, days: BACKUP_DAYS },
  { prefix: ORIGINALS, days: ORIGINAL_DAYS },
  { prefix: LOST_TASKS, days: LOST_TASK_DAYS },
];

/**
 * Adds the lifecycle rules that a bucket lacks. One that the operator has changed stays as it is
 * (https://developers.cloudflare.com/r2/buckets/object-lifecycles/).
 */
async function retain(bucket: string, headers: object, cloudflare: Cloudflare): Promise<void> {
  const path = `/r2/buckets/${bucket}/lifecycle`;
  const { rules = [] } = await cloudflare.get<{ rules?: { id: string }[] }>(path, headers);
  const lacking = RETAINED.map(({ prefix, days }) => ({
    id: `Lindero: ${prefix}`,
    enabled: true,
    conditions: { prefix },
    deleteObjectsTransition: { condition: { type: 'Age', maxAge: days * DAY_SECONDS } },
  })).filter(({ id }) => !rules.some((rule) => rule.id === id));
  if (lacking.length > 0) await cloudflare.put(path, { rules: [...rules, ...lacking] }, headers);
}

/**
 * Creates the queues that do not exist, in the jurisdiction of those that do: it cannot be changed,
 * and a queue must have that of its dead-letter queue
 * (https://developers.cloudflare.com/queues/configuration/data-location/).
 */
async function provideQueues(
  { queues }: WranglerConfig,
  wanted: string | undefined,
  cloudflare: Cloudflare,
  print: (line: string) => void,
): Promise<void> {
  const names = queues?.producers?.map(({ queue }) => queue) ?? [];
  const existing: Queue[] = [];
  for (const name of names) {
    // This list has no pages.
    const found = await cloudflare.get<Queue[]>(`/queues?name=${name}`);
    existing.push(...found.filter(({ queue_name }) => queue_name === name));
  }
  const [first] = existing;
  const jurisdiction = first === undefined ? wanted : (first.jurisdiction ?? undefined);
  if (jurisdiction !== wanted) {
    print(
      `The queues were created ${jurisdiction === undefined ? 'without a jurisdiction' : `in ${jurisdiction}`}, ` +
        'which cannot be changed. To bind them to that of the database, delete them with ' +
        '"npx wrangler queues delete", and deploy again.',
    );
  }
  for (const queue_name of names) {
    if (existing.some((queue) => queue.queue_name === queue_name)) continue;
    await cloudflare.post('/queues', { queue_name, jurisdiction });
  }
}

interface Queue {
  readonly queue_name: string;
  readonly jurisdiction?: string | null;
}

type Database = WranglerConfig['d1_databases'][number];

/** An id of zeros marks a place that the "Deploy to Cloudflare" button fills in. */
function given(id: string | undefined): string | undefined {
  return id === undefined || /^[0-]*$/.test(id) ? undefined : id;
}
