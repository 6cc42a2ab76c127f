import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MAX_DATABASES } from '../../accounts/environments.ts';
import { ownKeys } from '../../oauth/own-keys.ts';
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
import { command, deployLine, PROGRAM } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { temporaryFile } from '../command/files.ts';
import { choice, flag, integer, number, text } from '../command/options.ts';
import { PRODUCTION, readServices, rememberService } from '../service/find.ts';
import {
  missingSecrets,
  newKeySet,
  OPERATOR_KEY,
  OPERATOR_KEY_OLD,
  parseKeySet,
  SIGNING_KEYS,
} from '../setup/secrets.ts';
import { CREATE_LEDGER, pendingMigrations, type Query, withLedgerRow } from './migrations.ts';
import {
  createMissing,
  type DatabaseInfo,
  declaring,
  LOCATIONS,
  type Location,
  noLocation,
  placementRegion,
} from './resources.ts';

/** What is asked of a deployment. */
export interface Asked {
  /** Where the database is created. */
  readonly location?: Location | undefined;
  /** The custom domain. */
  readonly domain?: string | undefined;
  /** Whether new keys sign access tokens; tokens of the previous ones stay valid. */
  readonly rotateKeys?: boolean;
  /** Whether the operator's key is replaced; the former one is accepted until the next replacement. */
  readonly rotateOperatorKey?: boolean;
}

interface DeployContext {
  readonly config: string;
  /** The directory in which deployed services are remembered. */
  readonly directory: string;
  print(line: string): void;
  wrangler(args: readonly string[]): Promise<unknown>;
}

/**
 * Deploys the Worker of a project: creates what it needs and does not exist, applies migrations, generates secrets that it lacks, and
 * uploads the Worker. It can be repeated after a failure at any step, and never creates demo data. The address and the operator's
 * key are remembered for other commands.
 *
 * @returns its name; where it is served; and what to do next, as text
 */
export async function deploy(asked: Asked, context: DeployContext) {
  const { config: source, directory } = context;
  const read = await readConfig(source);
  const cloudflare = await connect(read.account_id);
  const served = await atDomain(read, asked.domain, cloudflare);
  if (isOnWorkersDev(served)) await checkSubdomain(cloudflare, source);
  const origin = await originOf(served, source, cloudflare);
  const found = await withIds(served, cloudflare);
  const isNew = found.d1_databases.some(({ database_id }) => database_id === undefined);
  if (isNew && asked.location === undefined) throw noLocation();
  const { config: existing, database } = await createMissing(found, asked.location, cloudflare);
  const placement = await placementOf(existing, database, asked.location, cloudflare, context);
  const config = await writeDeployConfig(source, { ...existing, placement }, cloudflare.accountId);
  const databases = existing.d1_databases.map(
    ({ binding: name, database_id, migrations_dir = 'migrations' }) => ({
      name,
      query: queryOf(database_id!, cloudflare),
      migrations: join(dirname(source), migrations_dir),
    }),
  );
  for (const database of databases) await applyMigrations(database, config, context);
  await checkDirectory(databases);
  const env = process.env.CLOUDFLARE_ENV || PRODUCTION;
  const secrets = await newSecrets(
    asked,
    served.name,
    origin,
    cloudflare,
    (await readServices(directory))[env]?.key,
  );
  const key = secrets[OPERATOR_KEY];
  const remember = async () => {
    if (key !== undefined) await rememberService(directory, env, { url: origin, key });
  };
  // wrangler may fail after the Worker has its secrets: a key that only the Worker knows would be
  // lost. While a former key is valid, that one stays until the new one certainly is.
  if (secrets[OPERATOR_KEY_OLD] === undefined) await remember();
  await upload(config, secrets, context);
  await remember();
  const known = (await readServices(directory))[env];
  if (known !== undefined && known.url !== origin)
    await rememberService(directory, env, { ...known, url: origin });
  const line = (words: string) => `${PROGRAM} ${words} --env ${env}`;
  const next = `
Deployed to ${origin}. Create an account, import its properties, and verify the service:

  ${line('account create CODE --name "Name of the agency"')}
  ${line('import feed.xml --account CODE')}
  npm run smoke -- ${origin} --account CODE
`;
  const unknown = `
This directory does not have the operator's key, which another one has. Set LINDERO_OPERATOR_KEY to it, or replace it:

  ${deployLine('--rotate-operator-key')}
`;
  return { worker: served.name, origin, next: known === undefined ? next + unknown : next };
}

