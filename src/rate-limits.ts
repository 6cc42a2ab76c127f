import type { Env } from './env.ts';
import { describeError, log } from './lib/log.ts';
import { networkOf } from './lib/network.ts';

/** The period of all limits in `wrangler.toml`, in seconds. */
export const LIMIT_PERIOD = 60;

/**
 * Whether a caller may have credentials checked that this isolate has not verified: limited per address, and per address
 * and subject.
 *
 * @param subject whose credentials they are, such as `feed:DEMO`; `null` if that is not known before the check
 */
export async function mayCheck(env: Env, request: Request, subject: string | null): Promise<boolean> {
  const address = request.headers.get('CF-Connecting-IP');
  const network = address === null ? '' : networkOf(address);
  const [ofAddress, ofSubject] = await Promise.all([
    // Cloudflare always sets the address. Without it, all callers would share one limit.
    address === null || isAllowed(env.ADDRESS_CHECKS, network),
    subject === null || isAllowed(env.CREDENTIAL_CHECKS, `${subject}:${network}`),
  ]);
  return ofAddress && ofSubject;
}

/** Whether a client whose secret is verified may have another token. */
export function mayIssueToken(env: Env, clientId: string): Promise<boolean> {
  return isAllowed(env.TOKENS, clientId);
}

/**
 * Whether a client may update units again.
 *
 * @param transactions how many the request takes
 */
export async function mayUpdate(
  env: Env,
  { accountId, clientId }: { readonly accountId: number; readonly clientId: string },
  transactions: number,
): Promise<boolean> {
  const key = `${accountId}:${clientId}`;
  const allowed = await Promise.all(Array.from({ length: transactions }, () => isAllowed(env.UPDATES, key)));
  return allowed.every(Boolean);
}

/** A limiter that fails allows everything: it must not take the service down with it. */
async function isAllowed(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    log('warn', 'rate limiter failed', { error: describeError(error) });
    return true;
  }
}
