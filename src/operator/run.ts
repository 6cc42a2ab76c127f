import { readSetting } from '../accounts/accounts.ts';
import { unlistAccount } from '../accounts/directory.ts';
import { deleteCopy, findOldCopy } from '../accounts/moves.ts';
import type { Env } from '../env.ts';
import { importsOf } from '../imports/runs/files.ts';
import { describeError, log } from '../lib/log.ts';
import { filesOf } from '../pictures/names.ts';
import { ProblemError } from '../problem.ts';
import { sendTask } from '../tasks/tasks.ts';
import { accountNamed, databasesOf, type FoundAccount, firstOf } from './access.ts';
import { backupsOf } from './backups/store.ts';
import { databaseNamed, type NamedDatabase } from './databases.ts';
import { GRACE_MS, type Move, moveAccount, planMove, stateOf, undoMove } from './move/move.ts';
import {
  cancelOperations,
  endOperation,
  findOperation,
  noteProgress,
  type Operation,
  OperationFailed,
  releaseOperation,
  stalledOperations,
  takeOperation,
} from './operations.ts';
import { advanceIncarnation } from './restored.ts';
import { deleteSnapshotsOf } from './snapshots.ts';

/** Steps of a deletion in one invocation, which may execute 1,000 statements and operations of KV. */
const DELETIONS = 40;

/** Milliseconds after which the lease of an operation that is under way is renewed. */
const RENEWAL_MS = 30_000;

/** Seconds after which a message comes again for an operation that somebody else has. */
const LATER_SECONDS = 60;

/** What an operation has reached: its result, or `null` if another message continues it. */
type Outcome = string | null;

/**
 * Continues an operation. A message that comes twice, or an isolate that ends, does no harm: whatever has been done is found, and
 * done once.
 *
 * @param graceMs how long a move waits for requests that are under way
 * @throws an error that a later attempt may not meet
 */
export async function continueOperation(env: Env, id: number, graceMs = GRACE_MS): Promise<void> {
  const first = firstOf(env);
  const taken = await takeOperation(first.DB, id);
  if (taken === null) {
    // Somebody else works on it, or has ended without saying so: then it is continued later.
    const { endedAt = 0 } = (await findOperation(first.DB, id)) ?? {};
    if (endedAt === null) await sendTask(first, { kind: 'operation', id }, LATER_SECONDS);
    return;
  }
  let detail = taken.detail;
  const progress = (reached: string) => {
    detail = reached;
    return noteProgress(first.DB, id, reached);
  };
  const renewal = setInterval(() => progress(detail).catch(() => {}), RENEWAL_MS);
  try {
    const outcome = await RUN[taken.kind](first, taken, progress, graceMs);
    if (outcome !== null) return await endOperation(first.DB, id, 'finished', outcome);
    await releaseOperation(first.DB, id);
    await sendTask(first, { kind: 'operation', id });
  } catch (error) {
    if (!(error instanceof OperationFailed || error instanceof ProblemError)) {
      await releaseOperation(first.DB, id).catch(() => {});
      throw error;
    }
    log('error', 'operation.failed', {
      operation: id,
      kind: taken.kind,
      error: describeError(error),
    });
    await endOperation(first.DB, id, 'failed', error.message);
  } finally {
    clearInterval(renewal);
  }
}

/** Sends the messages of operations again whose message was lost. @param env of the first database */
export async function resumeOperations(env: Env): Promise<void> {
  for (const id of await stalledOperations(env.DB)) await sendTask(env, { kind: 'operation', id });
}

type Run = (
  env: Env,
  operation: Operation,
  progress: (detail: string) => Promise<void>,
  graceMs: number,
) => Promise<Outcome>;

const RUN: Readonly<Record<Operation['kind'], Run>> = {
  async move(env, operation, progress, graceMs) {
    const move = await moveOf(env, operation);
    return (await moveAccount(move, { onStep: progress, graceMs }))
      ? `moved to ${move.to.name}`
      : `already in ${move.to.name}`;
  },
  async 'undo move'(env, operation) {
    const move = await moveOf(env, operation);
    await cancelOperations(env.DB, move.code, 'move');
    await undoMove(move);
    return `the account stays in ${move.from.name}`;
  },
  async delete(env, { account }, progress) {
    const found = await accountNamed(env, account!).catch((error: unknown) => {
      if (error instanceof ProblemError) return null;
      throw error;
    });
    if (found !== null) {
      await checkDeletable(found);
      if (!(await deletePart(found, progress))) return null;
    }
    if (!(await deleteOldCopy(databasesOf(env), account!))) return null;
    await unlistAccount(env.DB, account!);
    return 'deleted';
  },
  async restored(env, { database }) {
    const all = databasesOf(env);
    return `the incarnation is ${await advanceIncarnation(databaseNamed(all, database!), all)}`;
  },
};

async function moveOf(env: Env, { account, database }: Operation): Promise<Move> {
  const all = databasesOf(env);
  const move = await planMove(all, account!, databaseNamed(all, database!));
  if (move === null) throw new OperationFailed(`There is no account ${account}.`);
  return move;
}

/** @throws ProblemError if the account is enabled, or is being moved */
export async function checkDeletable({ env, id, code }: FoundAccount): Promise<void> {
  if (!(await readSetting(env.DB, id, 'disabled'))) {
    throw new ProblemError({
      code: 'account_enabled',
      detail: `Only a disabled account can be deleted: disable ${code}.`,
    });
  }
  if ((await stateOf(env.DB, id)) !== null) {
    throw new ProblemError({
      code: 'account_moving',
      detail: `${code} is being moved: complete or undo the move first.`,
    });
  }
}

/**
 * Deletes part of a disabled account: its cached feeds, its files, and its rows, of which its own is the last.
 *
 * @returns whether nothing is left
 */
async function deletePart(
  { env, id, code }: FoundAccount,
  progress: (detail: string) => Promise<void>,
) {
  const prefixes = [backupsOf(code), importsOf(id), ...filesOf(code)];
  await progress('deleting cached feeds');
  if ((await deleteSnapshotsOf(env, id)) > 0) return false;
  await progress('deleting files');
  for (const prefix of prefixes) if (await deleteFiles(env.FILES, prefix)) return false;
  await progress('deleting properties and units');
  for (let step = 0; step < DELETIONS; step++) {
    if (!(await deleteCopy(env.DB, id))) continue;
    // A backup or an import that was under way may have stored another file.
    for (const prefix of prefixes) await deleteFiles(env.FILES, prefix);
    return true;
  }
  return false;
}

/** Deletes part of what databases still have of an account that has left them. @returns whether nothing is left */
export async function deleteOldCopy(all: readonly NamedDatabase[], code: string): Promise<boolean> {
  let steps = DELETIONS;
  for (const { db } of all) {
    const id = await findOldCopy(db, code);
    if (id === null) continue;
    do if (steps-- === 0) return false;
    while (!(await deleteCopy(db, id)));
  }
  return true;
}

/** Deletes up to 1,000 files whose keys begin like this. @returns whether there were any */
async function deleteFiles(files: R2Bucket, prefix: string): Promise<boolean> {
  const { objects } = await files.list({ prefix });
  if (objects.length > 0) await files.delete(objects.map(({ key }) => key));
  return objects.length > 0;
}
