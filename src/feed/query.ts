import { getPath } from 'hono/utils/url';
import type { SnapshotSet } from '../db/snapshots.ts';
import { LruMap } from '../lib/lru.ts';
import { accountCodeIn, type Credentials, queryCredentials, USER_FORM } from './credentials.ts';
import type { FeedFormat } from './formats/format.ts';
import { formatAt, versionOf } from './formats.ts';
import { type Frame, frameOf } from './frame.ts';
import {
  type FeedParameters,
  notAllowed,
  type Paging,
  type ParameterError,
  pickParameters,
  spellingsOf,
} from './parameters.ts';

/** The contents of a feed's URL. */
export interface FeedQuery {
  readonly format: FeedFormat;
  readonly parameters: FeedParameters;
  readonly frame: Frame;
  readonly paging: Paging;
  /** The snapshots that this feed consists of. */
  readonly set: SnapshotSet;
  /** U and P, as far as the URL has them. */
  readonly credentials: Partial<Credentials>;
  /** The stored password that the URL's own U and P matched when this isolate last checked them; `null` before that. */
  readonly verifiedAgainst: string | null;
}

/**
 * Queries by URL: a portal requests the same one for years. Only authorized requests are cached, so that nobody else can
 * fill the cache. Like the URLs it contains passwords, and it exists only in the isolate's memory.
 */
const cached = new LruMap<string, FeedQuery>(1_000);

/** Characters of the longest cached URL: all parameters together need half as many. */
const MAX_URL_LENGTH = 1_000;

/**
 * Caches the query of an authorized request.
 *
 * @param storedPassword what the reader's password was checked against
 */
export function cacheQuery(url: string, query: FeedQuery, storedPassword: string): void {
  const { account, password } = query.credentials;
  const verifiedAgainst = account === undefined || password === undefined ? null : storedPassword;
  if (url.length <= MAX_URL_LENGTH) cached.set(url, { ...query, verifiedAgainst });
}

/** The query of a feed request, or all errors in it. */
export function readQuery(request: Request): FeedQuery | { readonly errors: readonly ParameterError[] } {
  const known = cached.get(request.url);
  if (known !== undefined) return known;
  const format = formatAt(getPath(request));
  if (format === undefined) throw new Error('The path is not that of a feed');
  const picked = pickParameters(new URL(request.url).searchParams, spellingsOf(format.parameterNames));
  const { U } = picked.given;
  const user = U !== undefined && accountCodeIn(U) === undefined ? [notAllowed('U', U, USER_FORM)] : [];
  const { parameters, paging, errors: invalid } = format.parse(picked.given);
  const errors = [...picked.errors, ...user, ...invalid];
  if (errors.length > 0) return { errors };
  const credentials = queryCredentials(picked.given);
  const frame = frameOf(format, parameters);
  return {
    format,
    parameters,
    frame,
    paging,
    set: snapshotSet(format, parameters),
    credentials,
    verifiedAgainst: null,
  };
}

function snapshotSet(format: FeedFormat, parameters: FeedParameters): SnapshotSet {
  return {
    format: versionOf(format),
    parameters: format.canonicalName(parameters),
    dependsOn: { sale: parameters.category !== 'RENT', rental: parameters.category !== 'SALE' },
    byListing: parameters.listingDate,
  };
}
