import { listSnapshots } from '../../db/operator/snapshot-list.ts';
import { snapshotKey } from '../../feed/snapshots/store.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { table } from '../print.ts';

export const listSnapshotsCommand = command({
  command: 'list',
  describe: "List an account's snapshots",
  examples: [['snapshot list --account COSTA', 'Their KV keys, sizes and times']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const snapshots = await withEnv(context, args, async (env) =>
      listSnapshots(env.DB, await accountOf(env, args.account, args)),
    );
    return {
      json: {
        snapshots: snapshots.map((snapshot) => ({
          key: snapshotKey(snapshot),
          bytes: snapshot.bytes,
          length: snapshot.length,
          cached_at: isoTime(snapshot.cachedAt),
          last_used_at: isoTime(snapshot.lastUsedAt),
        })),
      },
      text: table(
        ['KEY', 'BYTES', 'UNCOMPRESSED', 'CACHED', 'LAST USED'],
        snapshots.map((snapshot) => [
          snapshotKey(snapshot),
          snapshot.bytes,
          snapshot.length,
          isoTime(snapshot.cachedAt),
          isoTime(snapshot.lastUsedAt),
        ]),
      ),
    };
  },
});
