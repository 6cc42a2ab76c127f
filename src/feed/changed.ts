import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import { forgetHeads } from './head.ts';
import { dropOutdated } from './snapshots.ts';

/**
 * To be called once a change of an account's data is committed: this isolate forgets what it knows of the account's
 * feeds at once, and outdated snapshots are dropped in the background, which neither fails nor slows the change.
 */
export function feedsChanged(env: Env, context: Pick<ExecutionContext, 'waitUntil'>, accountId: number): void {
  forgetHeads(accountId);
  context.waitUntil(
    dropOutdated(env, accountId).catch((error) => log('warn', 'drop', { accountId, error: describeError(error) })),
  );
}
