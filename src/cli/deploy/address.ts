import { basename } from 'node:path';
import { type Cloudflare, unlessMissing } from '../cloudflare/api.ts';
import type { WranglerConfig } from '../cloudflare/config.ts';
import { Failure } from '../command/failure.ts';
import { deployLine } from '../command/lines.ts';

/** The configuration with a custom domain: the requested one, or else the last deployment's. */
export async function atDomain(
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
export async function checkSubdomain(cloudflare: Cloudflare, config: string): Promise<void> {
  if ((await cloudflare.get('/workers/subdomain').catch(unlessMissing)) !== undefined) return;
  throw new Failure(
    'no_subdomain',
    'The Cloudflare account has no workers.dev subdomain yet. Claim one (it is free) at ' +
      `https://dash.cloudflare.com/${cloudflare.accountId}/workers/onboarding and repeat: ${deployLine()}\n` +
      `Or serve the Worker at a domain of your own: ${deployLine('--domain feeds.example.com')}, or routes in ${basename(config)}.`,
  );
}

/**
 * Whether the Worker is served at an address below workers.dev: by default, unless it has its own
 * address.
 */
export function isOnWorkersDev({ workers_dev, route, routes }: WranglerConfig): boolean {
  return workers_dev ?? (route === undefined && !routes?.length);
}

/**
 * Where the Worker is served, if the configuration states it: `PUBLIC_ORIGIN`, or its first custom
 * domain.
 */
export function configuredOrigin({ vars, routes }: WranglerConfig): string | undefined {
  const domain = routes?.find(({ custom_domain }) => custom_domain)?.pattern;
  return vars?.PUBLIC_ORIGIN ?? (domain === undefined ? undefined : `https://${domain}`);
}

async function deployedDomain(worker: string, cloudflare: Cloudflare): Promise<string | undefined> {
  const domains = await cloudflare.get<{ hostname: string; service: string }[]>(
    `/workers/domains?service=${worker}`,
  );
  return domains.find(({ service }) => service === worker)?.hostname;
}

/** Where the Worker is served. @throws Failure if the configuration does not tell */
export async function originOf(
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
