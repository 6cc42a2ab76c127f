import { boundedCache } from '../../lib/bounded-cache.ts';
import type { Match } from '../../lib/http/conditional.ts';
import { describeError, log } from '../../lib/log.ts';
import { type EpochSeconds, isoDate, nowInSeconds } from '../../lib/time/time.ts';
import {
  DELIVERY_RECORDED_EVERY_SECONDS,
  type Delivery,
  type NewDelivery,
  type Requests,
  recordRequests,
  sumOfDays,
} from '../../readers/deliveries.ts';
import type { KeyReader } from '../../readers/keys.ts';
import { joinVisits, NO_FEED, programOf, type Visit } from '../../readers/visits.ts';
import type { FeedFormat } from '../formats/format.ts';
import type { SnapshotSet } from '../snapshots/table.ts';

export interface Requested {
  readonly reader: KeyReader;
  readonly format: FeedFormat;
  /** The feed that it is for, and the number of the account's last change; `null` if it contradicts the reader's preset. */
  readonly feed: { readonly set: SnapshotSet; readonly revision: number } | null;
  readonly compressed: boolean;
  /** What the program calls itself, as it was sent. */
  readonly userAgent: string | null;
}

export type Outcome =
  /** Something other than the feed, or not all of it. */
  | {
      readonly kind: 'other';
      readonly answer: 'refused' | 'failed' | 'interrupted' | 'no_feed';
      readonly bytes: number;
    }
  | { readonly kind: 'not modified'; readonly match: Match }
  /** `bytes` is `null` for a body that repeats one that was sent a moment ago, and that nobody has observed. */
  | {
      readonly kind: 'sent';
      readonly bytes: number | null;
      readonly records: number | null;
      readonly origin: Delivery['origin'];
    };

/** Requests of a reader for one feed that are not recorded yet. */
interface Pending {
  requests: Requests | null;
  /** The last body that was sent completely, recorded or not. */
  sent: (NewDelivery & { readonly compressed: boolean }) | null;
  due: EpochSeconds;
}

/** By reader and feed. A row is written at most once in ten minutes, so what an isolate has not written yet can be lost. */
const pendings = boundedCache<Pending>({ maxBytes: 4_000_000, valueBytes: 2_000 });

/**
 * Whether the reader was sent the same state within the last ten minutes: to observe a body costs more than to send it, and
 * would show nothing new.
 */
export function isRepetition(requested: Requested): boolean {
  const sent = pendings.get(keyOf(requested))?.sent;
  if (sent == null || nowInSeconds() - sent.at >= DELIVERY_RECORDED_EVERY_SECONDS) return false;
  return sent.revision === requested.feed?.revision && sent.compressed === requested.compressed;
}

/**
 * Counts the response to one request of a reader, and records what is pending for the reader and feed if that is due. It never
 * fails: nothing that goes wrong here reaches the reader.
 */
export async function recordOutcome(
  db: D1Database,
  requested: Requested,
  outcome: Outcome,
  status: number,
): Promise<void> {
  const at = nowInSeconds();
  const { reader, compressed } = requested;
  const key = keyOf(requested);
  const pending: Pending = pendings.get(key) ?? { requests: null, sent: null, due: 0 };
  pendings.set(key, pending);
  const delivery = deliveryOf(outcome, requested.feed?.revision ?? 0, at);
  if (delivery?.status === 200) pending.sent = { ...delivery, compressed };
  const counts = outcome.kind === 'sent' ? ([1, 0] as const) : ([0, 1] as const);
  const days = outcome.kind === 'other' ? {} : { [isoDate(at)]: counts };
  const requests = merged(pending.requests, {
    feed: feedOf(requested),
    count: 1,
    lastAt: at,
    days,
    delivery,
    visits: [visitOf(requested, outcome, status, at, pending.sent?.bytes ?? 0)],
  });
  if (at < pending.due) {
    pending.requests = requests;
    return;
  }
  // What arrives during the write is pending. If it fails, its requests are lost: it may have been committed all the same.
  pending.requests = null;
  pending.due = at + DELIVERY_RECORDED_EVERY_SECONDS;
  try {
    const isDone = await recordRequests(db, reader.id, requests);
    if (!isDone)
      pending.requests = pending.requests === null ? requests : merged(requests, pending.requests);
  } catch (error) {
    log('warn', 'ledger.failed', { reader: reader.name, error: describeError(error) });
  }
}

/** @param sent the size of the last body that was sent, which one that nobody has observed repeats */
function visitOf(
  { userAgent }: Requested,
  outcome: Outcome,
  status: number,
  at: EpochSeconds,
  sent: number,
): Visit {
  const request = { at, until: at, count: 1, status, program: programOf(userAgent) };
  if (outcome.kind === 'other')
    return { ...request, answer: outcome.answer, records: null, bytes: outcome.bytes };
  if (outcome.kind === 'not modified')
    return { ...request, answer: 'not_modified', records: null, bytes: 0 };
  const { records, bytes } = outcome;
  return { ...request, answer: 'full', records, bytes: bytes ?? sent };
}

/** What a response shows of the state that the reader has; `null` if nothing. */
function deliveryOf(outcome: Outcome, revision: number, at: EpochSeconds): NewDelivery | null {
  if (outcome.kind === 'sent' && outcome.bytes !== null) {
    const { bytes, origin } = outcome;
    return { at, revision, status: 200, bytes, origin, confirmedAt: null, isProof: true };
  }
  // Anyone can send `*` or a date of their own.
  if (outcome.kind !== 'not modified' || outcome.match === 'other') return null;
  const isProof = outcome.match === 'etag';
  return { at, revision, status: 304, bytes: 0, origin: 'not modified', confirmedAt: at, isProof };
}

function merged(earlier: Requests | null, later: Requests): Requests {
  if (earlier === null) return later;
  return {
    feed: later.feed,
    count: earlier.count + later.count,
    lastAt: Math.max(earlier.lastAt, later.lastAt),
    days: sumOfDays([earlier.days, later.days]),
    delivery: lastOf(earlier.delivery, later.delivery),
    visits: joinVisits(earlier.visits, later.visits),
  };
}

/** The last delivery of two: one for the state that is known already only confirms it. */
function lastOf(earlier: NewDelivery | null, later: NewDelivery | null): NewDelivery | null {
  if (earlier === null || later === null) return earlier ?? later;
  if (earlier.revision !== later.revision) return later.isProof ? later : earlier;
  const confirmedAt = earlier.confirmedAt ?? later.confirmedAt;
  return { ...(later.status === 200 ? later : earlier), confirmedAt };
}

function feedOf({ format, feed }: Requested): string {
  return feed === null ? NO_FEED : `${format.name}?${feed.set.parameters}`;
}

function keyOf(requested: Requested): string {
  return `${requested.reader.id} ${feedOf(requested)}`;
}
