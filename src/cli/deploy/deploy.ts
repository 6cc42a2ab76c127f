import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_DATABASES } from '../../databases/environments.ts';
import { findLackingDatabase, type NamedDatabase, setUpDatabases } from '../../db/operator/databases.ts';
import { appliedMigrations, CREATE_LEDGER, withLedgerRow } from '../../db/operator/migrations.ts';
import { type Cloudflare, connect, unlessMissing } from '../cloudflare/api.ts';
import {
  CONFIG,
  configuredOrigin,
  deployedDomain,
  isOnWorkersDev,
  readConfig,
  type WranglerConfig,
  withIds,
  writeDerived,
} from '../cloudflare/config.ts';
import { runWrangler } from '../cloudflare/wrangler.ts';
import { command, deployLine, withTarget } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { temporaryFile } from '../command/files.ts';
import { choice, integer, number, text } from '../command/options.ts';
import { databaseOver, pendingMigrations, type Statement } from '../platform/database.ts';
import { missingSecrets } from '../platform/secrets.ts';
import {
  createMissing,
  type DatabaseInfo,
  declaring,
  LOCATIONS,
  type Location,
  noLocation,
  placementRegion,
} from './resources.ts';

interface DeployContext {
  readonly config: string;
  print(line: string): void;
  wrangler(args: readonly string[]): Promise<unknown>;
}

/**
 * Deploys the Worker of a project: creates what it needs and does not exist, applies migrations, generates signing keys if
 * there are none, and uploads the Worker. It can be repeated after a failure at any step, and never creates demo data.
 *
 * @param asked where the database is created, if that was stated
 * @param domain the custom domain, if it was stated
 * @returns its name; where it is served, unless that is below workers.dev; and what to do next, as text
 */
export async function deploy(asked: Location | undefined, domain: string | undefined, context: DeployContext) {
  const { config: source } = context;
  const read = await readConfig(source);
  const cloudflare = await connect(read.account_id);
  const served = await atDomain(read, domain, cloudflare);
  if (isOnWorkersDev(served)) await checkSubdomain(cloudflare, source);
  const found = await withIds(served, cloudflare);
  const isNew = found.d1_databases.some(({ database_id }) => database_id === undefined);
  if (isNew && asked === undefined) throw noLocation();
  const { config: existing, database } = await createMissing(found, asked, cloudflare);
  const placement = await placementOf(existing, database, asked, cloudflare, context);
  const config = await writeDeployConfig(source, { ...existing, placement }, cloudflare.accountId);
  const databases = existing.d1_databases.map(({ binding: name, database_id, migrations_dir = 'migrations' }) => ({
    name,
    db: remoteDatabase(database_id!, cloudflare),
    migrations: join(dirname(source), migrations_dir),
  }));
  for (const database of databases) await applyMigrations(database, config, context);
  await setUpDatabases(databases);
  const lacking = await findLackingDatabase(databases);
  if (lacking !== undefined) throw new Failure('lacking_database', `Nothing was deployed. ${declaring(lacking)}`);
  await upload(config, served.name, cloudflare, context);
  const origin = configuredOrigin(served);
  const remote = (line: string) => withTarget({ remote: true }, line);
  const next = `
Deployed. Create an account, import its properties, and verify the service:

  ${remote('account create CODE --name "Name of the agency"')}
  ${remote('import feed.xml --account CODE')}
  npm run smoke -- ${origin ?? 'https://<address shown above>'} --account CODE
`;
  return { worker: served.name, origin, next };
}

/** The configuration with a custom domain: the requested one, or else the last deployment's. */
async function atDomain(
  config: WranglerConfig,
  asked: string | undefined,
  cloudflare: Cloudflare,
): Promise<WranglerConfig> {
  if (asked === undefined && configuredOrigin(config) !== undefined) return config;
  const domain = asked ?? (await deployedDomain(config.name, cloudflare));
  if (domain === undefined) return config;
  return {
    ...config,
    routes: [...(config.routes ?? []), { pattern: domain, custom_domain: true }],
    // Tokens are then valid at every address of the service.
    vars: { PUBLIC_ORIGIN: `https://${domain}`, ...config.vars },
  };
}

