import type { SnapshotSet } from '../db/snapshots.ts';
import { LruMap } from '../lib/lru.ts';
import { accountCodeIn, type Credentials, credentialsIn, USER_FORM } from './credentials.ts';
import { DOCUMENT_FORMAT } from './document.ts';
import {
  canonicalName,
  type FeedParameters,
  notAllowed,
  pickParameters,
  type Refusal,
  readParameters,
} from './parameters.ts';

/** What the address of a feed asks for. */
export interface FeedQuery {
  readonly parameters: FeedParameters;
  /** The snapshots that the feed is served from. */
  readonly set: SnapshotSet;
  /** U and P, so far as it has them. */
  readonly credentials: Partial<Credentials>;
}

/**
 * Queries by address: a portal has one and asks for it for years. Only those of readers that were welcome, so that nobody
 * else can fill it; like them it holds passwords, and lives and dies with the isolate.
 */
const known = new LruMap<string, FeedQuery>(1_000);

/** Characters of an address that is remembered: all parameters take half as many. */
const LONGEST = 1_000;

/** Remembers the query of an address. */
export function rememberQuery(url: string, query: FeedQuery): void {
  if (url.length <= LONGEST) known.set(url, query);
}

/** Reads the query of an address, or says all that is wrong with it; one that is remembered is the same object again. */
export function readQuery(url: string): FeedQuery | { readonly refusals: readonly Refusal[] } {
  const remembered = known.get(url);
  if (remembered !== undefined) return remembered;
  const { given, refusals } = pickParameters(new URL(url).searchParams);
  if (given.U !== undefined && accountCodeIn(given.U) === undefined) {
    refusals.push(notAllowed('U', given.U, USER_FORM));
  }
  const parameters = readParameters(given);
  if (!('version' in parameters)) return { refusals: [...refusals, ...parameters] };
  if (refusals.length > 0) return { refusals };
  return { parameters, set: snapshotSet(parameters), credentials: credentialsIn(given) };
}

function snapshotSet(parameters: FeedParameters): SnapshotSet {
  return {
    format: DOCUMENT_FORMAT,
    parameters: canonicalName(parameters),
    dependsOn: { sale: parameters.category !== 'RENT', rental: parameters.category !== 'SALE' },
    byListing: parameters.listingDate,
  };
}
