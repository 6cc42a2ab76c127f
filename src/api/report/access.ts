import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { auth } from 'hono/utils/basic-auth';
import { findEnabledAccountCode } from '../../db/accounts/clients.ts';
import type { Manifest } from '../../db/feed/manifest.ts';
import type { AppEnv } from '../../env.ts';
import { authorize, isVerified } from '../../feed/access/password.ts';
import { type FoundManifest, findManifest, markAuthorized } from '../../feed/manifest/manifest-cache.ts';
import { accountCodeIn, isAccountCode } from '../../feed/request/credentials.ts';
import { keyDigest } from '../../feed/request/reader-key.ts';
import { DependencyUnavailable } from '../../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { ProblemError, tooManyRequestsError } from '../../problem.ts';
import { checkLimited, LIMIT_PERIOD_SECONDS } from '../../rate-limits.ts';
import { FINDINGS_SET } from './load.ts';

/** The account that a report is on. */
interface ReportedAccount {
  readonly code: string;
  readonly manifest: Manifest;
}

/** The environment of a handler behind {@link requireReportAccess}. */
export interface ReportEnv {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { reported: ReportedAccount };
}

const withToken = requireScope('feeds:read');

/**
 * Middleware that requires the account's password by Basic, or an access token, and sets `reported`.
 *
 * @throws ProblemError if they are wrong
 * @throws DependencyUnavailable if D1 or the issuer fails
 */
export const requireReportAccess = Object.assign(
  createMiddleware<ReportEnv>(async (c, next) => {
    if (/^Basic( |$)/i.test(c.req.header('Authorization') ?? '')) {
      c.set('reported', await accountOfPassword(c));
      return next();
    }
    const client = c as unknown as Context<CallerEnv>;
    return withToken(client, async () => {
      c.set('reported', await accountOfClient(c, client.var.caller.accountId));
      await next();
    });
  }),
  { security: [{ feedBasic: [] }, ...withToken.security] },
);

/** The account whose code and password a request sends, as in feeds; a reader's key is no password here. */
async function accountOfPassword(c: Context<ReportEnv>): Promise<ReportedAccount> {
  const { username = '', password = '' } = auth(c.req.raw) ?? {};
  const code = accountCodeIn(username) ?? '';
  if (!isAccountCode(code) || keyDigest(password) !== null) throw denied();
  c.set('account', code);
  const credentials = { account: code, password };
  const check = async () => authorize(credentials, null, await manifestOf(c, code));
  const authorization = isVerified(credentials, null)
    ? await check()
    : await checkLimited({ env: c.env, request: c.req.raw, subject: `feed:${code}`, secret: password }, check);
  switch (authorization.kind) {
    case 'authorized':
      markAuthorized(code, FINDINGS_SET);
      return { code, manifest: authorization.manifest };
    case 'too many attempts':
      throw tooManyRequestsError(LIMIT_PERIOD_SECONDS);
    case 'denied':
      throw denied();
    case 'unverifiable':
      throw new DependencyUnavailable('password: it cannot be verified');
  }
}

async function accountOfClient(c: Context<ReportEnv>, accountId: number): Promise<ReportedAccount> {
  const code = await findEnabledAccountCode(c.env.DB, accountId);
  if (code === null) throw denied();
  const { manifest } = await manifestOf(c, code);
  if (manifest === null) throw denied();
  return { code, manifest };
}

function manifestOf(c: Context<ReportEnv>, code: string): Promise<FoundManifest> {
  return findManifest(c.env.DB, code, FINDINGS_SET, Date.now());
}

function denied(): ProblemError {
  return new ProblemError(
    { code: 'bad_credentials', detail: 'The account or the password is wrong.' },
    { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' },
  );
}