/** Without a subdomain, wrangler would fail only after it has uploaded the Worker. */
async function checkSubdomain(cloudflare: Cloudflare, config: string): Promise<void> {
  if ((await cloudflare.get('/workers/subdomain').catch(unlessMissing)) !== undefined) return;
  throw new Failure(
    'no_subdomain',
    'The Cloudflare account has no workers.dev subdomain yet. Claim one (it is free) at ' +
      `https://dash.cloudflare.com/${cloudflare.accountId}/workers/onboarding and repeat: ${deployLine()}\n` +
      `Or serve the Worker at a domain of your own: ${deployLine('--domain feeds.example.com')}, or routes in ${basename(config)}.`,
  );
}

/** Near the database. If nothing tells where that is, the Worker stays where it is. */
async function placementOf(
  { name, placement, d1_databases }: WranglerConfig,
  database: DatabaseInfo,
  asked: Location | undefined,
  cloudflare: Cloudflare,
  { print, config }: DeployContext,
): Promise<object | undefined> {
  const region = database.running_in_region ?? 'an unknown region';
  const where = `Database ${d1_databases[0]!.database_name} in ${region}; Worker`;
  if (placement !== undefined) {
    print(`${where} placed by ${basename(config)}`);
    return placement;
  }
  type Settings = { placement?: { region?: string } };
  const last = () => cloudflare.get<Settings>(`/workers/scripts/${name}/settings`).catch(unlessMissing);
  const near = placementRegion(database, asked) ?? (await last())?.placement?.region;
  print(near === undefined ? `${where} not placed` : `${where} near ${near}`);
  return near === undefined ? undefined : { region: near };
}

/** A deployed database, through Cloudflare's API. */
function remoteDatabase(id: string, cloudflare: Cloudflare): D1Database {
  return databaseOver(async <Row>(statements: readonly Statement[]) => {
    const results: D1Result<Row>[] = [];
    for (const { statement: sql, params } of statements) {
      results.push(...(await cloudflare.post<D1Result<Row>[]>(`/d1/database/${id}/query`, { sql, params })));
    }
    return results;
  });
}

/**
 * Applies the pending migrations to a deployed database, all of them with their ledger entries in one transaction: so D1's
 * import endpoint runs a file, and it reads triggers as SQLite does. `wrangler d1 migrations apply` posts files to the query
 * endpoint instead, which splits triggers (workers-sdk issues 14991, 15178 and 15314).
 *
 * The ledger decides whether they have been applied, whatever wrangler reports: the import may have been committed although its
 * result was lost.
 *
 * @param config the file in which wrangler finds the database
 */
async function applyMigrations(
  { name: binding, db, migrations }: NamedDatabase & { readonly migrations: string },
  config: string,
  { print, wrangler }: DeployContext,
): Promise<void> {
  const pending = await pendingMigrations(migrations, await appliedMigrations(db));
  if (pending.length === 0) return;
  for (const { name } of pending) print(`Applying migration ${name}`);
  // The endpoint identifies an upload by its digest. A unique one prevents it from treating a file as one that it has already
  // imported, as after a restore of the database.
  const script = [`-- Import ${randomUUID()}`, CREATE_LEDGER, ...pending.map(withLedgerRow)].join('\n');
  const execute = ['d1', 'execute', binding, '--remote', '--yes', '--config', config, '--file'];
  using file = await temporaryFile('migrations.sql', script);
  const failure = await wrangler([...execute, file.path]).then(
    () => null,
    (error: Error) => error,
  );
  const left = await pendingMigrations(migrations, await appliedMigrations(db));
  if (left.length === 0) return;
  throw new Failure(
    'migration_failed',
    `Migrations were not applied: ${left.map(({ name }) => name).join(', ')}; the database is as it was before them. ` +
      `${failure?.message ?? ''}\nThe deployed Worker was not replaced. Correct the cause, then repeat: ${deployLine()}`,
  );
}

