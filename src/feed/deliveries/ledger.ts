import { LRUCache } from 'lru-cache';
import type { Manifest, ManifestReader } from '../../db/feed/manifest.ts';
import type { SnapshotSet } from '../../db/feed/snapshots.ts';
import {
  DELIVERY_RECORDED_EVERY_SECONDS,
  type Delivery,
  isRecorded,
  type NewDelivery,
  recordVisits,
} from '../../db/readers/deliveries.ts';
import type { Match } from '../../lib/http/conditional.ts';
import { describeError, log } from '../../lib/log.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import type { FeedFormat } from '../formats/format.ts';
import {
  addRequest,
  countsByDate,
  type DeliveredState,
  hasJustBeenSent,
  newPending,
  type Pending,
  subtract,
  writeOf,
} from './pending.ts';

/** What a reader has requested. */
export interface Requested {
  readonly manifest: Manifest;
  readonly reader: ManifestReader;
  readonly format: FeedFormat;
  readonly set: SnapshotSet;
}

/** What a reader was sent. */
export type Outcome =
  /** Something other than the feed, or not all of it. */
  | { readonly kind: 'visit' }
  | { readonly kind: 'not modified'; readonly match: Match }
  /** `bytes` is `null` for a body that repeats one that was sent a moment ago, and that nobody has observed. */
  | { readonly kind: 'sent'; readonly bytes: number | null; readonly origin: Delivery['origin'] };

/** By reader and feed. A row is written at most once in ten minutes, so what an isolate has not written yet may be lost. */
const pendings = new LRUCache<string, Pending>({ max: 2_000 });

/**
 * Whether the reader was sent the same state within the last ten minutes: to observe a body costs more than to send it, and
 * would show nothing new.
 */
export function isRepetition(requested: Requested): boolean {
  return hasJustBeenSent(pendings.get(keyOf(requested)), stateOf(requested), now());
}

/**
 * Counts the response to one request of a reader, and records what is pending for the reader and feed if that is due. It never
 * fails: nothing that goes wrong here reaches the reader.
 */
export async function recordOutcome(db: D1Database, requested: Requested, outcome: Outcome): Promise<void> {
  const at = now();
  const key = keyOf(requested);
  const pending = pendings.get(key) ?? newPending(at);
  pendings.set(key, pending);
  const status = outcome.kind === 'visit' ? null : outcome.kind === 'sent' ? 200 : 304;
  addRequest(pending, status, deliveryOf(outcome, stateOf(requested), at), at);
  if (at < pending.due) return;
  // Until the write has succeeded, nobody else tries it.
  pending.due = at + DELIVERY_RECORDED_EVERY_SECONDS;
  const { reader } = requested;
  try {
    await record(db, reader.id, feedOf(requested), pending);
  } catch (error) {
    log('warn', 'ledger.failed', { reader: reader.name, error: describeError(error) });
  }
}

/** What a response shows of the state that the reader has; `null` if nothing. */
function deliveryOf(outcome: Outcome, state: DeliveredState, at: EpochSeconds): NewDelivery | null {
  if (outcome.kind === 'sent' && outcome.bytes !== null) {
    return {
      at,
      ...state,
      status: 200,
      bytes: outcome.bytes,
      origin: outcome.origin,
      confirmedAt: null,
      isProof: true,
    };
  }
  // Anyone can send `*` or a date of their own.
  if (outcome.kind !== 'not modified' || outcome.match === 'other') return null;
  const isProof = outcome.match === 'etag';
  return { at, ...state, status: 304, bytes: 0, origin: 'not modified', confirmedAt: at, isProof };
}

async function record(db: D1Database, readerId: number, feed: string, pending: Pending): Promise<void> {
  const failed = pending.write;
  if (failed !== null && (await isRecorded(db, readerId, feed, failed.lastAt))) subtract(failed, pending);
  const write = writeOf(pending);
  pending.write = write;
  if (await recordVisits(db, readerId, { feed, ...write, days: countsByDate(write) })) subtract(write, pending);
  pending.write = null;
}

/** The name of the format and the canonical name of the parameter set. */
function feedOf({ format, set }: Requested): string {
  return `${format.name}?${set.parameters}`;
}

function keyOf(requested: Requested): string {
  return `${requested.reader.id} ${feedOf(requested)}`;
}

/** What the response shows. */
function stateOf({ manifest, set }: Requested): DeliveredState {
  const { sale, rental } = manifest.accountRevisions;
  return {
    saleRevision: set.dependsOn.sale ? sale : null,
    rentalRevision: set.dependsOn.rental ? rental : null,
    channelRevision: manifest.channelRevision,
  };
}

function now(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}
