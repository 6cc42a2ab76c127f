import { basename } from 'node:path';
import { ApiFailure, type Cloudflare, unlessMissing } from '../cloudflare/api.ts';
import type { WranglerConfig } from '../cloudflare/config.ts';
import { Failure } from '../command/failure.ts';
import { deployLine } from '../command/lines.ts';

/**
 * The configuration with the requested custom domain, which becomes the origin of the service, and
 * with all others that the Worker has: wrangler would detach them.
 *
 * @param force whether domains may be taken from other Workers, and DNS records replaced
 * @throws Failure if a domain is in use: without a terminal, wrangler would not ask
 */
export async function atDomain(
  config: WranglerConfig,
  asked: string | undefined,
  force: boolean,
  cloudflare: Cloudflare,
): Promise<WranglerConfig> {
  const { name: worker, routes: stated = [], vars } = config;
  // Without routes, wrangler leaves domains as they are.
  if (asked === undefined && configuredOrigin(config) !== undefined && stated.length === 0)
    return config;
  const domains = await cloudflare.get<Domain[]>('/workers/domains');
  const own = domains.filter(({ service }) => service === worker).map(({ hostname }) => hostname);
  const declared = stated.flatMap(({ custom_domain, pattern }) =>
    custom_domain ? [pattern!] : [],
  );
  const added = [asked ?? [], own].flat().filter((domain) => !declared.includes(domain));
  const routes = [...new Set(added)].map((pattern) => ({ pattern, custom_domain: true }));
  const taken = [...declared, ...added].filter((domain) => !own.includes(domain));
  if (!force) for (const domain of taken) await checkFree(domain, domains, worker, cloudflare);
  const origin =
    asked ??
    (await lastOrigin(worker, own, cloudflare)) ??
    (configuredOrigin(config) === undefined ? own[0] : undefined);
  return {
    ...config,
    ...(routes.length > 0 && { routes: [...stated, ...routes] }),
    // Tokens are then valid at every address of the service.
    ...(origin !== undefined && { vars: { PUBLIC_ORIGIN: `https://${origin}`, ...vars } }),
  };
}

interface Domain {
  readonly hostname: string;
  readonly service: string;
}

/** The domain that the last deployment made the origin. */
async function lastOrigin(
  worker: string,
  own: readonly string[],
  cloudflare: Cloudflare,
): Promise<string | undefined> {
  if (own.length === 0) return undefined;
  type Settings = { bindings?: { name: string; text?: string }[] };
  const path = `/workers/scripts/${worker}/settings`;
  const settings = await cloudflare.get<Settings>(path).catch(unlessMissing);
  const origin = settings?.bindings?.find(({ name }) => name === 'PUBLIC_ORIGIN')?.text;
  return own.find((domain) => origin === `https://${domain}`);
}

/** @throws Failure if another Worker or a DNS record has a domain, or if this cannot be known */
async function checkFree(
  domain: string,
  domains: readonly Domain[],
  worker: string,
  cloudflare: Cloudflare,
): Promise<void> {
  const refused = (code: string, reason: string) =>
    new Failure(code, `Nothing was deployed. ${reason} To take it over, repeat it with --force.`);
  const other = domains.find(({ hostname }) => hostname === domain)?.service;
  if (other !== undefined)
    throw refused('domain_in_use', `${domain} is a domain of the Worker ${other}.`);
  let hasRecord: boolean;
  try {
    hasRecord = await conflictsWithRecord(domain, worker, cloudflare).catch((error) => {
      if (!(error instanceof ApiFailure)) throw error;
      return isInZone(domain, cloudflare);
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refused(
      'domain_unknown',
      `Whether ${domain} has a DNS record cannot be read (${error.message}); ` +
        'the permission "DNS: Read" of its zone allows it.',
    );
  }
  if (hasRecord) throw refused('domain_in_use', `${domain} has a DNS record.`);
}

/** What wrangler asks before it publishes a domain. It fails if the Worker does not exist yet. */
async function conflictsWithRecord(
  hostname: string,
  worker: string,
  cloudflare: Cloudflare,
): Promise<boolean> {
  const path = `/workers/scripts/${worker}/domains/changeset?replace_state=true`;
  const { conflicting } = await cloudflare.post<{ conflicting: object[] }>(path, [{ hostname }]);
  return conflicting.length > 0;
}

/** Whether the zone of a domain has a record of its name. */
async function isInZone(domain: string, cloudflare: Cloudflare): Promise<boolean> {
  const labels = domain.split('.');
  for (let from = 0; from < labels.length - 1; from++) {
    const name = labels.slice(from).join('.');
    const [zone] = await cloudflare.getOutside<{ id: string }[]>(`/zones?name=${name}`);
    if (zone === undefined) continue;
    const path = `/zones/${zone.id}/dns_records?name=${domain}`;
    return (await cloudflare.getOutside<object[]>(path)).length > 0;
  }
  // Wrangler then says that the account has no such zone.
  return false;
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
