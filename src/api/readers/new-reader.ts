import type { NewReader, ReaderFeed } from '../../db/readers/readers.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import { selectPreset } from '../../feed/request/query.ts';
import { newReaderKey } from '../../feed/request/reader-key.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';

/** Seconds of a day. */
export const DAY_SECONDS = 86_400;

/** Days for which the old keys of a reader stay valid after a new one was created, unless stated otherwise. */
export const DEFAULT_OLD_KEY_DAYS = 14;

/** The most that can be stated. */
export const MAX_OLD_KEY_DAYS = 365;

/** What somebody says of the feed that a reader gets. */
export interface ReaderFeedRequest {
  /** Feed parameters, as a query. */
  readonly preset: string;
  readonly fixed: boolean;
  /** The id of the channel whose properties it gets; `null` for all. */
  readonly channelId: number | null;
  /** What it may see, as `policyText` has it; everything by default. */
  readonly policy?: string;
}

/** What somebody says of a reader to be created. */
export interface ReaderRequest extends ReaderFeedRequest {
  readonly accountId: number;
  readonly name: string;
  /** Which portal of the console's list it is, and what people call it. */
  readonly portal?: string;
  readonly title?: string;
}

/** A reader with a new key, ready to be stored; or what is wrong with its preset. */
export function newReader({
  preset,
  fixed,
  channelId,
  policy,
  ...address
}: ReaderRequest):
  | { readonly reader: NewReader; readonly key: string }
  | { readonly errors: readonly ParameterError[] } {
  const feed = readerFeed({ preset, fixed, channelId, ...(policy !== undefined && { policy }) });
  if ('errors' in feed) return feed;
  const key = newReaderKey();
  return { reader: { ...address, ...feed, digest: sha256Hex(key) }, key };
}

/** What is stored of the feed that a reader gets; or what is wrong with its preset. */
export function readerFeed({
  preset: text,
  fixed,
  channelId,
  policy = '',
}: ReaderFeedRequest): ReaderFeed | { readonly errors: readonly ParameterError[] } {
  const parsed = parsePreset(text);
  if ('errors' in parsed) return parsed;
  const { preset } = parsed;
  const { set } = selectPreset(preset, channelId, policy);
  return { preset, fixed, channelId, policy, parameters: set.byListing ? null : set.parameters };
}
