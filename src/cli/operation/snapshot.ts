import { removeLeastUsed } from '../../db/feed/snapshots.ts';
import { listSnapshots } from '../../db/operator/inspect.ts';
import type { Env } from '../../env.ts';
import { snapshotKey } from '../../feed/manifest/plan.ts';
import { isoTime } from '../../lib/time/time.ts';
import { accountCommand, group } from '../command/command.ts';
import { list } from '../command/print.ts';

const BATCH = 100;

export const snapshot = group('snapshot', 'List or delete cached parts of feeds, which are rebuilt on request', [
  accountCommand({
    command: 'list',
    describe: "List an account's snapshots",
    async run(_, { db, accountId }) {
      const snapshots = (await listSnapshots(db, accountId)).map((snapshot) => ({
        key: snapshotKey(snapshot),
        bytes: snapshot.bytes,
        length: snapshot.length,
        cached_at: isoTime(snapshot.cachedAt),
        last_used_at: isoTime(snapshot.lastUsedAt),
      }));
      return list('snapshots', snapshots, ['key', 'bytes', 'length', 'cached_at', 'last_used_at']);
    },
  }),
  accountCommand({
    command: 'delete',
    describe: "Delete an account's snapshots; feeds are rebuilt when they are next requested",
    run: async (_, { env, db, accountId }) => ({ json: { deleted: await deleteAllSnapshots(env, db, accountId) } }),
  }),
]);

/** Deletes all snapshots of an account, and returns how many there were. */
export async function deleteAllSnapshots({ SNAPSHOTS }: Env, db: D1Database, accountId: number): Promise<number> {
  for (let deleted = 0; ; ) {
    const names = await removeLeastUsed(db, accountId, 0, BATCH);
    await Promise.all(names.map((name) => SNAPSHOTS.delete(snapshotKey(name))));
    deleted += names.length;
    if (names.length < BATCH) return deleted;
  }
}
