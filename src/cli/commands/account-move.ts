import { findAccountId } from '../../db/operator/accounts.ts';
import { readDirectory } from '../../db/operator/databases.ts';
import { finishMove, MoveFailed, moveAccount, otherDatabase, stateOf, undoMove } from '../../db/operator/move/move.ts';
import type { Env } from '../../env.ts';
import { command, withEnv } from '../command/command.ts';
import { databasesOf } from '../command/databases.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { flag, required } from '../command/options.ts';

export const moveCommand = command({
  command: 'move <code>',
  describe: 'Move an account to another database; its feeds are served meanwhile, and writes wait for seconds',
  options: {
    to: required('The binding of the database, such as DB_2'),
    undo: flag('Undo a move that was interrupted'),
  },
  async run(args, context) {
    const code = args.code.toUpperCase();
    const to = args.to.toUpperCase();
    const result = await withEnv(context, args, async (env) => {
      const move = await placesOf(env, code, to);
      if (args.undo) return undo(move);
      if (move.from.name === to) return complete(move);
      await moveAccount(move, (step) => context.err(args.json ? '' : `${code}: ${step}\n`)).catch((error: unknown) => {
        throw error instanceof MoveFailed
          ? new Failure('not_moved', `${error.message} Repeat the command, or undo the move with --undo.`)
          : error;
      });
      return 'moved';
    });
    return { json: { code, database: to, result }, text: `Account ${code}: ${result}.\n` };
  },
});

/** Where the account lives according to the directory, and where it is to go. */
async function placesOf(env: Env, code: string, name: string) {
  const all = databasesOf(env);
  const to = all.find((database) => database.name === name);
  if (to === undefined) {
    throw usageFailure(`--to must be one of ${all.map((database) => database.name).join(', ')}: ${name}`);
  }
  const entry = (await readDirectory(all[0]!.db)).find(({ account }) => account === code);
  const from = all.find((database) => database.name === (entry?.database ?? all[0]!.name))!;
  const accountId = await findAccountId(from.db, code);
  if (accountId === null) throw new Failure('no_account', `Account not found: ${code}.`);
  return { code, accountId, from, to, all };
}

type Places = Awaited<ReturnType<typeof placesOf>>;

/** The directory already names the database: completes a move that was interrupted after that. */
async function complete({ accountId, to, all }: Places): Promise<string> {
  if ((await stateOf(to.db, accountId)) === null) return `is in ${to.name}`;
  const name = await otherDatabase(to.db, accountId);
  const from = all.find((database) => database.name === name);
  if (from !== undefined) await finishMove({ from, to, accountId });
  return 'moved';
}

async function undo(places: Places): Promise<string> {
  if (places.from.name === places.to.name) {
    throw new Failure('already_moved', 'The account has moved. Complete the move without --undo, then move it back.');
  }
  await undoMove(places);
  return 'the move is undone';
}