/** Where the Worker is served. @throws Failure if the configuration does not tell */
async function originOf(
  config: WranglerConfig,
  source: string,
  cloudflare: Cloudflare,
): Promise<string> {
  const configured = configuredOrigin(config);
  if (configured !== undefined) return configured;
  if (isOnWorkersDev(config)) {
    const { subdomain } = await cloudflare.get<{ subdomain: string }>('/workers/subdomain');
    return `https://${config.name}.${subdomain}.workers.dev`;
  }
  const hosts = [config.route, ...(config.routes ?? [])].map(hostOf);
  const host = hosts.find((name) => name !== undefined && !name.includes('*'));
  if (host !== undefined) return `https://${host}`;
  const remedy = 'Set PUBLIC_ORIGIN in its vars, such as https://feeds.example.com.';
  throw new Failure(
    'no_address',
    `${basename(source)} does not say where the Worker is served. ${remedy}`,
  );
}

/** The host of a route such as `feeds.example.com/*`, which can be a text or an object. */
function hostOf(route: unknown): string | undefined {
  const pattern =
    typeof route === 'string' ? route : (route as { pattern?: string } | undefined)?.pattern;
  return pattern?.replace(/^https?:\/\//, '').split('/')[0];
}

/** @throws Failure if accounts are in a database that the configuration lacks: they would not be served */
async function checkDirectory(
  databases: readonly { readonly name: string; readonly query: Query }[],
): Promise<void> {
  const listed = await databases[0]!.query<{ database: string }>(
    'SELECT DISTINCT database FROM directory',
  );
  const lacking = listed.find(({ database }) => databases.every(({ name }) => name !== database));
  if (lacking === undefined) return;
  const number = Number(lacking.database.split('_')[1]);
  throw new Failure('lacking_database', `Nothing was deployed. ${declaring(number)}`);
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
  const last = () =>
    cloudflare.get<Settings>(`/workers/scripts/${name}/settings`).catch(unlessMissing);
  const near = placementRegion(database, asked) ?? (await last())?.placement?.region;
  print(near === undefined ? `${where} not placed` : `${where} near ${near}`);
  return near === undefined ? undefined : { region: near };
}

/** Runs statements in a deployed database, through Cloudflare's API. */
function queryOf(id: string, cloudflare: Cloudflare): Query {
  return async <Row>(sql: string) => {
    const [result] = await cloudflare.post<D1Result<Row>[]>(`/d1/database/${id}/query`, { sql });
    return result!.results;
  };
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
  { name: binding, query, migrations }: { name: string; query: Query; migrations: string },
  config: string,
  { print, wrangler }: DeployContext,
): Promise<void> {
  const pending = await pendingMigrations(migrations, query);
  if (pending.length === 0) return;
  for (const { name } of pending) print(`Applying migration ${name}`);
  // The endpoint identifies an upload by its digest. A unique one prevents it from treating a file as one that it has already
  // imported, as after a restore of the database.
  const script = [`-- Import ${randomUUID()}`, CREATE_LEDGER, ...pending.map(withLedgerRow)].join(
    '\n',
  );
  const execute = ['d1', 'execute', binding, '--remote', '--yes', '--config', config, '--file'];
  using file = await temporaryFile('migrations.sql', script);
  const failure = await wrangler([...execute, file.path]).then(
    () => null,
    (error: Error) => error,
  );
  const left = await pendingMigrations(migrations, query);
  if (left.length === 0) return;
  throw new Failure(
    'migration_failed',
    `Migrations were not applied: ${left.map(({ name }) => name).join(', ')}; the database is as it was before them. ` +
      `${failure?.message ?? ''}\nThe deployed Worker was not replaced. Correct the cause, then repeat: ${deployLine()}`,
  );
}

/**
 * New values of the secrets that the Worker lacks, and of those that are to be replaced.
 *
 * @param operatorKey the one that this directory knows
 */
async function newSecrets(
  asked: Asked,
  worker: string,
  origin: string,
  cloudflare: Cloudflare,
  operatorKey: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const names = cloudflare.get<{ name: string }[]>(`/workers/scripts/${worker}/secrets`);
  // After any other error, new keys could replace those of an existing Worker.
  const existing = ((await names.catch(unlessMissing)) ?? []).map(({ name }) => name);
  const secrets = { ...(await missingSecrets((name) => existing.includes(name))) };
  if (asked.rotateKeys && existing.includes(SIGNING_KEYS))
    secrets[SIGNING_KEYS] = await rotatedKeys(origin);
  if (asked.rotateOperatorKey && existing.includes(OPERATOR_KEY)) {
    if (operatorKey !== undefined) secrets[OPERATOR_KEY_OLD] = operatorKey;
    Object.assign(secrets, await missingSecrets((name) => name !== OPERATOR_KEY));
  }
  return secrets;
}

/** A new signing key, with the public half of the one that has signed so far: its tokens stay valid until they expire. */
async function rotatedKeys(origin: string): Promise<string> {
  const url = `${origin}/.well-known/jwks.json`;
  const response = await fetch(url, { redirect: 'error' }).catch((error: Error) => {
    throw new Failure('no_published_keys', `${url} is not responding: ${error.message}`);
  });
  const keys = response.ok ? parseKeySet(await response.text()) : null;
  if (keys === null)
    throw new Failure(
      'no_published_keys',
      `${url} does not return keys: status ${response.status}`,
    );
  const value = await newKeySet(keys.slice(0, 1));
  await ownKeys(value).catch((error: Error) => {
    throw new Failure('bad_keys', `${url} has unusable keys: ${error.message}.`);
  });
  return value;
}

/** Uploads the Worker with new secrets, so that it is never served without them. */
async function upload(
  config: string,
  secrets: Readonly<Record<string, string>>,
  { wrangler }: DeployContext,
): Promise<void> {
  const deploy = ['deploy', '--config', config];
  using file = await temporaryFile('secrets.json', JSON.stringify(secrets));
  await wrangler(
    Object.keys(secrets).length === 0 ? deploy : [...deploy, '--secrets-file', file.path],
  );
}

/** Writes the configuration that wrangler deploys, with paths relative to its own directory, and returns its path. */
function writeDeployConfig(
  source: string,
  config: WranglerConfig,
  accountId: string,
): Promise<string> {
  return writeDerived(source, 'deploy', {
    ...config,
    account_id: accountId,
    main: `../../${config.main}`,
    ...(config.assets && {
      assets: { ...config.assets, directory: `../../${config.assets.directory}` },
    }),
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      migrations_dir: `../../${database.migrations_dir ?? 'migrations'}`,
    })),
  });
}

