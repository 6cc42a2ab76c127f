import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { entriesOf, readDirectory } from '../../../src/operator/databases.ts';
import {
  type Move,
  moveAccount,
  planMove,
  type Step,
  stateOf,
  undoMove,
} from '../../../src/operator/move/move.ts';
import { ServedAccount } from '../../worker/databases/served-account.ts';
import { databases, prepareThree } from '../../worker/databases/three.ts';

const [first, second] = databases as unknown as [Move['from'], Move['to']];
const { properties, checks, every } = env.MOVES;

/** No request of these tests is under way when an account is frozen. */
const QUICKLY = { graceMs: 0 };

/** A run of the full size takes hours. */
const HOURS = 12 * 3_600_000;

beforeAll(async () => {
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
  await moveAccount(await nextMove(account), QUICKLY);
  expect(await rowsOf(accountId, second.db)).toEqual(before);
  await account.check();
  expect(account.states).toBe(1);
  // An isolate that has read its caller within the last second writes to the old database, which refuses it.
  await account.update();
  await account.check();
  expect(await account.update()).toBe(200);
  await account.check();
  expect(await rowsOf(accountId, second.db)).not.toEqual(before);
  expect([await databaseOf(account.code), await stateOf(first.db, accountId)]).toEqual([
    'DB_2',
    'left',
  ]);
  expect(
    (await entriesOf(databases)).filter((entry) => entry.account === account.code),
  ).toHaveLength(1);
});

/** An account's rows in a database, without those that are derived. */
async function rowsOf(accountId: number, db: D1Database): Promise<unknown> {
  const owned = ['units', 'properties', 'unit_history', 'readers', 'clients'].map(
    (name) => `${name} WHERE account_id`,
  );
  const results = await db.batch(
    ['accounts WHERE id', ...owned].map((from) =>
      db.prepare(`SELECT * FROM ${from} = ? ORDER BY 1`).bind(accountId),
    ),
  );
  return results.map((result) => result.results);
}

class Killed extends Error {}

/** The databases of a program that is killed at one use of them: before it, or after it and before the response. */
function killedAt(
  isLast: (use: number) => boolean,
  when: 'before' | 'after',
  onUse: (use: number) => Promise<void> = async () => {},
) {
  let uses = 0;
  let isKilled = false;
  // One use after another: what the killed program has begun has ended when the test continues.
  let last: Promise<unknown> = Promise.resolve();
  const use = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(async () => {
      const isLastUse = isLast(++uses);
      if (isKilled || (isLastUse && when === 'before')) throw new Killed();
      const value = await run();
      await onUse(uses);
      if (isLastUse) throw new Killed();
      return value;
    });
    last = result.catch(() => {
      isKilled = true;
    });
    return result;
  };
  const statement = (real: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(real, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (name === 'bind') return (...values: unknown[]) => statement(target.bind(...values));
        return typeof value === 'function'
          ? (...values: never[]) => use(() => value.apply(target, values))
          : value;
      },
    });
  const wrap = (db: D1Database) =>
    ({
      prepare: (sql: string) => statement(db.prepare(sql)),
      // A statement that D1 can execute is behind each proxy, which it reads through.
      batch: (statements: D1PreparedStatement[]) => use(() => db.batch(statements)),
    }) as unknown as D1Database;
  return {
    all: databases.map(({ name, db }) => ({ name, db: wrap(db) })),
    uses: () => uses,
    settled: () => last,
  };
}

/** The move of an account to the other one of two databases, as the command plans it. */
async function nextMove(account: ServedAccount): Promise<Move> {
  return planned(account, (await databaseOf(account.code)) === second.name ? first : second);
}

async function planned({ code }: ServedAccount, to: Move['to'], all = databases): Promise<Move> {
  return (await planMove(all, code, all.find(({ name }) => name === to.name)!))!;
}

async function databaseOf(code: string): Promise<string> {
  const entry = (await readDirectory(first.db)).find(({ account }) => account === code);
  return entry?.database ?? first.name;
}

test('a move that is killed at any statement after the switch: it cannot be undone, but be repeated, or moved back', async () => {
  const account = await new ServedAccount(first.db, 'SWITCHED').open();
  const { accountId } = account.agency;
  let kills = 0;
  for (let isComplete = false; !isComplete; kills++) {
    for (const isMovedBack of [false, true]) {
      const { from, to } = await nextMove(account);
      let switchedAt = Number.MAX_SAFE_INTEGER;
      const { all, uses, settled } = killedAt((use) => use > switchedAt + kills, 'before');
      const move = await planned(account, to, all);
      const onStep = (step: Step) => {
        if (step === 'completing') switchedAt = uses();
      };
      isComplete = await moveAccount(move, { ...QUICKLY, onStep }).catch(() => false);
      await settled();
      await account.check();
      if (!isComplete) {
        await expect(undoMove(await planned(account, to))).rejects.toThrow(
          `The account is in ${to.name}.`,
        );
        await moveAccount(await planned(account, isMovedBack ? from : to), QUICKLY);
      }
      const [lives, left] = isMovedBack && !isComplete ? [from, to] : [to, from];
      await account.check();
      await account.update();
      expect(await account.update()).toBe(200);
      await account.check();
      const states = [await stateOf(lives.db, accountId), await stateOf(left.db, accountId)];
      expect([await databaseOf(account.code), ...states]).toEqual([lives.name, null, 'left']);
    }
  }
  expect(kills).toBeGreaterThan(2);
});

test(
  `a move of ${properties} properties under load, killed at one statement in ${every}, and repeated or undone: no update is lost, and no feed is stale or torn in ${checks} checks`,
  async () => {
    const account = await new ServedAccount(first.db, 'MOVED').open(properties);
    await account.update();
    await account.check();
    const began = performance.now();
    await moveAccount(await nextMove(account), QUICKLY);
    const seconds = (performance.now() - began) / 1_000;
    console.log(
      `moved in ${seconds.toFixed(1)} s, and the grace of 3 s, which it did not wait for`,
    );
    await account.check();
    let kills = 0;
    for (let kill = 1, isComplete = false; !isComplete || account.checks < checks; kill += every) {
      const move = await nextMove(account);
      // Updates and feeds between any two statements of the program.
      const { all, uses, settled } = killedAt(
        (use) => use === kill && !isComplete,
        kill % 2 === 0 ? 'before' : 'after',
        async (use) => {
          if (use % 10 === 0) await account.update();
          if (use % 15 === 0) await account.check();
        },
      );
      const limit = isComplete ? Number.MAX_SAFE_INTEGER : kill;
      const moving = planned(account, move.to, all).then((killed) => moveAccount(killed, QUICKLY));
      const hasMoved = await moving.then(
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
      else await moveAccount(await planned(account, move.to), QUICKLY);
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
      JSON.stringify({
        properties,
        seconds,
        kills,
        checks: account.checks,
        updates: account.updates,
        refused: account.refused,
      }),
    );
    expect(kills).toBeGreaterThan(0);
  },
  HOURS,
);
