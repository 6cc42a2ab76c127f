import { connect } from '../cloudflare/api.ts';
import { readConfig, type WranglerConfig, writeDerived } from '../cloudflare/config.ts';
import { WranglerFailure } from '../cloudflare/wrangler.ts';
import { temporaryFile } from '../command/files.ts';
import { deployLine, PROGRAM } from '../command/lines.ts';
import { PRODUCTION, readServices, rememberService } from '../service/find.ts';
import { OPERATOR_KEY, OPERATOR_KEY_OLD } from '../setup/secrets.ts';
import { atDomain, checkSubdomain, isOnWorkersDev, originOf } from './address.ts';
import type { DeployContext } from './context.ts';
import { applyMigrations, checkDirectory, databasesIn } from './databases.ts';
import { type Location, placementOf, provide } from './resources.ts';
import { newSecrets, type Rotation } from './secrets.ts';

/** What is asked of a deployment. */
export interface Asked extends Rotation {
  /** Where the database is created. */
  readonly location?: Location | undefined;
  /** The custom domain. */
  readonly domain?: string | undefined;
  /** Whether the domain may be taken from another Worker or a DNS record. */
  readonly force?: boolean | undefined;
}

/**
 * Deploys the Worker of a project: creates what it needs and does not exist, applies migrations,
 * generates secrets that it lacks, and uploads the Worker. It can be repeated after a failure at
 * any step, and never creates demo data. The address and the operator's key are remembered for
 * other commands.
 *
 * @returns its name; where it is served; and what to do next, as text
 */
export async function deploy(asked: Asked, context: DeployContext) {
  const { config: source, directory } = context;
  const read = await readConfig(source);
  const cloudflare = await connect(read.account_id);
  const served = await atDomain(read, asked.domain, asked.force ?? false, cloudflare);
  if (isOnWorkersDev(served)) await checkSubdomain(cloudflare, source);
  const origin = await originOf(served, source, cloudflare);
  const { config: existing, database } = await provide(
    served,
    asked.location,
    cloudflare,
    context.print,
  );
  const placement = await placementOf(
    existing,
    database,
    asked.location,
    cloudflare,
    context.print,
  );
  const complete = { ...existing, placement, account_id: cloudflare.accountId };
  const config = await writeDeployConfig(source, complete);
  const databases = databasesIn(existing, source, cloudflare);
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
  await upload(complete, secrets, context);
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

/** Milliseconds of CPU that an invocation may take: the most there is. An import of 100 MB takes seconds. */
const CPU_MS = 300_000;

/** Cloudflare's error for such a limit on the free plan, which has 10 ms. */
const NO_CPU_LIMIT = 100_328;

/**
 * Uploads the Worker with new secrets, so that it is never served without them. Nothing tells
 * beforehand which plan an account has, except to those who may read its subscriptions.
 */
async function upload(
  config: WranglerConfig,
  secrets: Readonly<Record<string, string>>,
  { config: source, print, wrangler }: DeployContext,
): Promise<void> {
  using file = await temporaryFile('secrets.json', JSON.stringify(secrets));
  const given = Object.keys(secrets).length === 0 ? [] : ['--secrets-file', file.path];
  const send = async (content: WranglerConfig) => {
    const path = await writeDeployConfig(source, content);
    await wrangler(['deploy', '--config', path, ...given]);
  };
  if (config.limits !== undefined) return send(config);
  try {
    await send({ ...config, limits: { cpu_ms: CPU_MS } });
  } catch (error) {
    if (!(error instanceof WranglerFailure) || error.apiCode !== NO_CPU_LIMIT) throw error;
    print('The account has the free plan: an invocation may take 10 ms of CPU.');
    await send(config);
  }
}

/**
 * Writes the configuration that wrangler deploys, with paths relative to its own directory, and
 * returns its path.
 */
function writeDeployConfig(source: string, config: WranglerConfig): Promise<string> {
  return writeDerived(source, 'deploy', {
    ...config,
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
