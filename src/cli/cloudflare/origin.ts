import { type Cloudflare, connect } from './api.ts';
import { CONFIG, configuredOrigin, readConfig } from './config.ts';

/** Where `npm start` serves unless it is given a port. */
const LOCAL_ORIGIN = 'http://localhost:8787';

/**
 * Where the service is served: locally, or as deployed, at its own domain or else below workers.dev.
 *
 * @throws Failure if it must be looked up in a Cloudflare account that cannot be accessed
 */
export async function serviceOrigin(remote: boolean): Promise<string> {
  if (!remote) return LOCAL_ORIGIN;
  const config = await readConfig(CONFIG);
  const origin = configuredOrigin(config);
  if (origin !== undefined) return origin;
  const cloudflare = await connect(config.account_id);
  const domain = await deployedDomain(config.name, cloudflare);
  if (domain !== undefined) return `https://${domain}`;
  const { subdomain } = await cloudflare.get<{ subdomain: string }>('/workers/subdomain');
  return `https://${config.name}.${subdomain}.workers.dev`;
}

/** The custom domain of a deployed Worker, if it has one. */
export async function deployedDomain(worker: string, cloudflare: Cloudflare): Promise<string | undefined> {
  const domains = await cloudflare.get<{ hostname: string; service: string }[]>(`/workers/domains?service=${worker}`);
  return domains.find(({ service }) => service === worker)?.hostname;
}
