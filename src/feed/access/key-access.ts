import type { Manifest, ManifestReader } from '../../db/feed/manifest.ts';
import { isWithin } from '../../lib/time/age.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { FORMATS } from '../formats/formats.ts';
import type { ParameterError } from '../formats/parameters.ts';
import { type KnownReader, knownReader } from '../manifest/known-readers.ts';
import {
  type FoundManifest,
  FRESH,
  freshManifest,
  loadManifest,
  markAuthorized,
  USABLE,
} from '../manifest/manifest-cache.ts';
import { type FeedQuery, type FeedSelection, select } from '../request/query.ts';

/** The outcome of checking a reader's key. */
export type KeyAuthorization =
  | {
      readonly kind: 'authorized';
      readonly manifest: Manifest;
      readonly reader: ManifestReader;
      /** As in `FoundManifest`. */
      readonly staleSince: number | null;
      /** What the request selects with the reader's preset. */
      readonly selection: FeedSelection;
    }
  | {
      /** The request contradicts the reader's preset, or the preset is no longer valid. */
      readonly kind: 'bad parameters';
      readonly reader: ManifestReader;
      readonly errors: readonly ParameterError[];
    }
  /** `unverifiable`: D1 fails, and this isolate has not verified the key before. */
  | { readonly kind: 'denied' | 'unverifiable' };

/** A request with a key. */
export interface KeyRequest {
  readonly query: FeedQuery;
  /** The account's code, in upper case. */
  readonly account: string;
  /** The digest of the key. */
  readonly digest: string;
  readonly now: EpochMilliseconds;
}

/** Checks a reader's key from memory: `null` unless the reader and its manifest were read within the last second. */
export function authorizeKnownKey({ query, account, digest, now }: KeyRequest): KeyAuthorization | null {
  const known = knownReader(account, digest);
  if (known === undefined || !isWithin(FRESH, known.readAt, now)) return null;
  const { selection, set } = selectionFor(query, known);
  const manifest = freshManifest(account, set, now)?.manifest;
  return manifest == null ? null : authorization(known.reader, manifest, selection, null);
}

/**
 * Checks a reader's key by one statement, which also reads the manifest of the feed that its preset selects. Only if this
 * isolate knows another preset than the reader has now, or none and the request has parameters of its own, does a second
 * statement follow.
 *
 * @throws what D1 throws, if it fails and there is no cached manifest
 */
export async function authorizeKey(db: D1Database, request: KeyRequest): Promise<KeyAuthorization> {
  const { query, account, digest, now } = request;
  const known = knownReader(account, digest);
  const { selection: expected, set } = selectionFor(query, known);
  const ofPreset = known === undefined && query.format === FORMATS[0] && Object.keys(query.given).length === 0;
  const found = await loadManifest(db, account, set, now, { digest, ofPreset });
  if (found.staleSince !== null) return withoutDatabase(known, found, expected, now);
  const { reader } = found;
  if (reader === null || found.manifest === null) return { kind: 'denied' };
  const selection = select(query, reader);
  if ('errors' in selection) return { kind: 'bad parameters', reader, errors: selection.errors };
  const isExpected = found.parameters === selection.set.parameters;
  const { manifest, staleSince } = isExpected
    ? found
    : await loadManifest(db, account, selection.set, now, { digest, ofPreset: false });
  if (manifest === null) return { kind: 'denied' };
  markAuthorized(account, selection.set);
  return { kind: 'authorized', manifest, reader, staleSince, selection };
}

/** What a request selects with the preset that this isolate knows, and the parameter set whose manifest is to be read. */
function selectionFor(query: FeedQuery, known: KnownReader | undefined) {
  const selection: ReturnType<typeof select> = known === undefined ? query : select(query, known.reader);
  return { selection, set: 'errors' in selection ? query.set : selection.set };
}

/** A reader whose key was verified within the last minutes is still served while D1 fails. */
function withoutDatabase(
  known: KnownReader | undefined,
  { manifest, staleSince }: FoundManifest,
  expected: ReturnType<typeof select>,
  now: number,
): KeyAuthorization {
  if (known === undefined || manifest === null || !isWithin(USABLE, known.readAt, now)) return { kind: 'unverifiable' };
  const { keyExpiresAt } = known.reader;
  if (keyExpiresAt !== null && keyExpiresAt * 1_000 <= now) return { kind: 'denied' };
  return authorization(known.reader, manifest, expected, staleSince);
}

function authorization(
  reader: ManifestReader,
  manifest: Manifest,
  selection: ReturnType<typeof select>,
  staleSince: number | null,
): KeyAuthorization {
  if ('errors' in selection) return { kind: 'bad parameters', reader, errors: selection.errors };
  return { kind: 'authorized', manifest, reader, staleSince, selection };
}
