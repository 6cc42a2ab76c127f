import { DELIVERY_RECORDED_EVERY_SECONDS, type Delivery, type NewDelivery } from '../../db/readers/deliveries.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';

const SECONDS_PER_DAY = 86_400;

/** A state of a feed, as a delivery states it. */
export type DeliveredState = Pick<Delivery, 'saleRevision' | 'rentalRevision' | 'channelRevision'>;

/** Requests of a reader for one feed that are not recorded yet. */
export interface Pending {
  count: number;
  lastAt: EpochSeconds;
  /** By day, counted from 1970-01-01 UTC. */
  readonly days: Map<number, readonly [full: number, notModified: number]>;
  delivery: NewDelivery | null;
  /** The last body that was sent completely, recorded or not. */
  sent: NewDelivery | null;
  /** When they may be recorded. */
  due: EpochSeconds;
  /** The last write while its outcome is not known: if D1 failed, it may have been committed all the same. */
  write: Write | null;
}

/** What a write records. */
export interface Write extends Pick<Pending, 'count' | 'lastAt' | 'delivery'> {
  readonly days: readonly (readonly [day: number, readonly [full: number, notModified: number]])[];
}

export function newPending(at: EpochSeconds): Pending {
  return { count: 0, lastAt: at, days: new Map(), delivery: null, sent: null, due: 0, write: null };
}

/** Whether a feed was sent completely in this state in the ten minutes before a time. */
export function hasJustBeenSent(pending: Pending | undefined, state: DeliveredState, at: EpochSeconds): boolean {
  const sent = pending?.sent;
  return sent != null && at - sent.at < DELIVERY_RECORDED_EVERY_SECONDS && isSameState(sent, state);
}

/** Adds a request to those that are pending. */
export function addRequest(
  pending: Pending,
  status: Delivery['status'] | null,
  delivery: NewDelivery | null,
  at: EpochSeconds,
): void {
  pending.count++;
  pending.lastAt = Math.max(pending.lastAt, at);
  if (status !== null) {
    const day = Math.floor(at / SECONDS_PER_DAY);
    const [full, notModified] = pending.days.get(day) ?? [0, 0];
    pending.days.set(day, status === 200 ? [full + 1, notModified] : [full, notModified + 1]);
  }
  if (delivery !== null) addDelivery(pending, delivery);
}

function addDelivery(pending: Pending, delivery: NewDelivery): void {
  const { delivery: last } = pending;
  const isKnown = last !== null && isSameState(last, delivery);
  if (delivery.status === 200) {
    pending.sent = delivery;
    pending.delivery = isKnown ? { ...delivery, confirmedAt: last.confirmedAt } : delivery;
  } else if (isKnown) pending.delivery = { ...last, confirmedAt: last.confirmedAt ?? delivery.confirmedAt };
  else if (last === null || delivery.isProof) pending.delivery = delivery;
}

/** What is to be written now. */
export function writeOf({ count, lastAt, days, delivery }: Pending): Write {
  return { count, lastAt, days: [...days], delivery };
}

/** Removes what has been recorded from what is pending: what came meanwhile stays. */
export function subtract({ count, days, delivery }: Write, pending: Pending): void {
  pending.count -= count;
  if (pending.delivery === delivery) pending.delivery = null;
  for (const [day, [full, notModified]] of days) {
    const [fullNow, notModifiedNow] = pending.days.get(day)!;
    pending.days.set(day, [fullNow - full, notModifiedNow - notModified]);
    if (fullNow === full && notModifiedNow === notModified) pending.days.delete(day);
  }
}

/** The counts of a write by date, as `yyyy-mm-dd`. */
export function countsByDate({ days }: Write): Readonly<Record<string, readonly [number, number]>> {
  const dateOf = (day: number) => new Date(day * SECONDS_PER_DAY * 1_000).toISOString().slice(0, 10);
  return Object.fromEntries(days.map(([day, counts]) => [dateOf(day), counts]));
}

function isSameState(one: DeliveredState, other: DeliveredState): boolean {
  return (
    one.saleRevision === other.saleRevision &&
    one.rentalRevision === other.rentalRevision &&
    one.channelRevision === other.channelRevision
  );
}
