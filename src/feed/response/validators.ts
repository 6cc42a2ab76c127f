import { createHash, createHmac } from 'node:crypto';
import type { EpochSeconds } from '../../lib/time/time.ts';
import type { Revision } from '../build/feed-properties.ts';
import type { Envelope } from '../document/envelope.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { SnapshotSet } from '../snapshots/table.ts';

export interface FeedValidators {
  readonly etag: string;
  readonly lastModified: EpochSeconds | null;
  readonly compressed: boolean;
}

/** Cached per manifest, for gzip and identity: recomputing them costs about 5% of a 304. */
const ofGzip = new WeakMap<Manifest, FeedValidators>();
const ofIdentity = new WeakMap<Manifest, FeedValidators>();

/**
 * The validators of the feed that a manifest describes, given the set that it was read for.
 *
 * @param since when what the set's readers get was last changed, if it ever was
 */
export function feedValidators(
  manifest: Manifest,
  set: SnapshotSet,
  compressed: boolean,
  since = 0,
): FeedValidators {
  const byManifest = compressed ? ofGzip : ofIdentity;
  const found = byManifest.get(manifest);
  if (found !== undefined) return found;
  const validators = {
    etag: entityTag(manifest, set, compressed),
    lastModified: lastModified(manifest, since),
    compressed,
  };
  byManifest.set(manifest, validators);
  return validators;
}

/**
 * The validators of a response whose bytes are not certain when it begins, or during which something has changed. It shows the
 * manifest's state or a later one: a reader that sends this ETag back gets a 304 only if nothing has changed since that state,
 * which is then what it has.
 */
export function weakened(validators: FeedValidators): FeedValidators {
  return { ...validators, etag: `W/${validators.etag}` };
}

/** The validators of a page without records, which is the same for all feeds with an envelope. */
export function emptyPageValidators(
  { head }: Envelope,
  { format }: SnapshotSet,
  compressed: boolean,
): FeedValidators {
  const digest = createHash('sha256').update(`empty ${format} ${compressed}`).update(head);
  return {
    etag: `"${digest.digest('base64url').slice(0, ETAG_LENGTH)}"`,
    lastModified: null,
    compressed,
  };
}

/** Base64 characters of an ETag: 132 bits. */
const ETAG_LENGTH = 22;

/**
 * Names a feed's bytes by all that determines them: document format, account, parameters, encoding and revisions. The key of
 * the digest is known to nobody outside, so that an ETag reveals neither ids nor the number of changes; it is the same in
 * every isolate, until the password changes.
 */
function entityTag(manifest: Manifest, set: SnapshotSet, compressed: boolean): string {
  const { format, parameters } = set;
  const encoding = compressed ? 'gzip' : 'identity';
  const ofParts = () =>
    manifest.parts.map(({ part, revision }) => `${part}:${revisionText(revision)}`).join();
  const state = set.byListing ? revisionText(manifest.revision) : ofParts();
  const name = `${format} ${manifest.accountId} ${parameters} ${encoding} ${state}`;
  const digest = createHmac('sha256', manifest.password).update(name).digest('base64url');
  return `"${digest.slice(0, ETAG_LENGTH)}"`;
}

function revisionText({ incarnation, number }: Revision): string {
  return `${incarnation}/${number}`;
}

/**
 * When every isolate shows the last change of a feed: after the second that follows the one of the change. `null` before then,
 * since another change would get the same date. The second of the change itself will not do: a reader that sends a response's
 * Date instead of its Last-Modified may have got that before the change, or from an isolate that had not seen it yet.
 */
function lastModified({ changedAt, now }: Manifest, since: EpochSeconds): EpochSeconds | null {
  const visibleAt = 2 + Math.max(changedAt, since);
  return visibleAt <= now ? visibleAt : null;
}
