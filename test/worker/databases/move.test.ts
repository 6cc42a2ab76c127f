import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { entriesOf, readDirectory } from '../../../src/db/operator/databases.ts';
import { finishMove, type Move, moveAccount, stateOf, undoMove } from '../../../src/db/operator/move/move.ts';
import { ServedAccount } from './served-account.ts';
import { databases, prepareThree } from './three.ts';

const [first, second] = databases as unknown as [Move['from'], Move['to']];
const { properties, checks, every } = env.MOVES;

/** A run of the full size takes hours. */
const HOURS = 12 * 3_600_000;

beforeAll(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await prepareThree();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a move: all rows are in the other database, with their ids; feeds keep their ETags, tokens and keys stay valid', async () => {
  const account = await new ServedAccount(first.db, 'ONCE').open();
  const { accountId } = account.agency;
  await account.update();
  await account.check();
  const before = await rowsOf(accountId, first.db);
  await moveAccount(await nextMove(account));
  expect(await rowsOf(accountId, second.db)).toEqual(before);
  await account.check();
  expect(account.states).toBe(1);
  // An isolate that has read its caller within the last second writes to the old database, which refuses it.
  await account.update();
  await account.check();
  expect(await account.update()).toBe(200);
  await account.check();
  expect(await rowsOf(accountId, second.db)).not.toEqual(before);
  expect([await databaseOf(account.code), await stateOf(first.db, accountId)]).toEqual(['DB_2', 'left']);
  expect((await entriesOf(databases)).filter((entry) => entry.account === account.code)).toHaveLength(1);
});

/** An account's rows in a database, without those that are derived. */
async function rowsOf(accountId: number, db: D1Database): Promise<unknown> {
  const owned = ['units', 'properties', 'unit_history', 'readers', 'clients'].map((name) => `${name} WHERE account_id`);
  const results = await db.batch(
    ['accounts WHERE id', ...owned].map((from) => db.prepare(`SELECT * FROM ${from} = ? ORDER BY 1`).bind(accountId)),
  );
  return results.map((result) => result.results);
}

class Killed extends Error {}

/** The databases of a program that is killed at its n-th use of them: before it, or after it and before the response. */
function killedAt(count: number, when: 'before' | 'after', onUse: (uses: number) => Promise<void>) {
  let uses = 0;
  // One use after another: what the killed program has begun has ended when the test continues.
  let last: Promise<unknown> = Promise.resolve();
  const use = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(async () => {
      if (++uses > count || (uses === count && when === 'before')) throw new Killed();
      const value = await run();
      await onUse(uses);
      if (uses === count) throw new Killed();
      return value;
    });
    last = result.catch(() => {});
    return result;
  };
  const statement = (real: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(real, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (name === 'bind') return (...values: unknown[]) => statement(target.bind(...values));
        return typeof value === 'function' ? (...values: never[]) => use(() => value.apply(target, values)) : value;
      },
    });
  const wrap = (db: D1Database) =>
    ({
      prepare: (sql: string) => statement(db.prepare(sql)),
      // A statement that D1 can execute is behind each proxy, which it reads through.
      batch: (statements: D1PreparedStatement[]) => use(() => db.batch(statements)),
    }) as unknown as D1Database;
  return { all: databases.map(({ name, db }) => ({ name, db: wrap(db) })), uses: () => uses, settled: () => last };
}

/** The move of an account to the other one of two databases. */
async function nextMove({ code, agency: { accountId } }: ServedAccount): Promise<Move> {
  const isInSecond = (await databaseOf(code)) === second.name;
  const [from, to] = isInSecond ? [second, first] : [first, second];
  return { code, accountId, from, to, all: databases };
}

async function databaseOf(code: string): Promise<string> {
  const entry = (await readDirectory(first.db)).find(({ account }) => account === code);
  return entry?.database ?? first.name;
}

/** Continues as an operator does who repeats the command. */
async function repeat(move: Move): Promise<void> {
  if ((await databaseOf(move.code)) !== move.to.name) return moveAccount(move);
  const states = [await stateOf(move.from.db, move.accountId), await stateOf(move.to.db, move.accountId)];
  if (states[0] !== 'left' || states[1] !== null) await finishMove(move);
}

test(
  `a move of ${properties} properties under load, killed at one statement in ${every}, and repeated or undone: no update is lost, and no feed is stale or torn in ${checks} checks`,
  async () => {
    const account = await new ServedAccount(first.db, 'MOVED').open(properties);
    await account.update();
    await account.check();
    let kills = 0;
    for (let kill = 1, isComplete = false; !isComplete || account.checks < checks; kill += every) {
      const move = await nextMove(account);
      // Updates and feeds between any two statements of the program.
      const { all, uses, settled } = killedAt(
        isComplete ? Number.MAX_SAFE_INTEGER : kill,
        kill % 2 === 0 ? 'before' : 'after',
        async (use) => {
          if (use % 10 === 0) await account.update();
          if (use % 15 === 0) await account.check();
        },
      );
      const named = (name: string) => all.find((each) => each.name === name)!;
      const limit = isComplete ? Number.MAX_SAFE_INTEGER : kill;
      const hasMoved = await moveAccount({ ...move, from: named(move.from.name), to: named(move.to.name), all }).then(
        () => true,
        (error) => {
          if (uses() < limit) throw error;
          return false;
        },
      );
      await settled();
      await account.check();
      await account.update();
      const isUndone = kill % 4 < 2 && (await databaseOf(account.code)) !== move.to.name;
      if (isUndone) await undoMove(move);
      else await repeat(move);
      await account.check();
      await account.check();
      const where = `killed at statement ${kill}`;
      expect(await account.update(), where).toBe(200);
      await account.check();
      const states = [
        await stateOf(move.from.db, account.agency.accountId),
        await stateOf(move.to.db, account.agency.accountId),
      ];
      expect(states, where).toEqual(isUndone ? [null, null] : ['left', null]);
      if (hasMoved) isComplete = true;
      else kills++;
    }
    console.log(
      JSON.stringify({ properties, kills, checks: account.checks, updates: account.updates, refused: account.refused }),
    );
    expect(kills).toBeGreaterThan(0);
  },
  HOURS,
);
