import type { Env } from '../env.ts';
import { deleteSnapshots } from '../feed/snapshots/store.ts';
import { removeLeastUsed } from '../feed/snapshots/table.ts';

/** Snapshots deleted at a time, and in one request: an invocation may execute 1,000 operations in KV. */
const BATCH = 100;
const MOST = 800;

/** Deletes up to 800 snapshots of an account, which are built again when they are requested; returns how many. */
export async function deleteSnapshotsOf(env: Env, accountId: number): Promise<number> {
  let deleted = 0;
  while (deleted < MOST) {
    const names = await removeLeastUsed(env.DB, accountId, 0, BATCH);
    deleted += await deleteSnapshots(env, names);
    if (names.length < BATCH) break;
  }
  return deleted;
}
