import { removeLeastUsed } from '../../db/snapshots.ts';
import type { Env } from '../../env.ts';
import { snapshotKey } from '../../feed/snapshot-store.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { count } from '../print.ts';

/** Snapshots dropped in one step. */
const STEP = 100;

export const dropSnapshots = command({
  command: 'drop',
  describe: "Drop all that is kept of an account's feeds; the next request of each builds it anew",
  examples: [['snapshot drop --account COSTA', 'Drop what is kept for COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const dropped = await withEnv(context, args, async (env) => dropAll(env, await accountOf(env, args.account, args)));
    return { json: { dropped }, text: `${count(dropped, 'snapshot')} dropped.\n` };
  },
});

async function dropAll(env: Env, accountId: number): Promise<number> {
  for (let dropped = 0; ; ) {
    const names = await removeLeastUsed(env.DB, accountId, 0, STEP);
    await Promise.all(names.map((name) => env.SNAPSHOTS.delete(snapshotKey(name))));
    dropped += names.length;
    if (names.length < STEP) return dropped;
  }
}
