import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { entriesOf, readDirectory } from '../../../src/db/operator/databases.ts';
import { finishMove, type Move, moveAccount, stateOf, undoMove } from '../../../src/db/operator/move/move.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/agency.ts';
import { ask } from '../../support/ask.ts';
import { openReader } from '../../support/readers.ts';
import { databases, prepareThree, three } from './three.ts';

const [first, second] = databases as unknown as [Move['from'], Move['to']];
const UNITS = ['A-1', 'A-2', 'A-3', 'A-4'];
/** The program is killed at each of its statements with `npm run fuzz`, otherwise at some of them. */
const STEP = env.FUZZ.cases > 10_000 ? 1 : 9;

beforeAll(async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await prepareThree();
});

afterEach(() => {
  vi.useRealTimers();
});

let agencies = 0;

/** An agency in the first database, with rows in most tables; and what its client and readers do. */
class Account {
  readonly code = `MOVE${++agencies}`;
  agency!: Agency;
  move!: Move;
  #token = '';
  /** The price of each unit that was acknowledged, and one whose response was lost. */
  readonly prices = new Map<string, number>();
  readonly uncertain = new Map<string, number>();
  /** By ETag, the body that it names. */
  readonly bodies = new Map<string, string>();
  price = 100;
  refused = 0;
  checks = 0;

  async open(): Promise<this> {
    this.agency = await createAgency(first.db, this.code, UNITS, ['units:write', 'units:read', 'readers:write']);
    const { accountId, clientId } = this.agency;
    this.move = { code: this.code, accountId, from: first, to: second, all: databases };
    await openReader(accountId, 'portal');
    await first.db
      .prepare("INSERT INTO account_events (account_id, change_number, type) VALUES (?, 0, 'import.finished')")
      .bind(accountId)
      .run();
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: this.agency.secret,
    });
    const { bytes } = await ask('/oauth/token', { method: 'POST', body }, three);
    this.#token = JSON.parse(new TextDecoder().decode(bytes)).access_token;
    return this;
  }

  /** Updates a unit, until it is acknowledged or refused. */
  async update(): Promise<number> {
    const name = UNITS[this.price % UNITS.length]!;
    const price = ++this.price;
    const response = await ask(
      `/v1/developments/${DEVELOPMENT}/units/update-by-name`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ UntName: name, UntStatus: 1, UntPrice: price, UntDirections: [] }),
      },
      three,
    );
    if (response.status === 200) this.prices.set(name, price);
    else {
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
      this.refused++;
    }
    return response.status;
  }

  /** Fetches the feed a second later, and checks that it has everything acknowledged, and that its ETag names only this. */
  async check(): Promise<void> {
    vi.setSystemTime(Date.now() + 1_001);
    const url = `/CreateXMLFeedV3.asp?FV=3&U=OWNPROPERTIES@${this.code}&P=demo`;
    const { status, headers, bytes } = await ask(url, {}, three);
    expect(status).toBe(200);
    const text = new TextDecoder().decode(bytes);
    const prices = [...text.matchAll(/<price>(\d+)<\/price>/g)].map(([, price]) => Number(price));
    expect(prices).toEqual(UNITS.map((name) => this.prices.get(name) ?? 100_000));
    const etag = headers.get('ETag')!;
    expect(this.bodies.get(etag) ?? text).toBe(text);
    this.bodies.set(etag, text);
    this.checks++;
  }

  /** Its rows in a database, without those that are derived. */
  async rows(db: D1Database): Promise<unknown> {
    const tables = ['accounts WHERE id = ?', 'units WHERE account_id = ?', 'properties WHERE account_id = ?'];
    const others = [
      'unit_history WHERE account_id = ?',
      'readers WHERE account_id = ?',
      'clients WHERE account_id = ?',
    ];
    const results = await db.batch(
      [...tables, ...others].map((table) =>
        db.prepare(`SELECT * FROM ${table} ORDER BY 1`).bind(this.agency.accountId),
      ),
    );
    return results.map((result) => result.results);
  }
}

class Killed extends Error {}

