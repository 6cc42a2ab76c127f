import type { Env } from '../../env.ts';
import { type EpochMilliseconds, isWithin } from '../../lib/time/time.ts';
import { checkLimited } from '../../rate-limits.ts';
import type { KeyReader } from '../../readers/keys.ts';
import { FORMATS } from '../formats/formats.ts';
import type { ParameterError } from '../formats/parameters.ts';
import type { Manifest } from '../manifest/manifest.ts';
import {
  FRESH_MS,
  freshManifest,
  loadManifest,
  rememberManifest,
} from '../manifest/manifest-cache.ts';
import { type Credentials, keyDigest } from '../request/credentials.ts';
import { NO_PRESET } from '../request/preset.ts';
import { cacheQuery, type FeedQuery, type FeedSelection, select } from '../request/query.ts';
import { DENIED, knownCaller, type Verdict, verify } from './callers.ts';

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
  readonly reader: KeyReader | null;
}

type NoAccess =
  | { readonly kind: 'too many attempts' }
  | Exclude<Verdict, { readonly kind: 'authorized' }>
  /** The request contradicts the reader's preset, or the preset is no longer valid. */
  | {
      readonly kind: 'bad parameters';
      readonly reader: KeyReader | null;
      readonly errors: readonly ParameterError[];
    };

/**
 * Checks the credentials of a request, and finds the manifest of the feed that it selects: from
 * memory, if both were read within the last second, otherwise by one statement, or by two if this
 * isolate does not know the caller's present preset.
 *
 * @throws what D1 throws, if it fails and there is no cached manifest
 */
export async function authorizeRequest(
  incoming: IncomingRequest,
  query: FeedQuery,
  credentials: Credentials,
): Promise<Access | NoAccess> {
  const remembered = fromMemory(query, credentials, incoming.now);
  if (remembered !== null) return remembered;
  const { env, request } = incoming;
  const subject = `feed:${credentials.account}`;
  const isVerified = () => knownCaller(credentials) !== undefined;
  return checkLimited({ env, request, subject, isVerified }, () =>
    fromDatabase(incoming, query, credentials),
  );
}

async function fromDatabase(
  { request, env, now }: IncomingRequest,
  query: FeedQuery,
  credentials: Credentials,
): Promise<Access | NoAccess> {
  const { account } = credentials;
  const { set, isGuess } = expectedSet(query, credentials);
  const digest = keyDigest(credentials.password);
  const key = digest === null ? null : { digest, ofPreset: isGuess };
  const found = await loadManifest(env.DB, account, set, now, key);
  const verdict = await verify(credentials, found, key !== null, now);
  if (verdict.kind !== 'authorized') return verdict;

  const { reader } = verdict;
  const selection = select(query, reader ?? NO_PRESET, verdict.manifest.settings);
  if ('errors' in selection) return { kind: 'bad parameters', reader, errors: selection.errors };
  const isExpected = found.parameters === selection.set.parameters;
  const current = isExpected
    ? found
    : await loadManifest(env.DB, account, selection.set, now, key && { ...key, ofPreset: false });
  const { manifest, staleSince } = current;
  if (manifest === null) return DENIED;
  rememberManifest(account, selection.set, current);
  cacheQuery(request.url, { ...query, preselected: selection });
  return { kind: 'authorized', selection, manifest, reader, staleSince };
}

/**
 * The feed that a caller will most likely get: what its preset selected when it was last here.
 *
 * @returns `isGuess` for a caller that is not known and states no parameters: its preset decides
 */
function expectedSet(query: FeedQuery, credentials: Credentials) {
  const known = knownCaller(credentials);
  const expected = select(query, known?.reader ?? NO_PRESET, known?.settings);
  const hasParameters = Object.keys(query.given).length > 0;
  return {
    set: 'errors' in expected ? query.set : expected.set,
    isGuess: known === undefined && query.format === FORMATS[0] && !hasParameters,
  };
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
