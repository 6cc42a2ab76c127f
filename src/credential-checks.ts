import type { Env } from './env.ts';

/** Seconds over which `wrangler.toml` has checks of credentials counted. */
export const CHECK_PERIOD = 60;

/**
 * Whether the caller's address may check more credentials of one account or client. A limiter that fails is reported and
 * allows the check: it must not take the service down with it.
 *
 * @param subject whose credentials are presented, such as `feed:DEMO`
 */
export async function mayCheck(
  env: Env,
  request: Request,
  subject: string,
  report: (error: unknown) => void,
): Promise<boolean> {
  try {
    const key = `${subject}:${request.headers.get('CF-Connecting-IP') ?? ''}`;
    return (await env.CREDENTIAL_CHECKS.limit({ key })).success;
  } catch (error) {
    report(error);
    return true;
  }
}
