import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { getPath } from 'hono/utils/url';
import type { AppEnv, Env, ErrorFormat, InterfaceName } from './env.ts';
import { log } from './lib/log.ts';
import type { EpochMilliseconds } from './lib/time/time.ts';

/** Middleware that names the interface of the requests that it sees, and the format of its errors. */
export function serves(name: InterfaceName, format: ErrorFormat = {}) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.set('interface', name);
    c.set('errorFormat', format);
    await next();
  });
}

/**
 * Whether the path of a request may contain a key or a password: in its place, or in a query that
 * was mistyped.
 */
export function hasSecretInPath(request: Request): boolean {
  return /lindero_|^\/feeds\/[^/]*\/[^/]+\/|=|%(25)*3d/i.test(getPath(request));
}

/** The fields of a log line in addition to method, path, status and duration. */
export interface RequestDetails {
  readonly interface: InterfaceName;
  /** The code of a feed's account, or the id of a client's account. */
  readonly account?: string | number;
  readonly client?: string;
  readonly reader?: string;
  /** For a feed: cache status, number of parts, and how many of them were cached. */
  readonly cache?: 'not modified' | 'hit' | 'partial' | 'miss';
  readonly parts?: number;
  readonly cachedParts?: number;
  /** How many parts were built for each reason. */
  readonly missed?: Readonly<Record<string, number>>;
  /** Bytes and records sent; for a streamed feed, once it has ended, and how it ended. */
  readonly bytes?: number;
  readonly records?: number;
  readonly end?: 'complete' | 'aborted' | 'disconnected';
  /** The number of the account's last change. */
  readonly revision?: number;
  /** Milliseconds per step. The platform's clock advances only while the Worker waits for I/O. */
  readonly steps?: Readonly<Record<string, number>>;
}

/**
 * Adds a request's id and its duration to its response.
 *
 * @param startedAt when the request arrived
 * @returns a function that writes its log line, without the query, which can contain a password; call it once the details
 *   are known
 */
export function labelResponse(
  request: Request,
  response: Response,
  id: string,
  startedAt: EpochMilliseconds,
  steps: RequestDetails['steps'],
): (details: RequestDetails) => void {
  const milliseconds = Date.now() - startedAt;
  const durations = Object.entries({ ...steps, total: milliseconds });
  response.headers.set('X-Request-Id', id);
  response.headers.set(
    'Server-Timing',
    durations.map(([name, duration]) => `${name};dur=${duration}`).join(', '),
  );
  const { status } = response;
  const path = getPath(request);
  return (details) =>
    log('info', 'request', {
      requestId: id,
      method: request.method,
      path,
      status,
      milliseconds,
      ...details,
    });
}

/** Counts a request to an interface in the Analytics Engine dataset, if one is bound. */
export function countRequest(
  env: Env,
  response: Response,
  startedAt: number,
  details: RequestDetails,
): void {
  const {
    account = '',
    cache = '',
    client = '',
    missed = {},
    parts = 0,
    cachedParts = 0,
    records = 0,
  } = details;
  const bytes = details.bytes ?? statedLength(response) ?? 0;
  env.METRICS?.writeDataPoint({
    indexes: [String(account)],
    blobs: [details.interface, String(response.status), cache, client, Object.keys(missed).join()],
    doubles: [Date.now() - startedAt, bytes, parts, cachedParts, records],
  });
}

/** The length that a response states, in bytes. */
function statedLength({ headers }: Response): number | undefined {
  const length = headers.get('Content-Length');
  return length === null ? undefined : Number(length);
}

/** Records how long a step of a request took. */
export function recordStep<Env extends AppEnv>(
  c: Context<Env>,
  step: string,
  startedAt: number,
): void {
  c.set('steps', { ...c.get('steps'), [step]: Date.now() - startedAt });
}

/** One log line and one data point per request. */
export const logged = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now();
  await next();
  c.res.headers.set('X-Content-Type-Options', 'nosniff');
  const { caller, account, steps, interface: name = 'other' } = c.var;
  const bytes = statedLength(c.res);
  const details: RequestDetails = {
    interface: name,
    ...(caller && { account: caller.accountId, client: caller.clientId }),
    ...(account && { account }),
    ...(name === 'operator' && { client: 'operator' }),
    ...(steps && { steps }),
    ...(bytes !== undefined && { bytes }),
  };
  labelResponse(c.req.raw, c.res, c.var.requestId, startedAt, steps)(details);
  countRequest(c.env, c.res, startedAt, details);
});
