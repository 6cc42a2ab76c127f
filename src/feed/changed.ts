import type { Env } from '../env.ts';
import { isWithin } from '../lib/age.ts';
import { describeError, log } from '../lib/log.ts';
import { forgetHeads } from './head.ts';
import { dropOutdated } from './snapshots.ts';

/** Milliseconds for which a drop does the work of later changes as well; the platform ends it after thirty seconds. */
const LONGEST_DROP = 10_000;

/** Milliseconds between two looks of one drop: a burst is to gather meanwhile. */
const PAUSE = 100;

/** A drop that is under way in the background of some request. */
interface Drop {
  readonly begun: number;
  /** Whether the account has changed since the drop last looked. */
  overtaken: boolean;
}

/** By account. A drop whose request the platform has ended stays here, and counts no longer than the longest. */
const drops = new Map<number, Drop>();

/**
 * To be called once a change of an account's data is committed: this isolate forgets what it knows of the account's
 * feeds at once, and outdated snapshots are dropped in the background, which neither fails nor slows the change. The
 * changes of a burst have one drop after the other, not one each.
 *
 * @param now milliseconds since 1970-01-01 UTC
 */
export function feedsChanged(
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  accountId: number,
  now: number,
): void {
  forgetHeads(accountId);
  const underWay = drops.get(accountId);
  if (underWay !== undefined && isWithin(LONGEST_DROP, underWay.begun, now)) {
    underWay.overtaken = true;
    return;
  }
  context.waitUntil(
    drop(env, accountId, now).catch((error) => log('warn', 'drop', { accountId, error: describeError(error) })),
  );
}

async function drop(env: Env, accountId: number, now: number): Promise<void> {
  const drop: Drop = { begun: now, overtaken: false };
  drops.set(accountId, drop);
  try {
    for (;;) {
      drop.overtaken = false;
      await dropOutdated(env, accountId);
      if (!drop.overtaken) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  } finally {
    if (drops.get(accountId) === drop) drops.delete(accountId);
  }
}
