import { auth } from 'hono/utils/basic-auth';
import { parse } from 'hono/utils/cookie';
import { decodeJwt } from 'jose';
import { isAccountCode, type Owner } from './accounts/directory.ts';
import {
  AccountMoving,
  environmentFor,
  failing,
  isListed,
  writableEnvironmentFor,
} from './accounts/environments.ts';
import { parseSession, SESSION_COOKIE } from './console/session/claim.ts';
import type { Env } from './env.ts';
import { accountCodeIn, credentialsOf } from './feed/request/credentials.ts';
import { readQuery } from './feed/request/query.ts';
import { isFeedRequest } from './feed/route.ts';
import { describeError, log } from './lib/log.ts';
import { isOperatorKey } from './oauth/operator-key.ts';
import { isBlocked } from './rate-limits.ts';

/** The statuses with which a database rejects requests for an account that it no longer has. */
const REJECTED = [401, 403, 404, 503];

/** The methods of requests that change nothing. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Handles a request in the environment of its account's database. While the account is being moved, a request that may change
 * something gets the 503 of its interface. A database from which an account has been moved rejects its requests, so a request
 * that is rejected is handled again if the directory now names another.
 *
 * @param env of the first database
 */
export async function inItsDatabase(
  request: Request,
  env: Env,
  handle: (env: Env) => Response | Promise<Response>,
): Promise<Response> {
  const owner = ownerOf(request, env);
  if (owner === null || isRefused(request, env, owner)) return handle(env);
  const isSafe = SAFE_METHODS.includes(request.method) || isFeedRequest(request);
  const lookUp = isSafe ? environmentFor : writableEnvironmentFor;
  let found: Env;
  try {
    found = await lookUp(env, owner);
  } catch (error) {
    return handle(failingWith(error, env));
  }
  const response = await handle(found);
  if (!REJECTED.includes(response.status)) return response;
  const current = await lookUp(env, owner, 0).catch((error: unknown) => failingWith(error, env));
  // A request whose body has been read is repeated by its sender: the response is a 503 with Retry-After.
  return current === found || request.bodyUsed ? response : handle(current);
}

/**
 * Whether a request will be refused anyway, after too many wrong credentials: it causes no look-up
 * in the directory.
 */
function isRefused(request: Request, env: Env, owner: Owner): boolean {
  return isBlocked(request) && !isListed(owner) && !isOperatorKey(env, bearerToken(request));
}

/** The environment for a request whose database is not known, or refuses it. */
function failingWith(error: unknown, env: Env): Env {
  if (!(error instanceof AccountMoving))
    log('error', 'directory.failed', { error: describeError(error) });
  return failing(env, error);
}

/**
 * Whom a request claims to come from, which its handler verifies; `null` for one that names nobody, or only in its body: the
 * handlers of those look up the database themselves.
 */
function ownerOf(request: Request, env: Env): Owner | null {
  const { TOKEN_ACCOUNT_CLAIM, TOKEN_ISSUER } = env;
  if (isFeedRequest(request)) {
    const query = readQuery(request);
    return accountOf(
      'errors' in query ? undefined : credentialsOf(request, query.credentials)?.account,
    );
  }
  const authorization = request.headers.get('Authorization') ?? '';
  if (/^Basic /i.test(authorization))
    return accountOf(accountCodeIn(auth(request)?.username ?? ''));
  const token = bearerToken(request);
  if (token === '') {
    const session = parse(request.headers.get('Cookie') ?? '', SESSION_COOKIE)[SESSION_COOKIE];
    return accountOf(parseSession(session ?? '')?.account);
  }
  if (isOperatorKey(env, token)) {
    return accountOf((new URL(request.url).searchParams.get('account') ?? '').toUpperCase());
  }
  try {
    const claims = decodeJwt(token);
    if (TOKEN_ISSUER)
      return accountOf(String(claims[TOKEN_ACCOUNT_CLAIM || 'account']).toUpperCase());
    return typeof claims.client_id === 'string' ? { kind: 'client', name: claims.client_id } : null;
  } catch {
    return null;
  }
}

/** The token of a request; empty for none. */
function bearerToken({ headers }: Request): string {
  return /^Bearer (.*)/i.exec(headers.get('Authorization') ?? '')?.[1]?.trim() ?? '';
}

function accountOf(code: string | undefined): Owner | null {
  return code !== undefined && isAccountCode(code) ? { kind: 'account', name: code } : null;
}