/** The databases of a program that is killed at its n-th use of them: before it, or after it and before the response. */
function killedAt(count: number, when: 'before' | 'after', onUse: () => Promise<void>) {
  let uses = 0;
  // One use after another: what the killed program has begun has ended when the test continues.
  let last: Promise<unknown> = Promise.resolve();
  const use = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = last.then(async () => {
      if (++uses > count || (uses === count && when === 'before')) throw new Killed();
      const value = await run();
      if (uses % 5 === 0) await onUse();
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

function moveWith(account: Account, all: Move['all']): Move {
  return { ...account.move, from: all[0]!, to: all[1]!, all };
}

/** Continues as an operator does who repeats the command. */
async function repeat({ move, code }: Account): Promise<void> {
  const entry = (await readDirectory(first.db)).find(({ account }) => account === code);
  if (entry?.database !== second.name) await moveAccount(move);
  else if (
    (await stateOf(first.db, move.accountId)) !== 'left' ||
    (await stateOf(second.db, move.accountId)) !== null
  ) {
    await finishMove(move);
  }
}

test('move: all rows are in the other database, with their ids; feeds keep their ETags, tokens and keys stay valid', async () => {
  const account = await new Account().open();
  await account.update();
  await account.check();
  const before = (await account.rows(first.db)) as object[][];
  await moveAccount(account.move);
  expect(await account.rows(second.db)).toEqual(before);
  await account.check();
  expect(account.bodies.size).toBe(1);
  // An isolate that has read its caller within the last second writes to the old database, which refuses it.
  await account.update();
  await account.check();
  expect(await account.update()).toBe(200);
  await account.check();
  expect(await account.rows(second.db)).not.toEqual(before);
  const [{ database } = { database: '' }] = (await readDirectory(first.db)).filter(
    ({ account: code }) => code === account.code,
  );
  expect([database, await stateOf(first.db, account.move.accountId)]).toEqual(['DB_2', 'left']);
  expect((await entriesOf(databases)).filter((entry) => entry.account === account.code)).toHaveLength(1);
});

test.each(['before', 'after'] as const)(
  'move, killed %s each of its statements under load: repeated, it is complete, nothing acknowledged is lost, no feed is stale',
  async (when) => {
    let checks = 0;
    for (let kill = 1, isComplete = false; !isComplete; kill += STEP) {
      const account = await new Account().open();
      let calls = 0;
      const { all, uses, settled } = killedAt(kill, when, async () => {
        // Load between any two statements of the program.
        await account.update();
        if (++calls % 3 === 0) await account.check();
      });
      isComplete = await moveAccount(moveWith(account, all)).then(
        () => true,
        (error) => {
          if (uses() < kill) throw error;
          return false;
        },
      );
      await settled();
      await account.check();
      await account.update();
      await repeat(account);
      await account.check();
      await account.check();
      expect(await account.update(), `killed ${when} statement ${kill}`).toBe(200);
      await account.check();
      const states = [
        await stateOf(first.db, account.move.accountId),
        await stateOf(second.db, account.move.accountId),
      ];
      expect(states, `killed ${when} statement ${kill}`).toEqual(['left', null]);
      checks += account.checks;
    }
    expect(checks).toBeGreaterThan(STEP === 1 ? 300 : 40);
  },
);

test('move, killed at each of its statements, and undone: the account is where it was, and can be written', async () => {
  for (let kill = 1; ; kill += STEP) {
    const account = await new Account().open();
    const { all } = killedAt(kill, 'after', async () => {});
    const isComplete = await moveAccount(moveWith(account, all)).then(
      () => true,
      () => false,
    );
    const entry = (await readDirectory(first.db)).find((each) => each.account === account.code);
    if (isComplete || entry?.database === second.name) break;
    await undoMove(account.move);
    expect(await account.update(), `killed at statement ${kill}`).toBe(200);
    await account.check();
    const left = await second.db
      .prepare('SELECT count(*) AS n FROM properties WHERE account_id = ?')
      .bind(account.move.accountId);
    expect([await stateOf(first.db, account.move.accountId), await left.first('n')]).toEqual([null, 0]);
  }
});
