import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Failure, usageFailure } from '../command/failure.ts';
import { replaceFile } from '../command/files.ts';
import { deployLine } from '../command/lines.ts';
import type { Service } from './client.ts';

/** Which service a command line means. */
export interface ServiceArguments {
  readonly url?: string | undefined;
  readonly env?: string | undefined;
}

/** Where `npm start` serves unless it is told otherwise. */
const LOCAL = 'http://localhost:8787';

/** The file that wrangler reads a Worker's settings from in development. */
export const SETTINGS_FILE = '.dev.vars';

/** The file with the services that have been deployed from this directory. */
export const SERVICES_FILE = '.lindero.json';

/** The environment of `wrangler.toml` that has no name. */
export const PRODUCTION = 'production';

/** The deployed services by their environments. */
type Services = Readonly<Record<string, { readonly url: string; readonly key: string }>>;

/**
 * The service that a command works on: that of `--env` or of `--url`, of `LINDERO_URL`, or else the
 * one that `npm start` serves. A key goes to no other address than the one that it is for: that of
 * a deployment to its own, and `LINDERO_OPERATOR_KEY`, beside `LINDERO_URL`, to that one.
 *
 * @throws Failure if the service is not known, or there is no key for it
 */
export async function findService(
  directory: string,
  { url, env }: ServiceArguments,
  variables: NodeJS.ProcessEnv = process.env,
): Promise<Service> {
  // A variable that is empty is not set: so CI writes one that it does not have.
  const LINDERO_URL = variables.LINDERO_URL || undefined;
  const LINDERO_OPERATOR_KEY = variables.LINDERO_OPERATOR_KEY || undefined;
  const services = await readServices(directory);
  if (env !== undefined) {
    if (url !== undefined) throw usageFailure('--env and --url contradict each other.');
    const named = services[env];
    if (named !== undefined) return serviceAt(named.url, named.key);
    const line = deployLine('', env === PRODUCTION ? '' : env);
    throw new Failure('not_deployed', `${SERVICES_FILE} has no service ${env}. Deploy it: ${line}`);
  }
  const { origin, isLocal } = serviceAt(url ?? LINDERO_URL ?? LOCAL, '');
  const deployed = Object.values(services).find((service) => service.url === origin);
  const isMeant = LINDERO_URL === undefined || serviceAt(LINDERO_URL, '').origin === origin;
  const given = isMeant ? LINDERO_OPERATOR_KEY : undefined;
  const local = isLocal ? (await readSettings(directory)).OPERATOR_KEY : undefined;
  const key = deployed?.key ?? given ?? local;
  if (key !== undefined && key !== '') return { origin, key, isLocal };
  const remedy = isLocal
    ? `Run npm start, which writes it to ${SETTINGS_FILE}`
    : `Set LINDERO_OPERATOR_KEY, or deploy from this directory, which writes it to ${SERVICES_FILE}`;
  throw new Failure('no_key', `There is no operator's key for ${origin}. ${remedy}.`);
}

function serviceAt(text: string, key: string): Service {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw usageFailure(`Not an http(s) address: ${text}`);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return { origin: url.origin, key, isLocal };
}

export async function readServices(directory: string): Promise<Services> {
  const text = await readIfExists(join(directory, SERVICES_FILE));
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Failure('bad_services', `${SERVICES_FILE} is not JSON.`);
  }
}

/** Remembers a deployed service in a file that only its owner can read. */
export async function rememberService(
  directory: string,
  env: string,
  service: Services[string],
): Promise<void> {
  const all = { ...(await readServices(directory)), [env]: service };
  await replaceFile(join(directory, SERVICES_FILE), `${JSON.stringify(all, null, 2)}\n`);
}

/** The settings of the Worker in development. */
export async function readSettings(directory: string): Promise<NodeJS.Dict<string>> {
  return parseEnv(await readIfExists(join(directory, SETTINGS_FILE)));
}

export async function readIfExists(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
