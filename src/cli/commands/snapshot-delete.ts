import { removeLeastUsed } from '../../db/snapshots.ts';
import type { Env } from '../../env.ts';
import { snapshotKey } from '../../feed/snapshots/store.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { count } from '../print.ts';

/** Snapshots deleted at once. */
const BATCH = 100;

export const deleteSnapshots = command({
  command: 'delete',
  describe: "Delete an account's snapshots; feeds are rebuilt when they are next requested",
  examples: [['snapshot delete --account COSTA', 'Delete the snapshots of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const deleted = await withEnv(context, args, async (env) =>
      deleteAll(env, await accountOf(env, args.account, args)),
    );
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
