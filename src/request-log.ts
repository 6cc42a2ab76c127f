import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { getPath } from 'hono/utils/url';
import type { AppEnv, Env } from './env.ts';
import { log } from './lib/log.ts';

/** The values of a log line besides method, path, status and duration. */
export interface RequestFacts {
  readonly interface: 'feed' | 'oauth' | 'units' | 'other';
  /** The code of a feed's account, or the id of a client's account. */
  readonly account?: string | number;
  readonly client?: string;
  /** The name of the reader whose key requested a feed. */
  readonly reader?: string;
  /** For a feed: cache status, number of parts, and how many of them were cached. */
  readonly cache?: 'not modified' | 'hit' | 'partial' | 'miss';
  readonly parts?: number;
  readonly cachedParts?: number;
  /** The revisions of sale and rental feeds. */
  readonly revision?: string;
  /** Milliseconds per step. The platform's clock advances only while the Worker waits for I/O. */
  readonly steps?: Readonly<Record<string, number>>;
}

/** A request's id in the log, and in the `X-Request-Id` of its response. */
export function newRequestId(): string {
  return crypto.randomUUID();
}

/** The id of a request that a route handles. */
export function requestId<Env extends AppEnv>(c: Context<Env>): string {
  const known = c.get('requestId');
  if (known !== undefined) return known;
  const id = newRequestId();
  c.set('requestId', id);
  return id;
}

/**
 * Writes the log line of a request, never with its query, which contains a password, and adds its id and its duration to
 * the response.
 *
 * @param startedAt when the request arrived, in milliseconds since 1970-01-01 UTC
 */
export function logResponse(
  request: Request,
  response: Response,
  id: string,
  startedAt: number,
  facts: RequestFacts,
): void {
  const milliseconds = Date.now() - startedAt;
  const durations = Object.entries({ ...facts.steps, total: milliseconds });
  response.headers.set('X-Request-Id', id);
  response.headers.set('Server-Timing', durations.map(([name, duration]) => `${name};dur=${duration}`).join(', '));
  const { method } = request;
  // Encoded, even twice, or after a semicolon or an equals sign, text may still be a mistyped query.
  const [path] = getPath(request).split(/%(25)*(3f|26|3b|3d)|[?&;=]/i);
  const bytes = response.headers.get('Content-Length');
  log('info', 'request', {
    requestId: id,
    method,
    path,
    status: response.status,
    milliseconds,
    ...(bytes === null ? {} : { bytes: Number(bytes) }),
    ...facts,
  });
}

/** Counts a request in the Analytics Engine dataset, if one is bound. */
export function countRequest(env: Env, response: Response, startedAt: number, facts: RequestFacts): void {
  env.METRICS?.writeDataPoint({
    indexes: [String(facts.account ?? '')],
    blobs: [facts.interface, String(response.status), facts.cache ?? '', facts.client ?? ''],
    doubles: [
      Date.now() - startedAt,
      Number(response.headers.get('Content-Length') ?? 0),
      facts.parts ?? 0,
      facts.cachedParts ?? 0,
    ],
  });
}

/** One log line and one data point per request. */
export const logged = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now();
  await next();
  const caller = c.get('caller');
  const facts: RequestFacts = {
    interface: interfaceOf(c.req.path),
    ...(caller === undefined ? {} : { account: caller.accountId, client: caller.clientId }),
  };
  logResponse(c.req.raw, c.res, requestId(c), startedAt, facts);
  countRequest(c.env, c.res, startedAt, facts);
});

function interfaceOf(path: string): RequestFacts['interface'] {
  if (path.startsWith('/v1/')) return 'units';
  return path.startsWith('/oauth/') || path.startsWith('/.well-known/') ? 'oauth' : 'other';
}
