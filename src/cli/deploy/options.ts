import { parseArgs } from 'node:util';
import { usageFailure } from '../command/failure.ts';
import { LOCATION_CHOICES, LOCATIONS, type Location } from './location.ts';

/** The options of `npm run deploy`. */
export interface DeployOptions {
  readonly location: Location | undefined;
  /** The custom domain to serve the Worker at. */
  readonly domain: string | undefined;
  /** The environment of `wrangler.toml`; production by default. */
  readonly environment: string | undefined;
  readonly help: boolean;
}

export const USAGE = `npm run deploy -- [--location <code> | --jurisdiction <code>] [--domain <name>] [--env <name>]

Creates or updates the deployed service: its database, KV namespace, queue, bucket, tables, secrets and Worker. It can be
repeated after a failure at any step.

--domain feeds.example.com serves it at a domain of yours, which must be a zone of the same Cloudflare account; later
deployments keep it. --env staging deploys the environment staging of wrangler.toml, a service of its own.

${LOCATION_CHOICES}`;

/** @throws Failure `usage` */
export function parseOptions(args: readonly string[]): DeployOptions {
  const { location, jurisdiction, domain, env, help } = parse(args);
  if (location !== undefined && jurisdiction !== undefined) {
    throw usageFailure('Choose --location or --jurisdiction, not both: a jurisdiction includes a location.');
  }
  if (location !== undefined && !Object.hasOwn(LOCATIONS, location)) {
    throw usageFailure(`Invalid location: ${location}.\n\n${LOCATION_CHOICES}`);
  }
  if (domain !== undefined && !/^([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(domain)) {
    throw usageFailure(`--domain must be a name such as feeds.example.com: ${domain}`);
  }
  return {
    location: location !== undefined ? { location } : jurisdiction !== undefined ? { jurisdiction } : undefined,
    domain: domain?.toLowerCase(),
    environment: env,
    help: help ?? false,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { location: text, jurisdiction: text, domain: text, env: text, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw usageFailure(`${(error as Error).message}\n\n${USAGE}`);
  }
}
