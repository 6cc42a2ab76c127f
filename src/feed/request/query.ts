import { getPath } from 'hono/utils/url';
import type { FormatSettings } from '../../db/schema.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { message } from '../../messages/messages.ts';
import { policyIn, policyName } from '../../readers/policy.ts';
import { type Envelope, envelopeOf } from '../document/envelope.ts';
import type { FeedFormat } from '../formats/format.ts';
import { FORMATS, formatAt, versionOf } from '../formats/formats.ts';
import {
  type FeedParameters,
  type GivenParameters,
  notAllowed,
  type Paging,
  type ParameterError,
  pickParameters,
  spellingsOf,
} from '../formats/parameters.ts';
import { channelSuffix } from '../manifest/segments.ts';
import type { SnapshotSet } from '../snapshots/table.ts';
import {
  accountCodeIn,
  type Credentials,
  pathCredentials,
  queryCredentials,
} from './credentials.ts';
import { applyPreset, NO_PRESET, type Preset, withoutOthers } from './preset.ts';

export interface FeedSelection {
  readonly parameters: FeedParameters;
  readonly envelope: Envelope;
  readonly set: SnapshotSet;
  /** The key of the preset and the settings that it was made with. */
  readonly key?: string;
}

export interface FeedQuery extends FeedSelection {
  readonly format: FeedFormat;
  /** The parameters of the URL that decide which bytes the feed has, as text. */
  readonly given: GivenParameters;
  readonly paging: Paging;
  readonly credentials: Partial<Credentials>;
  /** The selection with the preset of the reader that this URL was last authorized for; `null` before that. */
  readonly preselected: FeedSelection | null;
}

/**
 * Queries by URL: a portal requests the same one for years. Only authorized requests are cached, so that nobody else can
 * fill the cache. Like the URLs it contains passwords, and it exists only in the isolate's memory.
 */
const cached = boundedCache<FeedQuery>({ maxBytes: 6_000_000, valueBytes: 5_000 });

/** Characters of the longest cached URL: all parameters together need half of that. */
const MAX_URL_LENGTH = 1_000;

export function cacheQuery(url: string, query: FeedQuery): void {
  if (url.length <= MAX_URL_LENGTH) cached.set(url, query);
}

/**
 * What a request selects with a preset and what the account has stated for the format, or the parameters that contradict a fixed
 * preset or are not allowed.
 */
export function select(
  query: FeedQuery,
  preset: Preset,
  settings: FormatSettings = {},
): FeedSelection | { readonly errors: readonly ParameterError[] } {
  const { preselected, format } = query;
  const stated = settings[format.name] ?? '';
  if (preset === NO_PRESET && stated === '') return query;
  const key = `${preset.preset} ${preset.isFixed} ${preset.channel} ${preset.policy} ${stated}`;
  if (preselected?.key === key) return preselected;
  const { given, errors } = applyPreset(format, query.given, preset, stated);
  const { parameters, errors: invalid } = format.parse(given);
  if (errors.length + invalid.length > 0) return { errors: [...errors, ...invalid] };
  return { ...selectionOf(format, parameters, preset.channel, preset.policy), key };
}

/** The query of a feed request, or all errors in it. */
export function readQuery(
  request: Request,
): FeedQuery | { readonly errors: readonly ParameterError[] } {
  const known = cached.get(request.url);
  if (known !== undefined) return known;
  const format = formatAt(getPath(request));
  if (format === undefined) throw new Error('The path is not a feed’s');
  const picked = pickParameters(
    new URL(request.url).searchParams,
    spellingsOf(format.parameterNames),
  );
  const { U } = picked.given;
  const user =
    U !== undefined && accountCodeIn(U) === undefined ? [notAllowed('U', U, message('user'))] : [];
  const { parameters, paging, errors: invalid } = format.parse(picked.given);
  const errors = [...picked.errors, ...user, ...invalid];
  if (errors.length > 0) return { errors };
  const credentials = { ...pathCredentials(getPath(request)), ...queryCredentials(picked.given) };
  return {
    ...selectionOf(format, parameters, null, ''),
    format,
    given: withoutOthers(format, picked.given),
    paging,
    credentials,
    preselected: null,
  };
}

/** What a preset selects in the first format, for a request without parameters of its own. */
export function selectPreset(preset: string, channel: number | null, policy = ''): FeedSelection {
  const [format] = FORMATS;
  const { given } = applyPreset(format!, {}, { preset, isFixed: false });
  return selectionOf(format!, format!.parse(given).parameters, channel, policy);
}

function selectionOf(
  format: FeedFormat,
  given: FeedParameters,
  channel: number | null,
  policy: string,
): FeedSelection {
  const parameters = policy === '' ? given : { ...given, policy: policyIn(policy) };
  const name = `${format.canonicalName(given)}${policy === '' ? '' : `&${policyName(policy)}`}`;
  const { listingDate: byListing } = parameters;
  return {
    parameters,
    envelope: envelopeOf(format, parameters),
    set: {
      format: versionOf(format),
      parameters: `${shortened(name)}${channel === null ? '' : channelSuffix(channel)}`,
      byListing,
      channel,
      withDevelopments: format.developments !== undefined,
    },
  };
}

/** Leaves room for the rest of a key in KV, which has at most 512 bytes. Only a long email address exceeds it. */
const MAX_NAME_LENGTH = 350;

/** A name as it is or, if it is too long, with a digest instead of its end. */
function shortened(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH - 33)}~${sha256Hex(name).slice(0, 32)}`;
}
