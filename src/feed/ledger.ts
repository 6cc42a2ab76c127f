import { DELIVERY_RECORDED_EVERY, type Delivery, recordVisits } from '../db/deliveries.ts';
import { LruMap } from '../lib/lru.ts';

const SECONDS_PER_DAY = 86_400;

/** Requests of a reader for one feed that are not recorded yet. */
interface Pending {
  count: number;
  /** Seconds since 1970-01-01 UTC. */
  lastAt: number;
  /** By day, counted from 1970-01-01 UTC. */
  readonly days: Map<number, readonly [full: number, notModified: number]>;
  delivery: Delivery | null;
  /** When they may be recorded, in seconds since 1970-01-01 UTC. */
  due: number;
}

/** By reader and feed. A row is written at most once in ten minutes, so what an isolate has not written yet may be lost. */
const pendings = new LruMap<string, Pending>(2_000);

/** A response to a reader's request. */
export interface ReaderResponse {
  readonly readerId: number;
  /** The name of the format and the canonical name of the parameter set. */
  readonly feed: string;
  /** The delivery, if the response has shown that the reader has a state of the feed; `null` for any other visit. */
  readonly delivery: Delivery | null;
  /** Seconds since 1970-01-01 UTC. */
  readonly at: number;
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
  const { readerId, feed, delivery, at } = response;
  const key = `${readerId} ${feed}`;
  const pending = pendings.get(key) ?? { count: 0, lastAt: at, days: new Map(), delivery: null, due: 0 };
  pending.count++;
  pending.lastAt = Math.max(pending.lastAt, at);
  if (delivery !== null) addDelivery(pending, delivery);
  pendings.set(key, pending);
  if (at < pending.due) return null;
  // Until the write has succeeded, nobody else tries it.
  pending.due = at + DELIVERY_RECORDED_EVERY;
  return record(db, readerId, feed, pending).catch(report);
}

async function record(db: D1Database, readerId: number, feed: string, pending: Pending): Promise<void> {
  const { count, lastAt, delivery } = pending;
  const counted = [...pending.days];
  const days = Object.fromEntries(counted.map(([day, counts]) => [dateOf(day), counts]));
  if (!(await recordVisits(db, readerId, { feed, count, lastAt, days, delivery }))) return;
  // What came meanwhile stays.
  pending.count -= count;
  if (pending.delivery === delivery) pending.delivery = null;
  for (const [day, [full, notModified]] of counted) {
    const [fullNow, notModifiedNow] = pending.days.get(day)!;
    pending.days.set(day, [fullNow - full, notModifiedNow - notModified]);
    if (fullNow === full && notModifiedNow === notModified) pending.days.delete(day);
  }
}

/** The date of a day, as `yyyy-mm-dd`. */
function dateOf(day: number): string {
  return new Date(day * SECONDS_PER_DAY * 1_000).toISOString().slice(0, 10);
}

function addDelivery(pending: Pending, delivery: Delivery): void {
  const day = Math.floor(delivery.at / SECONDS_PER_DAY);
  const [full, notModified] = pending.days.get(day) ?? [0, 0];
  pending.days.set(day, delivery.status === 200 ? [full + 1, notModified] : [full, notModified + 1]);
  const { delivery: last } = pending;
  const isSame =
    last?.saleRevision === delivery.saleRevision &&
    last.rentalRevision === delivery.rentalRevision &&
    last.channelRevision === delivery.channelRevision;
  if (delivery.status === 200 || !isSame) pending.delivery = delivery;
}
