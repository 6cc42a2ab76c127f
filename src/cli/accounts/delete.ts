import { importsOf } from '../../api/imports/files.ts';
import { backupsOf } from '../../databases/backups/store.ts';
import { environmentsOf, FIRST } from '../../databases/environments.ts';
import { readSetting } from '../../db/accounts/accounts.ts';
import { unlistAccount } from '../../db/accounts/directory.ts';
import { deleteCopy } from '../../db/accounts/moves.ts';
import { stateOf } from '../../db/operator/move/move.ts';
import { accountCommand, withTarget } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { Failure } from '../command/failure.ts';
import { deleteAllSnapshots } from '../operation/snapshot.ts';

/** Deletes an account. Its own row is the last one, so the command can be repeated after an interruption. */
export const deleteCommand = accountCommand({
  command: 'delete <code>',
  describe:
    'Delete a disabled account with its properties, clients, readers, imports and backups: this cannot be undone',
  async run(args, { env, db, accountId, code }) {
    if (!(await readSetting(db, accountId, 'disabled'))) {
      const disable = withTarget(args, `account disable ${code}`);
      throw new Failure('account_enabled', `Only a disabled account can be deleted. Disable it first: ${disable}`);
    }
    if ((await stateOf(db, accountId)) !== null) {
      throw new Failure('being_moved', `Account ${code} is being moved. Complete or undo the move first.`);
    }
    noteChange(
      `Part of account ${code} may have been deleted. Delete the rest: ${withTarget(args, `account delete ${code}`)}`,
    );
    const prefixes = [backupsOf(code), importsOf(accountId)];
    await deleteAllSnapshots(env, db, accountId);
    for (const prefix of prefixes) await deleteFiles(env.FILES, prefix);
    while (!(await deleteCopy(db, accountId)));
    // A backup or an import that was under way may have stored another file.
    for (const prefix of prefixes) await deleteFiles(env.FILES, prefix);
    await unlistAccount(environmentsOf(env).get(FIRST)!.DB, code);
    return { json: { code, deleted: true }, text: `Deleted account ${code}.\n` };
  },
});

async function deleteFiles(files: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await files.list({ prefix });
    if (objects.length > 0) await files.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}
