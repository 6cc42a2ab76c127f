import { type FeedHead, readFeedHead } from '../db/feed-head.ts';
import type { SnapshotFacts, SnapshotName, SnapshotSet } from '../db/snapshots.ts';
import { isWithin } from '../lib/age.ts';
import { LruMap } from '../lib/lru.ts';
import { withKept } from './plan.ts';

/** Milliseconds for which a head is taken as it was read: how late a change may be seen in another isolate. */
const FRESH = 1_000;

/** Milliseconds for which a head still serves known readers where D1 fails. */
const USABLE = 10 * 60_000;

interface Remembered {
  /** `null`: there is no such account. */
  readonly head: FeedHead | null;
  /** When the reading began, by the isolate's clock. */
  readonly readAt: number;
}

/** Heads that a reader was let in by. Kept by value: a promise of D1 that two requests share would hang the second. */
const heads = new LruMap<string, Remembered>(500);

/** The others, apart, so that strangers cannot push out what known readers fall back on. */
const unproven = new LruMap<string, Remembered>(500);

/** Moves with every change that this isolate made: a reading that it overtook is not remembered. */
let changes = 0;

/** A head, and whether D1 failed and it is a copy that may only serve readers verified before. */
export interface FoundHead {
  readonly head: FeedHead | null;
  readonly onlyForKnownReaders: boolean;
}

/**
 * The head of a feed from memory, where it was read within the last second.
 *
 * @param now milliseconds since 1970-01-01 UTC
 */
export function freshHead(code: string, set: SnapshotSet, now: number): FoundHead | null {
  const remembered = recall(keyOf(code, set));
  if (remembered === undefined || !isWithin(FRESH, remembered.readAt, now)) return null;
  return { head: remembered.head, onlyForKnownReaders: false };
}

/**
 * The head of a feed as D1 has it, remembered; where D1 fails, from memory, up to ten minutes old.
 *
 * @param now milliseconds since 1970-01-01 UTC
 * @throws what D1 throws, where there is no copy to fall back on
 */
export async function readHead(db: D1Database, code: string, set: SnapshotSet, now: number): Promise<FoundHead> {
  const key = keyOf(code, set);
  const changesBefore = changes;
  try {
    const head = await readFeedHead(db, code, set);
    if (changes === changesBefore) {
      forgetOtherPasswords(code, head?.password);
      remember(key, { head, readAt: now });
    }
    return { head, onlyForKnownReaders: false };
  } catch (error) {
    const copy = heads.get(key);
    if (copy?.head == null || !isWithin(USABLE, copy.readAt, now)) throw error;
    return { head: copy.head, onlyForKnownReaders: true };
  }
}

/** An account that is disabled, or has another password now, has no copies for those that were let in before. */
function forgetOtherPasswords(code: string, password: string | undefined): void {
  for (const map of [heads, unproven]) {
    map.deleteWhere(({ head }, key) => key.startsWith(`${code} `) && head?.password !== password);
  }
}

/** Tells that a reader was let in by the head of a feed, which is kept for readers like it from then on. */
export function proveHead(code: string, set: SnapshotSet): void {
  const key = keyOf(code, set);
  const remembered = unproven.get(key);
  if (remembered === undefined) return;
  unproven.delete(key);
  heads.set(key, remembered);
}

/** Tells that a part of a feed is kept now, so that its head in memory is as D1 has it. */
export function noteKept(code: string, set: SnapshotSet, name: SnapshotName, facts: SnapshotFacts): void {
  const key = keyOf(code, set);
  const remembered = recall(key);
  if (remembered?.head == null) return;
  remember(key, { ...remembered, head: withKept(remembered.head, set, name, facts) });
}

/** Forgets every head of an account, and those that are being read now. */
export function forgetHeads(accountId: number): void {
  changes++;
  for (const map of [heads, unproven]) map.deleteWhere(({ head }) => head?.accountId === accountId);
}

function recall(key: string): Remembered | undefined {
  return heads.get(key) ?? unproven.get(key);
}

function remember(key: string, remembered: Remembered): void {
  (heads.get(key) === undefined ? unproven : heads).set(key, remembered);
}

function keyOf(code: string, { parameters }: SnapshotSet): string {
  return `${code} ${parameters}`;
}