export const deployCommand = command({
  command: 'deploy',
  describe:
    'Create or update the deployed service; after a failure at any step, it can be repeated',
  options: {
    location: {
      ...choice(
        Object.keys(LOCATIONS),
        'Where to create the database: required once, and cannot be changed later',
      ),
      conflicts: 'jurisdiction',
    },
    jurisdiction: text(
      'Instead of a location: the jurisdiction in which data are stored and processed',
    ),
    domain: text(
      'Serve it at this domain, whose zone is in the Cloudflare account; later deployments keep it',
    ),
    databases: number(
      1,
      'How many databases to have: missing ones are declared in wrangler.toml and created; new accounts go to the emptiest',
      integer(1, MAX_DATABASES),
    ),
    'rotate-keys': flag(
      'Sign access tokens with a new key; those of the previous key stay valid until they expire',
    ),
    'rotate-operator-key': flag(
      "Replace the operator's key; the former one stays valid until the next replacement",
    ),
  },
  async run({ location, jurisdiction, domain, databases, json, ...args }, context) {
    if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain)) {
      throw usageFailure(`--domain must be a name such as feeds.example.com: ${domain}`);
    }
    for (const script of ['types', 'build']) runScript(script);
    noteChange();
    // The types of the bindings, which the next deployment compares with wrangler.toml, then have the new databases too.
    if (await declareDatabases(CONFIG, databases)) runScript('bindings');
    const isAsked = (location ?? jurisdiction) !== undefined;
    const asked = {
      location: isAsked ? { location, jurisdiction } : undefined,
      domain: domain?.toLowerCase(),
      rotateKeys: args['rotate-keys'],
      rotateOperatorKey: args['rotate-operator-key'],
    };
    const deployed = await deploy(asked, {
      config: CONFIG,
      directory: context.directory,
      print: (line) => context.err(`${line}\n`),
      wrangler: (args) => runWrangler(args, '', !json),
    });
    return { json: { worker: deployed.worker, origin: deployed.origin }, text: deployed.next };
  },
});

function runScript(script: string): void {
  const { status } = spawnSync('npm', ['run', '-s', script], { stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new Failure('not_built', `Nothing was deployed: npm run ${script} failed.`);
}

/**
 * Declares further databases in `wrangler.toml`, up to a number, so that later deployments and commands know them, too.
 *
 * @returns whether any was missing
 */
export async function declareDatabases(path: string, count: number): Promise<boolean> {
  const { d1_databases: declared } = await readConfig(path);
  const { database_name: name, migrations_dir: migrations = 'migrations' } = declared[0]!;
  const table = process.env.CLOUDFLARE_ENV
    ? `env.${process.env.CLOUDFLARE_ENV}.d1_databases`
    : 'd1_databases';
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
