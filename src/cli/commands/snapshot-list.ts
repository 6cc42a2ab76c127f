import { listSnapshots } from '../../db/operator/snapshot-list.ts';
import { snapshotKey } from '../../feed/snapshot-store.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { table } from '../print.ts';

export const listSnapshotsCommand = command({
  command: 'list',
  describe: "List what is kept of an account's feeds",
  examples: [['snapshot list --account COSTA', 'Names in KV, with their sizes and times']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const snapshots = await withEnv(context, args, async (env) =>
      listSnapshots(env.DB, await accountOf(env, args.account, args)),
    );
    return {
      json: {
        snapshots: snapshots.map((snapshot) => ({
          name: snapshotKey(snapshot),
          bytes: snapshot.bytes,
          length: snapshot.length,
          kept_at: isoTime(snapshot.cachedAt),
          used_at: isoTime(snapshot.lastUsedAt),
        })),
      },
      text: table(
        ['NAME', 'BYTES', 'UNCOMPRESSED', 'KEPT', 'USED'],
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
