import { listSnapshots } from '../../db/operator/snapshot-list.ts';
import { removeLeastUsed } from '../../db/snapshots.ts';
import type { Env } from '../../env.ts';
import { snapshotKey } from '../../feed/snapshots/key.ts';
import { isoTime } from '../../lib/time.ts';
import { ACCOUNT, inAccount } from '../command/account.ts';
import { command, group } from '../command/command.ts';
import { count, table } from '../command/print.ts';

const listSnapshotsCommand = command({
  command: 'list',
  describe: "List an account's snapshots",
  examples: [['snapshot list --account COSTA', 'Their KV keys, sizes and times']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const listed = await inAccount(context, args, (env, accountId) => listSnapshots(env.DB, accountId));
    const snapshots = listed.map((snapshot) => ({
      key: snapshotKey(snapshot),
      bytes: snapshot.bytes,
      length: snapshot.length,
      cached_at: isoTime(snapshot.cachedAt),
      last_used_at: isoTime(snapshot.lastUsedAt),
    }));
    const text = table(['KEY', 'BYTES', 'UNCOMPRESSED', 'CACHED', 'LAST USED'], snapshots.map(Object.values));
    return { json: { snapshots }, text };
  },
});

/** Snapshots deleted at once. */
const BATCH = 100;

const deleteSnapshots = command({
  command: 'delete',
  describe: "Delete an account's snapshots; feeds are rebuilt when they are next requested",
  examples: [['snapshot delete --account COSTA', 'Delete the snapshots of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const deleted = await inAccount(context, args, deleteAll);
    return { json: { deleted }, text: `Deleted ${count(deleted, 'snapshot')}.\n` };
  },
});

async function deleteAll(env: Env, accountId: number): Promise<number> {
  for (let deleted = 0; ; ) {
    const names = await removeLeastUsed(env.DB, accountId, 0, BATCH);
    await Promise.all(names.map((name) => env.SNAPSHOTS.delete(snapshotKey(name))));
    deleted += names.length;
    if (names.length < BATCH) return deleted;
  }
}

export const snapshot = group('snapshot', 'Cached parts of feeds; missing ones are rebuilt on request', [
  listSnapshotsCommand,
  deleteSnapshots,
]);