/** Uploads the Worker with new values of the secrets that it lacks, so that it is never served without them. */
async function upload(
  config: string,
  worker: string,
  cloudflare: Cloudflare,
  { wrangler }: DeployContext,
): Promise<void> {
  const deploy = ['deploy', '--config', config];
  const names = cloudflare.get<{ name: string }[]>(`/workers/scripts/${worker}/secrets`);
  // After any other error, new keys could replace those of an existing Worker.
  const existing = (await names.catch(unlessMissing)) ?? [];
  const secrets = await missingSecrets((secret) => existing.some(({ name }) => name === secret));
  using file = await temporaryFile('secrets.json', JSON.stringify(secrets));
  await wrangler(Object.keys(secrets).length === 0 ? deploy : [...deploy, '--secrets-file', file.path]);
}

/** Writes the configuration that wrangler deploys, with paths relative to its own directory, and returns its path. */
function writeDeployConfig(source: string, config: WranglerConfig, accountId: string): Promise<string> {
  return writeDerived(source, 'deploy', {
    ...config,
    account_id: accountId,
    main: `../../${config.main}`,
    ...(config.assets && { assets: { ...config.assets, directory: `../../${config.assets.directory}` } }),
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      migrations_dir: `../../${database.migrations_dir ?? 'migrations'}`,
    })),
  });
}

export const deployCommand = command({
  command: 'deploy',
  describe: 'Create or update the deployed service; after a failure at any step, it can be repeated',
  options: {
    location: {
      ...choice(Object.keys(LOCATIONS), 'Where to create the database: required once, and cannot be changed later'),
      conflicts: 'jurisdiction',
    },
    jurisdiction: text('Instead of a location: the jurisdiction in which data are stored and processed'),
    domain: text('Serve it at this domain, whose zone is in the Cloudflare account; later deployments keep it'),
    databases: number(
      1,
      'How many databases to have: missing ones are declared in wrangler.toml and created; new accounts go to the emptiest',
      integer(1, MAX_DATABASES),
    ),
  },
  async run({ location, jurisdiction, domain, databases, json }, context) {
    if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain)) {
      throw usageFailure(`--domain must be a name such as feeds.example.com: ${domain}`);
    }
    for (const script of ['types', 'build']) runScript(script);
    noteChange();
    // The types of the bindings, which the next deployment compares with wrangler.toml, then have the new databases too.
    if (await declareDatabases(CONFIG, databases)) runScript('bindings');
    const asked = location ?? jurisdiction;
    const deployed = await deploy(asked === undefined ? undefined : { location, jurisdiction }, domain?.toLowerCase(), {
      config: CONFIG,
      print: (line) => context.err(`${line}\n`),
      wrangler: (args) => runWrangler(args, '', !json),
    });
    return { json: { worker: deployed.worker, origin: deployed.origin }, text: deployed.next };
  },
});

function runScript(script: string): void {
  const { status } = spawnSync('npm', ['run', '-s', script], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Failure('not_built', `Nothing was deployed: npm run ${script} failed.`);
}

/**
 * Declares further databases in `wrangler.toml`, up to a number, so that later deployments and commands know them, too.
 *
 * @returns whether any was missing
 */
export async function declareDatabases(path: string, count: number): Promise<boolean> {
  const { d1_databases: declared } = await readConfig(path);
  const { database_name: name, migrations_dir: migrations = 'migrations' } = declared[0]!;
  const table = process.env.CLOUDFLARE_ENV ? `env.${process.env.CLOUDFLARE_ENV}.d1_databases` : 'd1_databases';
  const missing = Array.from({ length: count - 1 }, (_, index) => index + 2).filter(
    (number) => !declared.some(({ binding }) => binding === `DB_${number}`),
  );
  const blocks = missing.map(
    (number) => `
[[${table}]]
binding = "DB_${number}"
database_name = "${name}-${number}"
migrations_dir = "${migrations}"
`,
  );
  await appendFile(path, blocks.join(''));
  return missing.length > 0;
}
