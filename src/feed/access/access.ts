import type { Env } from '../../env.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { pollUntil } from '../../lib/time/poll.ts';
import { type EpochMilliseconds, isWithin } from '../../lib/time/time.ts';
import { checkLimited } from '../../rate-limits.ts';
import { FORMATS } from '../formats/formats.ts';
import type { ParameterError } from '../formats/parameters.ts';
import type { Manifest, ManifestReader } from '../manifest/manifest.ts';
import {
  FRESH_MS,
  freshManifest,
  isCurrent,
  loadManifest,
  type Reading,
  rememberManifest,
  startReading,
} from '../manifest/manifest-cache.ts';
import { type Credentials, keyDigest } from '../request/credentials.ts';
import { NO_PRESET } from '../request/preset.ts';
import { cacheQuery, type FeedQuery, type FeedSelection, select } from '../request/query.ts';
import { callerKey, DENIED, knownCaller, type Verdict, verify } from './callers.ts';

export interface IncomingRequest {
  readonly request: Request;
  readonly env: Env;
  readonly now: EpochMilliseconds;
}

/** A request whose credentials are valid: the feed it is for, and whose it is. */
export interface Access {
  readonly kind: 'authorized';
  readonly selection: FeedSelection;
  readonly manifest: Manifest;
  /** When the manifest was read, if it is an old copy because D1 fails, or `null`. */
  readonly staleSince: EpochMilliseconds | null;
  /** `null` for the password of the account. */
  readonly reader: ManifestReader | null;
}

type NoAccess =
  | { readonly kind: 'too many attempts' }
  | Exclude<Verdict, { readonly kind: 'authorized' }>
  /** The request contradicts the reader's preset, or the preset is no longer valid. */
  | {
      readonly kind: 'bad parameters';
      readonly reader: ManifestReader | null;
      readonly errors: readonly ParameterError[];
    };

/** Reads of the database by caller and feed; one whose request was cancelled stays. */
const readings = boundedCache<Reading>(500);

/** Milliseconds that a request waits for the read of another one. */
const MAX_WAIT_MS = 100;

/**
 * Checks the credentials of a request, and finds the manifest of the feed that it selects: from memory, if both were read within
 * the last second, or by one statement. Only if this isolate knows another preset or other settings than the caller has now, or
 * none and the request itself has parameters, does a second statement follow.
 *
 * Of a caller's requests that arrive just as the manifest expires, the first reads it. The others wait for that read if they could
 * also take its result from memory; if it fails or takes long, each reads for itself.
 *
 * @throws what D1 throws, if it fails and there is no cached manifest
 */
export async function authorizeRequest(
  { request, env, now }: IncomingRequest,
  query: FeedQuery,
  credentials: Credentials,
): Promise<Access | NoAccess> {
  const { account, password } = credentials;
  const remembered = fromMemory(query, credentials, now);
  if (remembered !== null) return remembered;

  const known = knownCaller(credentials);
  const expected = select(query, known?.reader ?? NO_PRESET, known?.settings);
  const set = 'errors' in expected ? query.set : expected.set;
  const feed = `${callerKey(credentials)} ${set.format} ${set.parameters}`;
  const isBeingRead = () => {
    const reading = readings.get(feed);
    return reading !== undefined && isCurrent(reading) && isWithin(FRESH_MS, reading.readAt, now);
  };
  // If nobody is reading, there is no await before this request's own read, so that the next request finds it.
  if (isBeingRead()) {
    await pollUntil(() => !isBeingRead(), MAX_WAIT_MS);
    const read = fromMemory(query, credentials, now);
    if (read !== null) return read;
  }

  const digest = keyDigest(password);
  const lookup = (ofPreset: boolean) => (digest === null ? null : { digest, ofPreset });
  const check = async (): Promise<Access | NoAccess> => {
    const ofPreset =
      known === undefined && query.format === FORMATS[0] && Object.keys(query.given).length === 0;
    const reading = startReading(now);
    readings.set(feed, reading);
    try {
      const found = await loadManifest(env.DB, account, set, now, lookup(ofPreset));
      const verdict = await verify(credentials, found, digest !== null, now);
      if (verdict.kind !== 'authorized') return verdict;
      const { reader } = verdict;
      const selected = select(query, reader ?? NO_PRESET, verdict.manifest.settings);
      if ('errors' in selected) return { kind: 'bad parameters', reader, errors: selected.errors };
      const current =
        found.parameters === selected.set.parameters
          ? found
          : await loadManifest(env.DB, account, selected.set, now, lookup(false));
      const { manifest, staleSince } = current;
      if (manifest === null) return DENIED;
      rememberManifest(account, selected.set, current);
      cacheQuery(request.url, { ...query, preselected: selected });
      return { kind: 'authorized', selection: selected, manifest, reader, staleSince };
    } finally {
      if (readings.get(feed) === reading) readings.delete(feed);
    }
  };
  const isVerified = () => knownCaller(credentials) !== undefined;
  return checkLimited({ env, request, subject: `feed:${account}`, isVerified }, check);
}

/** What a request has access to, without waiting for anything; `null` unless all was read within the last second. */
function fromMemory(
  query: FeedQuery,
  credentials: Credentials,
  now: EpochMilliseconds,
): Access | null {
  const known = knownCaller(credentials);
  if (known === undefined || !isWithin(FRESH_MS, known.readAt, now)) return null;
  const { reader, stored, settings } = known;
  const selected = select(query, reader ?? NO_PRESET, settings);
  if ('errors' in selected) return null;
  const manifest = freshManifest(credentials.account, selected.set, now);
  if (manifest === null || (stored !== null && stored !== manifest.password)) return null;
  return { kind: 'authorized', selection: selected, manifest, reader, staleSince: null };
}
