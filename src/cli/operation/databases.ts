import type { NamedDatabase } from '../../db/operator/databases.ts';
import { type Move, MoveFailed, moveAccount, planMove, type Step, undoMove } from '../../db/operator/move/move.ts';
import { advanceIncarnation } from '../../db/operator/restored.ts';
import { describeError } from '../../lib/log.ts';
import { command, databasesOf, type Target, withEnv, withTarget } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { flag, required } from '../command/options.ts';

function databaseNamed(given: string, option: string, all: readonly NamedDatabase[]): NamedDatabase {
  const name = given.toUpperCase();
  const found = all.find((database) => database.name === name);
  if (found !== undefined) return found;
  throw usageFailure(`--${option} is ${name}; allowed: ${all.map((database) => database.name).join(', ')}.`);
}

export const moveCommand = command({
  command: 'move <code>',
  describe: 'Move an account to another database; its feeds are served throughout, but writes are refused meanwhile',
  options: {
    to: required('The binding of the database, such as DB_2'),
    undo: flag('Undo a move that was interrupted'),
  },
  async run({ code, ...args }, context) {
    const [database, result] = await withEnv(context, args, async (env) => {
      const all = databasesOf(env);
      const to = databaseNamed(args.to, 'to', all);
      const move = await planMove(all, code, to);
      if (move === null) throw new Failure('no_account', `Account not found: ${code}.`);
      if (args.undo) {
        if (move.isSwitched) throw new Failure('already_moved', whyNotUndone(move, args));
        await undoMove(move);
        return [to.name, 'the move is undone'];
      }
      const hasMoved = await runMove(move, args, (step) => context.err(args.json ? '' : `${code}: ${step}\n`));
      return [to.name, hasMoved ? 'moved' : `already in ${to.name}`];
    });
    return { json: { code, database, result }, text: `Account ${code}: ${result}.\n` };
  },
});

/** @param print called before each step; an interruption from then on states where the step leaves the account */
export async function runMove(move: Move, target: Remote, print: (step: Step) => void): Promise<boolean> {
  let point: Point = 'not begun';
  const onStep = (step: Step) => {
    point = step;
    noteChange(interruptedMove(move, step, target));
    print(step);
  };
  try {
    return await moveAccount(move, { onStep });
  } catch (error) {
    const reason = error instanceof MoveFailed ? error.message : describeError(error);
    throw new Failure(
      'not_moved',
      `The move to ${move.to.name} was interrupted: ${reason} ${interruptedMove(move, point, target)}`,
    );
  }
}

type Point = Step | 'not begun';
type Remote = Pick<Target, 'remote'>;

function whyNotUndone(move: Move, target: Remote): string {
  if (move.from !== move.to) return interruptedMove(move, 'completing', target);
  return `Account ${move.code} is in ${move.to.name}: no move to it can be undone. Move it to another database with --to.`;
}

/** Where the account is after a move that did not end, whether it can be changed, and what to run next. */
export function interruptedMove({ code, from, to }: Move, point: Point, target: Remote): string {
  const line = (options: string) => `\`${withTarget(target, `account move ${code} --to ${options}`)}\``;
  const served = `Account ${code} is still in ${from.name}: its feeds are served`;
  const again = `Run ${line(to.name)} again`;
  const orUndo = `${again}, or ${line(`${to.name} --undo`)} to leave the account in ${from.name}.`;
  const orBack = `${again} to complete the move; after that, ${line(from.name)} moves the account back.`;
  const refused = `${served}, but changes are refused until the move is complete or undone. ${orUndo}`;
  return {
    'not begun': `${served}, and it can be changed unless an earlier move was interrupted. ${again}.`,
    freezing: refused,
    copying: refused,
    released: `${served}, and it can be changed. The copy in ${to.name} is incomplete, and nothing reads it. ${orUndo}`,
    switching:
      `Account ${code} is in ${from.name} or already in ${to.name}: its feeds are served, ` +
      `but changes are refused until the move is complete. ${orBack}`,
    completing:
      `Account ${code} is in ${to.name}: its feeds are served, ` +
      `but changes may be refused until the move is complete. ${orBack}`,
  }[point];
}

export const restored = command({
  command: 'restored',
  describe: 'Run right after a database was restored to an earlier state: renews ETags, cache keys and ids',
  options: { database: required('The binding of the database, such as DB') },
  async run(args, context) {
    const [name, incarnation] = await withEnv(context, args, async (env) => {
      const all = databasesOf(env);
      const database = databaseNamed(args.database, 'database', all);
      return [database.name, await advanceIncarnation(database, all)];
    });
    return { json: { database: name, incarnation }, text: `Database ${name} has the incarnation ${incarnation}.\n` };
  },
});
