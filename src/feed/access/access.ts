import type { Manifest, ManifestReader } from '../../db/feed/manifest.ts';
import type { Env } from '../../env.ts';
import { isWithin } from '../../lib/time/age.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { checkLimited, type LimitedVerdict } from '../../rate-limits.ts';
import { FORMATS } from '../formats/formats.ts';
import type { ParameterError } from '../formats/parameters.ts';
import {
  type FoundManifest,
  FRESH,
  findManifest,
  freshManifest,
  knownReader,
  knownSettings,
  loadManifest,
  rememberManifest,
  USABLE,
} from '../manifest/manifest-cache.ts';
import type { Credentials } from '../request/credentials.ts';
import { NO_PRESET } from '../request/preset.ts';
import { cacheQuery, type FeedQuery, type FeedSelection, select } from '../request/query.ts';
import { keyDigest } from '../request/reader-key.ts';
import { authorize, isVerified } from './password.ts';

export interface IncomingRequest {
  readonly request: Request;
  readonly env: Env;
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
  readonly steps: Readonly<Record<string, number>>;
}

type NoAccess =
  | LimitedVerdict
  /** `unverifiable`: D1 fails, and this isolate has not verified the credentials before. */
  | { readonly kind: 'denied' | 'unverifiable' }
  /** The request contradicts the reader's preset, or the preset is no longer valid. */
  | {
      readonly kind: 'bad parameters';
      readonly reader: ManifestReader | null;
      readonly errors: readonly ParameterError[];
    };

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
  const digest = keyDigest(credentials.password);
  return digest === null
    ? withPassword(incoming, query, credentials)
    : withKey(incoming, query, credentials.account, digest);
}

async function withPassword(
  { request, env, now }: IncomingRequest,
  query: FeedQuery,
  credentials: Credentials,
): Promise<Access | NoAccess> {
  const { account, password } = credentials;
  // With what this isolate knows of the account.
  const known = select(query, NO_PRESET, knownSettings(account));
  const expected: FeedSelection = 'errors' in known ? query : known;
  const access = ({ parameters, frame, set }: FeedSelection, steps: Access['steps']) =>
    ({ kind: 'authorized', parameters, frame, set, reader: null, steps }) as const;
  // Without waiting for anything, which costs about 5% of a 304.
  const fresh = freshManifest(account, expected.set, now)?.manifest;
  if (fresh !== undefined && isVerified(credentials, fresh.password)) {
    return { ...access(expected, { manifest: 0, password: 0 }), manifest: fresh, staleSince: null };
  }
  let manifestAt = now;
  const check = async () => {
    const found = await findManifest(env.DB, account, expected.set, now);
    manifestAt = Date.now();
    const authorization = await authorize(credentials, found);
    if (authorization.kind === 'authorized') rememberManifest(account, expected.set, found);
    return authorization;
  };
  const authorization = isVerified(credentials)
    ? await check()
    : await checkLimited({ env, request, subject: `feed:${account}`, secret: password }, check);
  if (authorization.kind !== 'authorized') return authorization;
  const steps = { manifest: manifestAt - now, password: Date.now() - manifestAt };
  const { manifest, staleSince } = authorization;
  const selected = select(query, NO_PRESET, manifest.settings);
  if ('errors' in selected) return { kind: 'bad parameters', reader: null, errors: selected.errors };
  cacheQuery(request.url, selected === query ? query : { ...query, preselected: selected });
  if (selected.set.parameters === expected.set.parameters) {
    return { ...access(selected, steps), manifest, staleSince };
  }
  const current = await loadManifest(env.DB, account, selected.set, now);
  if (current.manifest === null) return DENIED;
  rememberManifest(account, selected.set, current);
  return { ...access(selected, steps), manifest: current.manifest, staleSince: current.staleSince };
}

/**
 * Authorizes a request by the key of a reader: from memory, if the reader and its manifest were read within the last second, or
 * by one statement, which also reads the manifest of the feed that its preset selects. Only if this isolate knows another preset
 * than the reader has now, or none and the request has parameters of its own, does a second statement follow.
 *
 * @throws what D1 throws, if it fails and there is no cached manifest
 */
async function withKey(
  { request, env, now }: IncomingRequest,
  query: FeedQuery,
  account: string,
  digest: string,
): Promise<Access | NoAccess> {
  const known = knownReader(account, digest);
  // With the preset that this isolate knows.
  const expected: Selected = known === undefined ? query : select(query, known.reader, knownSettings(account));
  const set = 'errors' in expected ? query.set : expected.set;
  const access = (reader: ManifestReader, { manifest, staleSince }: FoundManifest, selected: Selected) => {
    if (manifest === null) return DENIED;
    if ('errors' in selected) return { kind: 'bad parameters', reader, errors: selected.errors } as const;
    if (selected !== query.preselected) {
      cacheQuery(request.url, { ...query, preselected: selected });
    }
    const { parameters, frame } = selected;
    const feed = { manifest, staleSince, parameters, frame, set: selected.set };
    return { kind: 'authorized', reader, ...feed, steps: { manifest: Date.now() - now } } as const;
  };
  if (known !== undefined && isWithin(FRESH, known.readAt, now)) {
    const fresh = freshManifest(account, set, now);
    if (fresh !== null) return access(known.reader, fresh, expected);
  }
  const check = async () => {
    const ofPreset = known === undefined && query.format === FORMATS[0] && Object.keys(query.given).length === 0;
    const found = await loadManifest(env.DB, account, set, now, { digest, ofPreset });
    // A reader whose key was verified within the last minutes is still served while D1 fails.
    if (found.staleSince !== null) {
      if (known === undefined || !isWithin(USABLE, known.readAt, now)) return { kind: 'unverifiable' } as const;
      const { keyExpiresAt } = known.reader;
      const isExpired = keyExpiresAt !== null && keyExpiresAt * 1_000 <= now;
      return isExpired ? DENIED : access(known.reader, found, expected);
    }
    const { reader } = found;
    if (reader === null) return DENIED;
    const selected = select(query, reader, found.manifest?.settings);
    if ('errors' in selected) return access(reader, found, selected);
    const isExpected = found.parameters === selected.set.parameters;
    const current = isExpected
      ? found
      : await loadManifest(env.DB, account, selected.set, now, { digest, ofPreset: false });
    rememberManifest(account, selected.set, current);
    return access(reader, current, selected);
  };
  return known === undefined
    ? checkLimited({ env, request, subject: `feed:${account}`, secret: digest }, check)
    : check();
}

type Selected = ReturnType<typeof select>;

const DENIED = { kind: 'denied' } as const;
