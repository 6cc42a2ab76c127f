import type { Context, Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { auth } from 'hono/utils/basic-auth';
import type { AppEnv } from '../env.ts';
import { accountCodeIn, type Credentials, isAccountCode } from '../feed/request/credentials.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import { ProblemError, tooManyRequests } from '../problem.ts';
import { checkLimited, LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';

/** The environment of a handler behind {@link requireFeedAccess}. */
export interface FeedAccessEnv<Value> {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { granted: Value };
}

/** Who has access to an operation; each check gives what its handler needs to know, or `null` if it is denied. */
interface FeedAccess<Value> {
  readonly scope: Scope;
  /** What is wrong with other credentials. */
  readonly detail: string;
  readonly ofClient: (c: Context<AppEnv>, accountId: number) => Promise<Value | null>;
  readonly ofFeed: (c: Context<AppEnv>, credentials: Credentials) => Promise<Value | null>;
  /** Whether this isolate has checked these credentials before. */
  readonly isVerified: (credentials: Credentials) => boolean;
}

/**
 * Middleware that requires credentials of feeds by Basic, or an access token, and sets `granted`.
 *
 * @throws ProblemError if they are wrong
 * @throws DependencyUnavailable if D1 or the issuer fails
 */
export function requireFeedAccess<Value extends object>(access: FeedAccess<Value>) {
  const withToken = requireScope(access.scope);
  const middleware = createMiddleware<FeedAccessEnv<Value>>(async (c, next) => {
    const grant = async (granted: Value | null, proceed: Next) => {
      if (granted === null) throw denied(access.detail);
      c.set('granted', granted);
      return proceed();
    };
    const shared = c as unknown as Context<CallerEnv>;
    if (/^Basic( |$)/i.test(c.req.header('Authorization') ?? '')) return grant(await checked(shared, access), next);
    return withToken(shared, async () =>
      grant(await access.ofClient(shared as never, shared.var.caller.accountId), next),
    );
  });
  return Object.assign(middleware, { security: [{ feedBasic: [] }, ...withToken.security] });
}

async function checked<Value>(c: Context<CallerEnv>, access: FeedAccess<Value>): Promise<Value | null> {
  const { username = '', password = '' } = auth(c.req.raw) ?? {};
  const account = accountCodeIn(username) ?? '';
  if (!isAccountCode(account)) return null;
  c.set('account', account);
  const credentials = { account, password };
  let granted: Value | null = null;
  const check = async () => {
    granted = await access.ofFeed(c as never, credentials);
    return { kind: granted === null ? 'denied' : 'authorized' };
  };
  const limited = { env: c.env, request: c.req.raw, subject: `feed:${account}` };
  const { kind } = access.isVerified(credentials) ? await check() : await checkLimited(limited, check);
  if (kind === 'too many attempts') throw tooManyRequests(LIMIT_PERIOD_SECONDS);
  return granted;
}

function denied(detail: string): ProblemError {
  const challenge = { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' };
  return new ProblemError({ code: 'bad_credentials', detail }, challenge);
}
