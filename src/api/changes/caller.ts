import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { auth } from 'hono/utils/basic-auth';
import type { ManifestReader } from '../../db/feed/manifest.ts';
import { readManifest } from '../../db/feed/manifest.ts';
import { ALL_STATES, type Audience, statesOf } from '../../db/news/changes.ts';
import type { AppEnv } from '../../env.ts';
import { accountCodeIn, isAccountCode } from '../../feed/request/credentials.ts';
import { selectPreset } from '../../feed/request/query.ts';
import { keyDigest } from '../../feed/request/reader-key.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { problemResponse, tooManyRequests } from '../../problem.ts';
import { checkLimited, LIMIT_PERIOD_SECONDS } from '../../rate-limits.ts';

/** Whose changes are asked for, and by whom. */
export interface ChangesCaller {
  readonly audience: Audience;
  /** What it may see, if it is a reader, who gets only what feeds show; `null` for a client. */
  readonly policy: string | null;
}

/** The environment of a handler behind {@link requireFollower}. */
export interface FollowerEnv {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { follower: ChangesCaller };
}

const withToken = requireScope('properties:read');

/**
 * Middleware that requires the key of a reader by Basic, or an access token, and sets `follower`. A client sees every listed
 * property of its account.
 *
 * @throws DependencyUnavailable if D1 or the issuer fails
 */
export const requireFollower = Object.assign(
  createMiddleware<FollowerEnv>(async (c, next) => {
    if (/^Basic( |$)/i.test(c.req.header('Authorization') ?? '')) {
      const caller = await readerOf(c);
      if (caller instanceof Response) return caller;
      c.set('follower', caller);
      return next();
    }
    const client = c as unknown as Context<CallerEnv>;
    return withToken(client, () => {
      const { accountId } = client.var.caller;
      c.set('follower', { audience: { accountId, states: ALL_STATES, channel: null, kind: null }, policy: null });
      return next();
    });
  }),
  { security: [...withToken.security, { feedBasic: [] }] },
);

/** The parameter set of the request for a manifest, of which only the reader is needed. */
const ANY_SET = selectPreset('', null).set;

/**
 * The reader whose key a request sends by Basic, as for feeds: it sees its channel and what its preset selects.
 *
 * @returns a response if the key is not that of an enabled reader
 * @throws DependencyUnavailable if D1 fails
 */
async function readerOf(c: Context<FollowerEnv>): Promise<ChangesCaller | Response> {
  const { username = '', password = '' } = auth(c.req.raw) ?? {};
  const code = accountCodeIn(username) ?? '';
  const digest = keyDigest(password);
  if (!isAccountCode(code) || digest === null) return denied();
  c.set('account', code);
  const check = async () => {
    const found = await readManifest(c.env.DB, code, ANY_SET, { digest, ofPreset: false });
    const { manifest, reader } = found;
    if (manifest === null || reader === null) return { kind: 'denied' } as const;
    return { kind: 'authorized', caller: callerOf(manifest.accountId, reader) } as const;
  };
  const verdict = await checkLimited(
    { env: c.env, request: c.req.raw, subject: `feed:${code}`, secret: digest },
    check,
  );
  if (verdict.kind === 'authorized') return verdict.caller;
  return verdict.kind === 'denied' ? denied() : tooManyRequests(LIMIT_PERIOD_SECONDS);
}

function callerOf(accountId: number, { preset, channel, policy }: ManifestReader): ChangesCaller {
  return {
    audience: {
      accountId,
      states: statesOf(selectPreset(preset, channel).parameters),
      channel,
      kind: policyIn(policy).kind,
    },
    policy,
  };
}

function denied(): Response {
  return problemResponse(
    { code: 'bad_credentials', detail: "Send the account's code and a reader's key." },
    { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' },
  );
}
