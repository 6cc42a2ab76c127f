import type { Manifest, ManifestReader } from '../../db/feed/manifest.ts';
import type { Env } from '../../env.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { checkLimited, type LimitedVerdict } from '../../rate-limits.ts';
import { knownReader } from '../manifest/known-readers.ts';
import { findManifest, freshManifest, markAuthorized } from '../manifest/manifest-cache.ts';
import type { Credentials } from '../request/credentials.ts';
import { cachePreselected, cacheQuery, type FeedQuery, type FeedSelection } from '../request/query.ts';
import { keyDigest } from '../request/reader-key.ts';
import { authorizeKey, authorizeKnownKey, type KeyAuthorization } from './key-access.ts';
import { authorize, isStillVerified, isVerified } from './password.ts';

/** A request whose credentials are to be checked. */
export interface IncomingRequest {
  readonly request: Request;
  readonly env: Env;
  /** When it arrived. */
  readonly now: EpochMilliseconds;
}

/** A request whose credentials are valid: the feed it is for, and whose it is. */
export interface Access extends FeedSelection {
  readonly kind: 'authorized';
  readonly manifest: Manifest;
  /** When the manifest was read, if it is an old copy because D1 fails, or `null`. */
  readonly staleSince: EpochMilliseconds | null;
  /** `null` for the password of the account. */
  readonly reader: ManifestReader | null;
  /** Milliseconds per step. */
  readonly steps: Readonly<Record<string, number>>;
}

/** Why a request has no access. */
type NoAccess = LimitedVerdict | Exclude<KeyAuthorization, { kind: 'authorized' }>;

/**
 * Checks the credentials of a request, and finds the manifest of the feed that it selects.
 *
 * @throws what D1 throws, if it fails and there is no cached manifest
 */
export function authorizeRequest(
  incoming: IncomingRequest,
  query: FeedQuery,
  credentials: Credentials,
): Promise<Access | NoAccess> {
  const digest = digestOf(credentials, query);
  return digest === null
    ? withPassword(incoming, query, credentials)
    : withKey(incoming, query, credentials.account, digest);
}

/** The digest of a reader's key, if the password has the form of one; a cached query has that of its own password. */
function digestOf({ password }: Credentials, query: FeedQuery): string | null {
  return password === query.credentials.password ? query.keyDigest : keyDigest(password);
}

/** Authorizes a request by the password of the account. */
async function withPassword(
  { request, env, now }: IncomingRequest,
  query: FeedQuery,
  credentials: Credentials,
): Promise<Access | NoAccess> {
  const { set, verifiedAgainst } = query;
  const { account, password } = credentials;
  const authorized = (manifest: Manifest, staleSince: number | null, steps: Access['steps']): Access => {
    markAuthorized(account, set);
    const { parameters, frame } = query;
    return { kind: 'authorized', manifest, staleSince, parameters, frame, set, reader: null, steps };
  };
  // Synchronous fast path: the checks below must await, which costs about 5% of a 304.
  const fresh = freshManifest(account, set, now)?.manifest;
  if (fresh != null && isStillVerified(account, verifiedAgainst, fresh)) return authorized(fresh, null, FROM_MEMORY);

  let manifestAt = now;
  const check = async () => {
    const found = freshManifest(account, set, now) ?? (await findManifest(env.DB, account, set, now));
    manifestAt = Date.now();
    return authorize(credentials, verifiedAgainst, found);
  };
  const authorization = isVerified(credentials, verifiedAgainst)
    ? await check()
    : await checkLimited({ env, request, subject: `feed:${account}`, secret: password }, check);
  if (authorization.kind !== 'authorized') return authorization;
  const { manifest, staleSince } = authorization;
  if (verifiedAgainst !== manifest.password) cacheQuery(request.url, query, manifest.password);
  return authorized(manifest, staleSince, { manifest: manifestAt - now, password: Date.now() - manifestAt });
}

/** The steps of a request that waited for nothing. */
const FROM_MEMORY = { manifest: 0, password: 0 };

/** Authorizes a request by the key of a reader. */
async function withKey(
  { request, env, now }: IncomingRequest,
  query: FeedQuery,
  account: string,
  digest: string,
): Promise<Access | NoAccess> {
  const keyRequest = { query, account, digest, now };
  const check = () => authorizeKey(env.DB, keyRequest);
  const authorization =
    authorizeKnownKey(keyRequest) ??
    (knownReader(account, digest) === undefined
      ? await checkLimited({ env, request, subject: `feed:${account}`, secret: digest }, check)
      : await check());
  if (authorization.kind !== 'authorized') return authorization;
  const { manifest, reader, staleSince, selection } = authorization;
  if (selection !== query.preselected) cachePreselected(request.url, query, reader, selection);
  return { kind: 'authorized', manifest, reader, staleSince, ...selection, steps: { manifest: Date.now() - now } };
}
