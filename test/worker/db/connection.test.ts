import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { connect, retryIdempotent } from '../../../src/db/connection.ts';
import {
  recordSnapshot,
  recordUse,
  type SnapshotDetails,
  type SnapshotName,
} from '../../../src/feed/snapshots/table.ts';
import { findReader, setReaderDisabled } from '../../../src/readers/readers.ts';
import { limitUnitHistory } from '../../../src/units/unit-updates.ts';
import { openReader } from '../../support/accounts/readers.ts';
import { sparseAccount } from '../../support/accounts/sparse.ts';
import { DEVELOPMENT, openAgency } from '../../support/accounts/units.ts';
import { type Use, watched } from '../../support/worker/ask.ts';

/** A connection whose first operations fail with these messages, and the operations that it attempted. */
function failing(...messages: string[]) {
  const attempts: string[] = [];
  const before = ({ what }: Use) => {
    attempts.push(what);
    const message = messages.shift();
    if (message !== undefined) throw new Error(`D1_ERROR: ${message}`);
  };
  return { db: connect(watched(before).DB), attempts };
}

const LOST = 'Network connection lost.';
const READ = 'SELECT 7 AS value';
const IDEMPOTENT = 'UPDATE accounts SET disabled = 0';
const WRITE = "INSERT INTO accounts (code, name, password) VALUES ('X', '', '')";

const RETRYABLE = [
  'D1 DB reset because its code was updated.',
  'Internal error while starting up D1 DB storage caused object to be reset.',
  LOST,
  'Internal error in D1 DB storage caused object to be reset.',
  'Cannot resolve D1 DB due to transient issue on remote node.',
  "Can't read from request stream because client disconnected.",
];

describe('a retryable error', () => {
  test('of a read, which D1 itself has repeated: no other attempt', async () => {
    const { db, attempts } = failing(LOST, LOST);
    await expect(db.prepare(READ).first()).rejects.toThrow(LOST);
    await expect(db.batch([db.prepare(READ)])).rejects.toThrow(LOST);
    expect(attempts).toEqual([READ, 'batch']);
  });

  test('of a write, or of a batch with a write: no other attempt', async () => {
    const { db, attempts } = failing(LOST, LOST);
    await expect(db.prepare(WRITE).run()).rejects.toThrow(LOST);
    await expect(db.batch([db.prepare(READ), db.prepare(WRITE)])).rejects.toThrow(LOST);
    expect(attempts).toEqual([WRITE, 'batch']);
  });

  test.each(RETRYABLE)('of an idempotent write: another attempt: %s', async (message) => {
    const { db, attempts } = failing(message);
    const write = vi.fn(() => db.prepare(IDEMPOTENT).run());
    await retryIdempotent(write);
    expect([attempts.length, write.mock.calls]).toEqual([2, [[1], [2]]]);
  });

  test('three times: the error', async () => {
    const { db, attempts } = failing(LOST, LOST, LOST);
    await expect(retryIdempotent(() => db.prepare(IDEMPOTENT).run())).rejects.toThrow(LOST);
    expect(attempts).toHaveLength(3);
  });
});

test.each([
  'D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1 DB is overloaded. Requests queued for too long.',
  'D1 DB is overloaded. Too many requests queued.',
  "D1 DB's isolate exceeded its memory limit and was reset.",
  'D1 DB exceeded its CPU time limit and was reset.',
  'near "SELCT": syntax error',
])('an error that is not retryable: no other attempt: %s', async (message) => {
  const { db, attempts } = failing(message);
  await expect(retryIdempotent(() => db.prepare(IDEMPOTENT).run())).rejects.toThrow(message);
  expect(attempts).toEqual([IDEMPOTENT]);
});

test('a missing table: an error that says what to run', async () => {
  await expect(connect(env.DB).prepare('SELECT * FROM missing').all()).rejects.toThrow(
    'npm run setup',
  );
});

describe('writes', () => {
  const FORMAT = 'f-1';
  const FACTS: SnapshotDetails = {
    bytes: 1,
    crc: 2,
    length: 3,
    records: 4,
    parts: null,
    numbers: null,
  };

  let accounts = 0;
  let account: number;
  let name: SnapshotName;

  /** A connection whose first write fails: before D1 has it, or once it is committed. */
  function failing(when: 'before' | 'after'): D1Database {
    let failed = false;
    const fail = ({ what }: Use) => {
      if (failed || !/^(batch|insert|update|delete)/i.test(what)) return;
      failed = true;
      throw new Error('D1_ERROR: Network connection lost.');
    };
    return connect((when === 'before' ? watched(fail) : watched(() => {}, fail)).DB);
  }

  function count(table: string, condition: string): Promise<number | null> {
    return env.DB.prepare(
      `SELECT count(*) AS n FROM ${table} WHERE account_id = ${account} AND ${condition}`,
    ).first('n');
  }

  beforeEach(async () => {
    account = (await sparseAccount(`RETRIES-${++accounts}`, [1])).id;
    const segments = await env.DB.prepare('SELECT segments FROM accounts WHERE id = ?')
      .bind(account)
      .first<string>('segments');
    const revision = JSON.parse(segments!)['0'][0];
    name = {
      accountId: account,
      format: FORMAT,
      parameters: 'p',
      part: 0,
      incarnation: 1,
      revision,
    };
  });

  describe.each(['before', 'after'] as const)(
    'D1 loses its connection once, %s the write',
    (when) => {
      test('a snapshot is recorded', async () => {
        const recorded = await recordSnapshot(failing(when), name, FACTS);
        expect([recorded, await count('snapshots', 'bytes = 1')]).toEqual([
          { isRecorded: true, replaced: null },
          1,
        ]);
      });

      test('the use of a snapshot is recorded', async () => {
        await recordSnapshot(env.DB, name, FACTS);
        await env.DB.prepare('UPDATE snapshots SET last_used_at = 1').run();
        await recordUse(failing(when), account, 'p');
        expect(await count('snapshots', 'last_used_at > 1')).toBe(1);
      });

      test('the oldest entries of a history are deleted', async () => {
        const agency = await openAgency(`HISTORY-${accounts}`, ['A']);
        account = agency.accountId;
        const insert = env.DB.prepare(
          `INSERT INTO unit_history (account_id, unit_id, actor, version, from_status, to_status, from_price, to_price,
                                 from_directions, to_directions)
       SELECT account_id, id, 'client:c', version + ?1, 1, 1, 1, ?1, '[]', '[]' FROM units WHERE account_id = ${account}`,
        );
        await env.DB.batch([1, 2, 3, 4].map((price) => insert.bind(price)));
        await limitUnitHistory(
          failing(when),
          { accountId: account, development: DEVELOPMENT },
          ['A'],
          2,
        );
        expect(await count('unit_history', '1')).toBe(2);
      });

      test('a reader is disabled', async () => {
        await openReader(account, 'portal');
        const address = { accountId: account, name: 'portal' };
        expect(await setReaderDisabled(failing(when), address, true)).toBe(true);
        expect((await findReader(env.DB, address))?.disabled).toBe(true);
      });
    },
  );
});
