import { findAccountId } from '../../db/operator/accounts.ts';
import { type NamedDatabase, readDirectory } from '../../db/operator/databases.ts';
import { finishMove, MoveFailed, moveAccount, otherDatabase, stateOf, undoMove } from '../../db/operator/move/move.ts';
import { advanceIncarnation } from '../../db/operator/restored.ts';
import { describeError } from '../../lib/log.ts';
import { command, databasesOf, withEnv } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { flag, required } from '../command/options.ts';

function databaseNamed(given: string, option: string, all: readonly NamedDatabase[]): NamedDatabase {
  const name = given.toUpperCase();
  const found = all.find((database) => database.name === name);
  if (found !== undefined) return found;
  throw usageFailure(`--${option} must be one of ${all.map((database) => database.name).join(', ')}: ${name}`);
}

export const moveCommand = command({
  command: 'move <code>',
  describe: 'Move an account to another database; its feeds are served meanwhile, and writes wait for seconds',
  options: {
    to: required('The binding of the database, such as DB_2'),
    undo: flag('Undo a move that was interrupted'),
  },
  async run({ code, ...args }, context) {
    const print = (step: string) => context.err(args.json ? '' : `${code}: ${step}\n`);
    const [database, result] = await withEnv(context, args, async (env) => {
      const all = databasesOf(env);
      const to = databaseNamed(args.to, 'to', all);
      const entry = (await readDirectory(all[0]!.db)).find(({ account }) => account === code);
      const from = all.find(({ name }) => name === (entry?.database ?? all[0]!.name))!;
      const accountId = await findAccountId(from.db, code);
      if (accountId === null) throw new Failure('no_account', `Account not found: ${code}.`);
      const places = { code, accountId, from, to, all };
      const work = args.undo ? undo(places) : from === to ? complete(places) : move(places, print);
      return [to.name, await work];
    });
    return { json: { code, database, result }, text: `Account ${code}: ${result}.\n` };
  },
});

type Places = Parameters<typeof moveAccount>[0];

async function move(places: Places, print: (step: string) => void): Promise<string> {
  await moveAccount(places, print).catch(async (error: unknown) => {
    const reason = error instanceof MoveFailed ? error.message : describeError(error);
    const state = await stateOf(places.from.db, places.accountId).catch(() => undefined);
    throw new Failure('not_moved', interruptedMove(places, state, reason));
  });
  return 'moved';
}

/**
 * What happened to a move that did not end, what is still true, and what to run next.
 *
 * @param state of the move in the database that the account leaves; `undefined` if that cannot be read
 */
export function interruptedMove(
  { code, from, to }: Pick<Places, 'code' | 'from' | 'to'>,
  state: Awaited<ReturnType<typeof stateOf>> | undefined,
  reason: string,
): string {
  const command = `lindero account move ${code} --to ${to.name}`;
  const writable = `Account ${code} is still in ${from.name}: its feeds are served, and it can be changed.`;
  const again = `Run \`${command}\` again, or \`${command} --undo\` to leave the account in ${from.name}.`;
  const [truth, next] = {
    unread: [`${from.name} cannot be read. Nothing that was acknowledged is lost, and feeds are served.`, again],
    none: [writable, `Run \`${command}\` again.`],
    leaving: [`${writable} The copy in ${to.name} is incomplete, and nothing reads it.`, again],
    frozen: [
      `Account ${code}: its feeds are served, but changes are refused until the move is complete or undone.`,
      again,
    ],
    left: [
      `Account ${code} is in ${to.name}, where its feeds are served, but changes may be refused.`,
      `Run \`${command}\` again.`,
    ],
    arriving: [writable, again],
  }[state === undefined ? 'unread' : (state ?? 'none')] as [string, string];
  return `The move to ${to.name} was interrupted: ${reason} ${truth} ${next}`;
}

/** The directory already names the database: completes a move that was interrupted after that. */
async function complete({ accountId, to, all }: Places): Promise<string> {
  if ((await stateOf(to.db, accountId)) === null) return `is in ${to.name}`;
  const name = await otherDatabase(to.db, accountId);
  const from = all.find((database) => database.name === name);
  if (from !== undefined) await finishMove({ from, to, accountId });
  return 'moved';
}

async function undo(places: Places): Promise<string> {
  if (places.from === places.to) {
    throw new Failure('already_moved', 'The account has moved. Complete the move without --undo, then move it back.');
  }
  await undoMove(places);
  return 'the move is undone';
}

export const restored = command({
  command: 'restored',
  describe: 'Call it right after a database was restored to an earlier state: it makes ETags, cache keys and ids new',
  options: { database: required('The binding of the database') },
  async run(args, context) {
    const [name, incarnation] = await withEnv(context, args, async (env) => {
      const all = databasesOf(env);
      const database = databaseNamed(args.database, 'database', all);
      return [database.name, await advanceIncarnation(database, all)];
    });
    return { json: { database: name, incarnation }, text: `Database ${name} has the incarnation ${incarnation}.\n` };
  },
});
