import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../../src/db/connection.ts';
import { findReader, setReaderDisabled } from '../../../src/db/readers.ts';
import { recordSnapshot, recordUse, type SnapshotDetails, type SnapshotName } from '../../../src/db/snapshots.ts';
import { deleteOldUnitHistory, limitUnitHistory } from '../../../src/db/unit-history.ts';
import { type Use, watched } from '../../support/ask.ts';
import { openReader } from '../../support/readers.ts';
import { sparseAccount } from '../../support/sparse.ts';
import { DEVELOPMENT, openAgency } from '../../support/units.ts';

const FORMAT = 'f-1';
const FACTS: SnapshotDetails = { bytes: 1, crc: 2, length: 3, records: 4, listingPart: null };

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
  return env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ${account} AND ${condition}`).first('n');
}

beforeEach(async () => {
  account = (await sparseAccount(`RETRIES-${++accounts}`, [1])).id;
  const revisions = { incarnation: 1, saleRevision: 1, rentalRevision: 1 };
  name = { accountId: account, format: FORMAT, parameters: 'p', part: 0, channelId: null, ...revisions };
});

describe.each(['before', 'after'] as const)('D1 loses its connection once, %s the write', (when) => {
  test('a snapshot is recorded', async () => {
    const recorded = await recordSnapshot(failing(when), name, FACTS);
    expect([recorded, await count('snapshots', 'bytes = 1')]).toEqual([{ isRecorded: true, replaced: null }, 1]);
  });

  test('the use of a snapshot is recorded', async () => {
    await recordSnapshot(env.DB, name, FACTS);
    await env.DB.prepare('UPDATE snapshots SET last_used_at = 1').run();
    await recordUse(failing(when), account, 'p');
    expect(await count('snapshots', 'last_used_at > 1')).toBe(1);
  });

  test('the oldest entries of a history are deleted, and old ones of all', async () => {
    const agency = await openAgency(`HISTORY-${accounts}`, ['A']);
    account = agency.accountId;
    const insert = env.DB.prepare(
      `INSERT INTO unit_history (account_id, unit_id, changed_at, client_id, version, from_status, to_status, from_price, to_price,
                                 from_directions, to_directions)
       SELECT account_id, id, ?, 'c', version + 1, 1, 1, 1, ?, '[]', '[]' FROM units WHERE account_id = ${account}`,
    );
    const now = Math.floor(Date.now() / 1_000);
    await env.DB.batch([1, 2, 3, 4].map((price) => insert.bind(price === 3 ? 1 : now, price)));
    await limitUnitHistory(failing(when), { accountId: account, development: DEVELOPMENT }, ['A'], 2);
    expect(await count('unit_history', '1')).toBe(2);
    await deleteOldUnitHistory(failing(when), 10);
    expect(await count('unit_history', '1')).toBe(1);
  });

  test('a reader is disabled', async () => {
    await openReader(account, 'portal');
    const address = { accountId: account, name: 'portal' };
    expect(await setReaderDisabled(failing(when), address, true)).toBe(true);
    expect((await findReader(env.DB, address))?.disabled).toBe(true);
  });
});
