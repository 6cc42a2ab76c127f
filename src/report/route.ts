import type { Context } from 'hono';
import { Hono } from 'hono';
import { auth } from 'hono/utils/basic-auth';
import { findEnabledAccountCode } from '../db/clients.ts';
import type { Manifest } from '../db/manifest.ts';
import type { AppEnv } from '../env.ts';
import { authorize, isVerified } from '../feed/access/password.ts';
import { type FoundManifest, findManifest, markAuthorized } from '../feed/manifest/manifest-cache.ts';
import { accountCodeIn, isAccountCode } from '../feed/request/credentials.ts';
import { keyDigest } from '../feed/request/reader-key.ts';
import { describeError, log } from '../lib/log.ts';
import { DependencyUnavailable, orUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { methodNotAllowed, problemResponse, tooManyRequests } from '../problem.ts';
import { checkLimited, LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';
import { requestId } from '../request-log.ts';
import { makeReport, reportView } from '../rules/report.ts';
import { FINDINGS_SET, loadFindings } from './load.ts';
import { parseReportQuery } from './query.ts';
import { loadAccountState } from './state.ts';

const PATH = '/v1/report';

/** The report on an account's properties, for its clients and for whoever has its password. */
export const report = new Hono<AppEnv>();

report.get(PATH, async (c, next) => {
  if (!/^Basic( |$)/i.test(c.req.header('Authorization') ?? '')) return next();
  return withPassword(c);
});
report.get(PATH, requireScope('feeds:read'), withToken);
report.on('ALL', PATH, () => methodNotAllowed('GET, HEAD'));

report.onError((error, c) => {
  if (!(error instanceof DependencyUnavailable)) throw error;
  return unavailable(c, error);
});

/** Responds to a caller with the account's code and password, as in feeds; a reader's key is no password here. */
async function withPassword(c: Context<AppEnv>): Promise<Response> {
  const { username = '', password = '' } = auth(c.req.raw) ?? {};
  const code = accountCodeIn(username) ?? '';
  if (!isAccountCode(code) || keyDigest(password) !== null) return denied();
  c.set('account', code);
  const credentials = { account: code, password };
  const check = async () => authorize(credentials, null, await manifestOf(c, code));
  const authorization = isVerified(credentials, null)
    ? await check()
    : await checkLimited({ env: c.env, request: c.req.raw, subject: `feed:${code}`, secret: password }, check);
  switch (authorization.kind) {
    case 'authorized':
      markAuthorized(code, FINDINGS_SET);
      return respond(c, code, authorization.manifest);
    case 'too many attempts':
      return tooManyRequests(LIMIT_PERIOD_SECONDS);
    case 'denied':
      return denied();
    case 'unverifiable':
      return unavailable(c, new Error('The password cannot be verified'));
  }
}

async function withToken(c: Context<CallerEnv>): Promise<Response> {
  const code = await orUnavailable('account', findEnabledAccountCode(c.env.DB, c.var.caller.accountId));
  if (code === null) return denied();
  const { manifest } = await manifestOf(c as unknown as Context<AppEnv>, code);
  return respond(c as unknown as Context<AppEnv>, code, manifest);
}

function manifestOf(c: Context<AppEnv>, code: string): Promise<FoundManifest> {
  return orUnavailable('manifest', findManifest(c.env.DB, code, FINDINGS_SET, Date.now()));
}

async function respond(c: Context<AppEnv>, code: string, manifest: Manifest | null): Promise<Response> {
  const filter = parseReportQuery(new URL(c.req.url).searchParams);
  if ('error' in filter) return problemResponse({ code: 'bad_parameter', detail: filter.error });
  if (manifest === null) return denied();
  const loading = Promise.all([
    loadFindings(c.env, c.executionCtx, code, manifest, (error) => logFailure(c, error)),
    loadAccountState(c.env.DB, manifest.accountId),
  ]);
  const [parts, { settings, part }] = await orUnavailable('findings', loading);
  const made = makeReport([...parts, part], { ...settings, ...filter }, 'en', manifest.now);
  return c.json({ account: code, ...reportView(made) }, 200, { 'Cache-Control': 'private, no-cache' });
}

function denied(): Response {
  return problemResponse(
    { code: 'bad_credentials', detail: 'The account or the password is wrong.' },
    { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' },
  );
}

function unavailable(c: Context, error: unknown): Response {
  logFailure(c, error);
  return problemResponse(
    { code: 'unavailable', detail: 'Retry later.' },
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
}

function logFailure(c: Context, error: unknown): void {
  log('error', 'report.failed', { requestId: requestId(c), error: describeError(error) });
}
