import type { SnapshotSet } from '../db/snapshots.ts';
import { LruMap } from '../lib/lru.ts';
import { accountCodeIn, type Credentials, queryCredentials, USER_FORM } from './credentials.ts';
import { DOCUMENT_FORMAT } from './document.ts';
import {
  canonicalName,
  type FeedParameters,
  notAllowed,
  type Paging,
  type ParameterError,
  parsePaging,
  parseParameters,
  pickParameters,
} from './parameters.ts';

/** The contents of a feed's URL. */
export interface FeedQuery {
  readonly parameters: FeedParameters;
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

/** The query of a URL, or all errors in it. */
export function readQuery(url: string): FeedQuery | { readonly errors: readonly ParameterError[] } {
  const known = cached.get(url);
  if (known !== undefined) return known;
  const picked = pickParameters(new URL(url).searchParams);
  const { U } = picked.given;
  const user = U !== undefined && accountCodeIn(U) === undefined ? [notAllowed('U', U, USER_FORM)] : [];
  const { parameters, errors: invalid } = parseParameters(picked.given);
  const { paging, errors: invalidPaging } = parsePaging(picked.given);
  const errors = [...picked.errors, ...user, ...invalid, ...invalidPaging];
  if (errors.length > 0) return { errors };
  const credentials = queryCredentials(picked.given);
  return { parameters, paging, set: snapshotSet(parameters), credentials, verifiedAgainst: null };
}

function snapshotSet(parameters: FeedParameters): SnapshotSet {
  return {
    format: DOCUMENT_FORMAT,
    parameters: canonicalName(parameters),
    dependsOn: { sale: parameters.category !== 'RENT', rental: parameters.category !== 'SALE' },
    byListing: parameters.listingDate,
  };
}
