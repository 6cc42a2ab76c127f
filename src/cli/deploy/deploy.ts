import { basename } from 'node:path';
import { ApiFailure, type Cloudflare, connect } from '../cloudflare/api.ts';
import { findResources, type Project, readProject, writeDeployConfig } from '../cloudflare/config.ts';
import { PROGRAM } from '../command/command.ts';
import { Failure } from '../command/failure.ts';
import type { DeployContext } from './context.ts';
import {
  askLocation,
  checkLocation,
  type DatabaseInfo,
  type Location,
  parseLocation,
  placementRegion,
} from './location.ts';
import { applyRemoteMigrations } from './migrate.ts';
import { upload } from './upload.ts';

/**
 * Deploys the Worker of a project: creates its database, KV namespace and queue if they do not exist, applies migrations, generates
 * signing keys if there are none, and uploads the Worker. It can be repeated after a failure at any step, and never creates
 * demo data.
 *
 * @throws Failure
 */
export async function deploy(args: readonly string[], context: DeployContext): Promise<void> {
  const { config: source, print } = context;
  const asked = parseLocation(args);
  const project = await readProject(source);
  const cloudflare = await connect(project.accountId);
  if (project.onWorkersDev) await checkSubdomain(cloudflare, source);
  const { config, database } = await provision(project, asked, cloudflare, context);
  const { binding, migrations } = project.database;
  await applyRemoteMigrations({ config, binding, id: database }, migrations, cloudflare, context);
  await upload(config, project.name, cloudflare, context);
  print(`
Deployed. Create an account, import its properties, and verify the service:

  ${PROGRAM} account create CODE --name "Name of the agency" --remote
  ${PROGRAM} import feed.xml --account CODE --remote
  npm run smoke -- https://<address shown above> --account CODE
`);
}

/** Without a subdomain, wrangler would fail only after it has uploaded the Worker. */
async function checkSubdomain(cloudflare: Cloudflare, config: string): Promise<void> {
  try {
    await cloudflare.get('/workers/subdomain');
  } catch (error) {
    if (!(error instanceof ApiFailure && error.errorCode === 10007)) throw error;
    throw new Failure(
      'no_subdomain',
      'The Cloudflare account has no workers.dev subdomain yet. Claim one (it is free) at ' +
        `https://dash.cloudflare.com/${cloudflare.accountId}/workers/onboarding and repeat: npm run deploy\n` +
        `Or serve the Worker at a domain of your own: set workers_dev = false and routes in ${basename(config)}.`,
    );
  }
}

/**
 * Creates the database, the KV namespace and the queues that do not exist, and writes the configuration that names them. Wrangler
 * would create a namespace in each first upload, and could not repeat one that has failed.
 */
async function provision(
  project: Project,
  asked: Location | undefined,
  cloudflare: Cloudflare,
  { config, print }: DeployContext,
): Promise<{ config: string; database: string }> {
  const found = await findResources(project, cloudflare);
  const location = found.database === undefined ? (asked ?? (await askLocation())) : asked;
  const database =
    found.database ??
    (await cloudflare.post<DatabaseInfo>('/d1/database', { name: project.database.name, ...atLocation(location) }))
      .uuid;
  const store =
    found.store ?? (await cloudflare.post<{ id: string }>('/storage/kv/namespaces', { title: project.store.name })).id;
  await createQueues(project, cloudflare);
  const info = await cloudflare.get<DatabaseInfo>(`/d1/database/${database}`);
  checkLocation(info, asked);
  const region = placementRegion(info, location);
  const place = project.hasPlacement ? `placed by ${basename(config)}` : `near ${region}`;
  print(`Database ${project.database.name} in ${info.running_in_region ?? 'an unknown region'}; Worker ${place}`);
  return {
    database,
    config: await writeDeployConfig(config, { accountId: cloudflare.accountId, database, store, region }),
  };
}

/** Creates the queues that do not exist. Wrangler uploads the Worker first, and then fails without them. */
async function createQueues({ queues }: Project, cloudflare: Cloudflare): Promise<void> {
  const existing = await cloudflare.list<{ queue_name: string }>('/queues');
  for (const name of queues) {
    if (existing.some(({ queue_name }) => queue_name === name)) continue;
    await cloudflare.post('/queues', { queue_name: name });
  }
}

/** The fields by which the API takes a location. */
function atLocation(location: Location | undefined): object {
  if (location === undefined) return {};
  return 'location' in location ? { primary_location_hint: location.location } : location;
}
