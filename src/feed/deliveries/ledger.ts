import { DELIVERY_RECORDED_EVERY_SECONDS, type Delivery, isRecorded, recordVisits } from '../../db/deliveries.ts';
import { LruMap } from '../../lib/lru.ts';
import type { EpochSeconds } from '../../lib/time.ts';

const SECONDS_PER_DAY = 86_400;

/** Requests of a reader for one feed that are not recorded yet. */
interface Pending {
  count: number;
  lastAt: EpochSeconds;
  /** By day, counted from 1970-01-01 UTC. */
  readonly days: Map<number, readonly [full: number, notModified: number]>;
  delivery: Delivery | null;
  /** The last body that was taken completely, recorded or not. */
  taken: Delivery | null;
  /** When they may be recorded. */
  due: EpochSeconds;
  /** The last write while its outcome is not known: if D1 failed, it may have been committed all the same. */
  write: Write | null;
}

/** What a write records. */
interface Write extends Pick<Pending, 'count' | 'lastAt' | 'delivery'> {
  readonly days: readonly (readonly [day: number, readonly [full: number, notModified: number]])[];
}

/** By reader and feed. A row is written at most once in ten minutes, so what an isolate has not written yet may be lost. */
const pendings = new LruMap<string, Pending>(2_000);

/** A response to a reader's request. */
export interface ReaderResponse {
  readonly readerId: number;
  /** The name of the format and the canonical name of the parameter set. */
  readonly feed: string;
  /** `null` for a visit that did not get the feed. */
  readonly status: Delivery['status'] | null;
  /** The delivery, if the response has shown that the reader has a state of the feed, and it was not known before. */
  readonly delivery: Delivery | null;
  readonly at: EpochSeconds;
}

/** A state of a feed, as a delivery states it. */
export type DeliveredState = Pick<Delivery, 'saleRevision' | 'rentalRevision' | 'channelRevision'>;

/** Whether a reader has taken a feed completely in this state, in the ten minutes before a time in seconds. */
export function hasJustTaken(readerId: number, feed: string, state: DeliveredState, at: number): boolean {
  const taken = pendings.get(keyOf(readerId, feed))?.taken;
  return taken != null && at - taken.at < DELIVERY_RECORDED_EVERY_SECONDS && isSameState(taken, state);
}

/**
 * Counts a response, and records what is pending for its reader and feed if that is due.
 *
 * @returns the write, if one is due: it never fails, and nothing waits for it
 */
export function countDelivery(
  db: D1Database,
  response: ReaderResponse,
  report: (error: unknown) => void,
): Promise<void> | null {
  const { readerId, feed, status, delivery, at } = response;
  const key = keyOf(readerId, feed);
  const pending = pendings.get(key) ?? newPending(at);
  pending.count++;
  pending.lastAt = Math.max(pending.lastAt, at);
  if (status !== null) countStatus(pending, status, at);
  if (delivery !== null) addDelivery(pending, delivery);
  pendings.set(key, pending);
  if (at < pending.due) return null;
  // Until the write has succeeded, nobody else tries it.
  pending.due = at + DELIVERY_RECORDED_EVERY_SECONDS;
  return record(db, readerId, feed, pending).catch(report);
}

async function record(db: D1Database, readerId: number, feed: string, pending: Pending): Promise<void> {
  const failed = pending.write;
  if (failed !== null && (await isRecorded(db, readerId, feed, failed.lastAt))) subtract(failed, pending);
  const write = { count: pending.count, lastAt: pending.lastAt, days: [...pending.days], delivery: pending.delivery };
  pending.write = write;
  const days = Object.fromEntries(write.days.map(([day, counts]) => [dateOf(day), counts]));
  if (await recordVisits(db, readerId, { feed, ...write, days })) subtract(write, pending);
  pending.write = null;
}

/** Removes what has been recorded from what is pending: what came meanwhile stays. */
function subtract({ count, days, delivery }: Write, pending: Pending): void {
  pending.count -= count;
  if (pending.delivery === delivery) pending.delivery = null;
  for (const [day, [full, notModified]] of days) {
    const [fullNow, notModifiedNow] = pending.days.get(day)!;
    pending.days.set(day, [fullNow - full, notModifiedNow - notModified]);
    if (fullNow === full && notModifiedNow === notModified) pending.days.delete(day);
  }
}

/** The date of a day, as `yyyy-mm-dd`. */
function dateOf(day: number): string {
  return new Date(day * SECONDS_PER_DAY * 1_000).toISOString().slice(0, 10);
}

function keyOf(readerId: number, feed: string): string {
  return `${readerId} ${feed}`;
}

function newPending(at: number): Pending {
  return { count: 0, lastAt: at, days: new Map(), delivery: null, taken: null, due: 0, write: null };
}

function countStatus({ days }: Pending, status: Delivery['status'], at: number): void {
  const day = Math.floor(at / SECONDS_PER_DAY);
  const [full, notModified] = days.get(day) ?? [0, 0];
  days.set(day, status === 200 ? [full + 1, notModified] : [full, notModified + 1]);
}

function addDelivery(pending: Pending, delivery: Delivery): void {
  const { delivery: last } = pending;
  if (delivery.status === 200) pending.taken = delivery;
  if (delivery.status === 200 || last === null || !isSameState(last, delivery)) pending.delivery = delivery;
}

function isSameState(one: DeliveredState, other: DeliveredState): boolean {
  return (
    one.saleRevision === other.saleRevision &&
    one.rentalRevision === other.rentalRevision &&
    one.channelRevision === other.channelRevision
  );
}
