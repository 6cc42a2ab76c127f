import type { Env } from './env.ts';
import { boundedCache } from './lib/bounded-cache.ts';
import { networkOf } from './lib/http/network.ts';
import { describeError, log } from './lib/log.ts';
import { Slots } from './lib/time/slots.ts';
import type { EpochMilliseconds } from './lib/time/time.ts';
import { ProblemError } from './problem.ts';

/** The period of all limits in `wrangler.toml`, in seconds. */
export const LIMIT_PERIOD_SECONDS = 60;

/** Maximum concurrent credential checks per network: bounds how many guesses slip through before the first failure counts. */
const MAX_SIMULTANEOUS = 8;

/** A check that takes longer (ms) is treated as abandoned. */
const MAX_CHECK_MS = 5_000;

/** Networks with too many failed checks, and until when this isolate refuses to run more of them. */
const blocked = boundedCache<number>({ maxBytes: 2_000_000, valueBytes: 10 });

const slots = boundedCache<Slots>({ maxBytes: 1_000_000, valueBytes: 800 });

interface Attempt {
  readonly env: Env;
  readonly request: Request;
  /** Whose credentials they are, such as `feed:DEMO`. */
  readonly subject: string;
  /** Whether this isolate has verified the credentials: then the check is not limited. */
  readonly isVerified?: () => boolean;
}

/**
 * Checks credentials, without limits if this isolate has verified them before. Otherwise checks are limited per subject and
 * address, and failed checks per address, so a portal that reads the feeds of many accounts with the right passwords is never
 * limited.
 *
 * @param check its verdict is `denied` for wrong credentials
 */
export async function checkLimited<Verdict extends { readonly kind: string }>(
  { env, request, subject, isVerified = () => false }: Attempt,
  check: () => Promise<Verdict>,
): Promise<Verdict | typeof TOO_MANY> {
  if (isVerified()) return check();
  const key = `${subject}:${networkOfCaller(request) ?? ''}`;
  // In a burst, a request that came before may have verified them while this one waited.
  return checkLimitedByAddress(env, request, async () =>
    isVerified() || (await isWithinLimit(env.CREDENTIAL_CHECKS, key)) ? check() : TOO_MANY,
  );
}

/** Like {@link checkLimited}, for tokens and sessions: limited only by failures from the caller's network. */
export async function checkLimitedByAddress<Verdict extends { readonly kind: string }>(
  env: Env,
  request: Request,
  check: () => Promise<Verdict>,
): Promise<Verdict | typeof TOO_MANY> {
  const network = networkOfCaller(request);
  if (network === null) return check();
  const ofNetwork = slots.get(network) ?? new Slots(MAX_SIMULTANEOUS, MAX_CHECK_MS);
  slots.set(network, ofNetwork);
  const lease = await ofNetwork.acquire();
  try {
    if (isBlocked(request)) return TOO_MANY;
    const verdict = await check();
    if (verdict.kind === 'denied' && !(await isWithinLimit(env.ADDRESS_CHECKS, network))) {
      blocked.set(network, Date.now() + LIMIT_PERIOD_SECONDS * 1_000);
    }
    return verdict;
  } finally {
    lease.release();
  }
}

/**
 * Whether too many checks of a caller's network have failed: this isolate then runs no more of them
 * for a minute.
 */
export function isBlocked(request: Request): boolean {
  return Date.now() < blockedUntil(request);
}

function blockedUntil(request: Request): EpochMilliseconds {
  const network = networkOfCaller(request);
  return network === null ? 0 : (blocked.get(network) ?? 0);
}

/**
 * Seconds after which a caller whose credentials were not checked can try again: while its network is blocked, until that ends;
 * otherwise the whole period, of which nobody knows when it began.
 */
export function retryAfter(request: Request): number {
  const rest = Math.ceil((blockedUntil(request) - Date.now()) / 1_000);
  return rest > 0 ? rest : LIMIT_PERIOD_SECONDS;
}

const TOO_MANY = { kind: 'too many attempts' } as const;

/** `null` without an address, which Cloudflare always sets: all callers would share one limit. */
function networkOfCaller(request: Request): string | null {
  const address = request.headers.get('CF-Connecting-IP');
  return address === null ? null : networkOf(address);
}

/**
 * Whether the clients of an account may make further updates: together, they get a bounded share of the database's time.
 *
 * @param updates how many units or properties the request changes
 */
export async function mayUpdate(
  env: Env,
  { accountId }: { accountId: number },
  updates: number,
): Promise<boolean> {
  const key = String(accountId);
  const allowed = await Promise.all(
    Array.from({ length: updates }, () => isWithinLimit(env.UPDATES, key)),
  );
  return allowed.every(Boolean);
}

/** Changes of units and properties that an account may make in a period, as `wrangler.toml` says. */
export const UPDATES_LIMIT = 3_000;

/**
 * The headers of the IETF's draft (draft-ietf-httpapi-ratelimit-headers) for changes beyond the limit. The binding tells neither
 * what is left before that nor when its period began: so nothing is said before, and the whole period then.
 */
export const UPDATES_EXCEEDED = {
  'RateLimit-Policy': `"updates";q=${UPDATES_LIMIT};w=${LIMIT_PERIOD_SECONDS}`,
  RateLimit: `"updates";r=0;t=${LIMIT_PERIOD_SECONDS}`,
};

/** The error of a caller that has exceeded a limit (RFC 6585 section 4). @param more headers */
export function tooManyRequests(
  seconds: number,
  more: Readonly<Record<string, string>> = {},
): ProblemError {
  const problem = {
    code: 'too_many_requests',
    detail: `Retry after ${seconds} seconds.`,
  } as const;
  return new ProblemError(problem, { ...more, 'Retry-After': String(seconds) });
}

/** A limiter that fails allows everything: it must not take the service down with it. */
export async function isWithinLimit(limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    log('error', 'rate_limiter.failed', { error: describeError(error) });
    return true;
  }
}
