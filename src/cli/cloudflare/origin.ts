import { CONFIG } from '../platform/open.ts';
import { connect } from './api.ts';
import { readProject } from './config.ts';

/** Where `npm start` serves unless it is given a port. */
const LOCAL_ORIGIN = 'http://localhost:8787';

/**
 * Where the service is served: locally, or as deployed, at its own domain or else below workers.dev.
 *
 * @throws Failure if it must be looked up in a Cloudflare account that cannot be accessed
 */
export async function serviceOrigin(remote: boolean): Promise<string> {
  if (!remote) return LOCAL_ORIGIN;
  const { name, accountId, origin } = await readProject(CONFIG);
  if (origin !== undefined) return origin;
  const cloudflare = await connect(accountId);
  const { subdomain } = await cloudflare.get<{ subdomain: string }>('/workers/subdomain');
  return `https://${name}.${subdomain}.workers.dev`;
}
