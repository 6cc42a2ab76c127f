import type { Context } from 'hono';
import type { AppEnv } from './env.ts';

/** Seconds over which `wrangler.toml` has checks of credentials counted. */
export const CHECK_PERIOD = 60;

/**
 * Whether the caller's address may still try credentials of one account or client. A limiter that fails is reported and
 * lets pass: it must not take the service down with it.
 *
 * @param whose what is tried, as `feed:DEMO`
 */
export async function mayCheck(
  c: Context<AppEnv>,
  whose: string,
  report: (failure: unknown) => void,
): Promise<boolean> {
  try {
    const key = `${whose}:${c.req.header('CF-Connecting-IP') ?? ''}`;
    return (await c.env.CREDENTIAL_CHECKS.limit({ key })).success;
  } catch (error) {
    report(error);
    return true;
  }
}
