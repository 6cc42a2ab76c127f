import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { auth } from 'hono/utils/basic-auth';
import { isAccountCode } from '../../accounts/directory.ts';
import type { AppEnv } from '../../env.ts';
import { accountCodeIn, type Credentials } from '../../feed/request/credentials.ts';
import { BASIC_CHALLENGE } from '../../feed/response/errors.ts';
import { BEARER_CHALLENGE, type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import type { Scope } from '../../oauth/scopes.ts';
import { ProblemError } from '../../problem.ts';
import { checkLimited, retryAfter, tooManyRequests } from '../../rate-limits.ts';

/** Who has access to an operation; each check returns what the handler needs to know, or `null` to deny access. */
interface FeedAccess<Value> {
  readonly scope: Scope;
  /** The error for any other credentials. */
  readonly detail: string;
  readonly ofClient: (c: Context<AppEnv>, accountId: number) => Promise<Value | null>;
  readonly ofFeed: (c: Context<AppEnv>, credentials: Credentials) => Promise<Value | null>;
  /** Whether this isolate has checked these credentials before; never unless stated. */
  readonly isVerified?: (credentials: Credentials) => boolean;
}

/**
 * Middleware that requires credentials of feeds by Basic, or an access token, and sets `granted`.
 *
 * @throws ProblemError if they are wrong
 * @throws DependencyUnavailable if D1 or the issuer fails
 */
export function requireFeedAccess<Value extends object>(access: FeedAccess<Value>) {
  const withToken = requireScope(access.scope);
  return createMiddleware<AppEnv & { Variables: { granted: Value } }>(async (c, next) => {
    const shared = c as unknown as Context<AppEnv> & Context<CallerEnv>;
    const grant = (granted: Value | null) => {
      if (granted === null)
        throw new ProblemError(
          { code: 'bad_credentials', detail: access.detail },
          { 'WWW-Authenticate': `${BASIC_CHALLENGE}, ${BEARER_CHALLENGE}` },
        );
      c.set('granted', granted);
      return next();
    };
    if (/^Basic( |$)/i.test(c.req.header('Authorization') ?? ''))
      return grant(await byCredentials(shared, access));
    const denied = await withToken(shared, async () =>
      grant(await access.ofClient(shared, shared.var.caller.accountId)),
    );
    // The credentials of a feed would do as well.
    if (denied instanceof Response && denied.status === 401)
      denied.headers.append('WWW-Authenticate', BASIC_CHALLENGE);
    return denied;
  });
}

async function byCredentials<Value>(
  c: Context<AppEnv>,
  access: FeedAccess<Value>,
): Promise<Value | null> {
  const { username = '', password = '' } = auth(c.req.raw) ?? {};
  const account = accountCodeIn(username) ?? '';
  if (!isAccountCode(account)) return null;
  c.set('account', account);
  const credentials = { account, password };
  const isVerified = () => access.isVerified?.(credentials) ?? false;
  const attempt = { env: c.env, request: c.req.raw, subject: `feed:${account}`, isVerified };
  const verdict = await checkLimited(attempt, async () => {
    const granted = await access.ofFeed(c, credentials);
    return granted === null
      ? ({ kind: 'denied' } as const)
      : ({ kind: 'authorized', granted } as const);
  });
  if (verdict.kind === 'too many attempts') throw tooManyRequests(retryAfter(c.req.raw));
  return verdict.kind === 'authorized' ? verdict.granted : null;
}
