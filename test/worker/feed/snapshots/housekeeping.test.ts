import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { app } from '../../../../src/app.ts';
import { SNAPSHOT_LIFETIME } from '../../../../src/db/snapshots.ts';
import { DOCUMENT_FORMAT } from '../../../../src/feed/document.ts';
import { MAX_SNAPSHOTS } from '../../../../src/feed/evict.ts';
import { type Use, watched } from '../../../support/ask.ts';
import { keysInKv, recordedKeys, setPrice } from '../../../support/sparse.ts';
import { account, failuresLogged, feedAfresh, openAccount, recorder, useAccount } from './account.ts';

useAccount();

describe('housekeeping', () => {
  test('an entry past its lifetime → not asked for, but built anew', async () => {
    await feedAfresh();
    await env.DB.prepare('UPDATE snapshots SET cached_at = cached_at - ?2 WHERE account_id = ?1 AND part = 1')
      .bind(account.id, SNAPSHOT_LIFETIME)
      .run();
    expect((await feedAfresh()).headers.get('Cache-Status')).toContain('2 of 3 parts cached');
    expect((await feedAfresh()).headers.get('Cache-Status')).toContain('3 of 3 parts cached');
  });

  test('once a day → outdated and expired entries go, those in use stay', async () => {
    await feedAfresh('FV=2');
    await feedAfresh('FV=3');
    await setPrice(account.id, 1, 12);
    await env.DB.prepare(
      "UPDATE snapshots SET cached_at = 1 WHERE account_id = ? AND part = 2 AND parameters LIKE 'FV=2%'",
    )
      .bind(account.id)
      .run();
    await env.DB.prepare(
      "UPDATE snapshots SET format = 0 WHERE account_id = ? AND part = 1 AND parameters LIKE 'FV=2%'",
    )
      .bind(account.id)
      .run();
    await app.scheduled(env);
    const left = await recordedKeys(account.id);
    expect(left.map((name) => name.replace(/.*(part\d).*(FV=\d).*/, '$1 $2'))).toEqual(['part1 FV=3', 'part2 FV=3']);
  });

  /** Notes so many snapshots of a current form as kept, the first kept the last and used the longest ago. */
  async function noteMany(accountId: number, count: number): Promise<void> {
    await env.DB.prepare(
      `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, records, cached_at, last_used_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, ?3, 'old', 10000 + i, 1, 0, 0, 0, 0, unixepoch() - i, i FROM n`,
    )
      .bind(accountId, count, DOCUMENT_FORMAT)
      .run();
  }

  test.each([50, 250])('once a day, with %i snapshots too many → the longest unused go', async (excess) => {
    await noteMany(account.id, MAX_SNAPSHOTS + excess);
    await app.scheduled(env);
    const left = env.DB.prepare(
      'SELECT count(*) AS n, min(last_used_at) AS oldest FROM snapshots WHERE account_id = ?',
    );
    expect(await left.bind(account.id).first()).toEqual({ n: MAX_SNAPSHOTS, oldest: excess + 1 });
  });

  test('once a day, with more snapshots too many than are dropped in one go → the longest unused of them go', async () => {
    await noteMany(account.id, MAX_SNAPSHOTS + 500);
    await app.scheduled(env);
    const left = env.DB.prepare(
      'SELECT count(*) AS n, min(last_used_at) AS oldest FROM snapshots WHERE account_id = ?',
    );
    expect(await left.bind(account.id).first()).toEqual({ n: MAX_SNAPSHOTS + 100, oldest: 401 });
  });

  test('once a day, where KV fails for one account → the others are swept, and the failure is told', async () => {
    const failed = account;
    await feedAfresh();
    await setPrice(failed.id, 1, 31);
    await openAccount([1]);
    await feedAfresh();
    await setPrice(account.id, 1, 31);
    const failing = watched(({ of, what }) => {
      if (of === 'KV delete' && what.includes(`/account${failed.id}/`)) throw new Error('KV is down');
    });
    await expect(app.scheduled(failing)).rejects.toThrow(/^The sweep failed for 1 of \d+ accounts$/);
    expect(failuresLogged()).toEqual([
      JSON.stringify({ event: 'sweep', accountId: failed.id, error: 'Error: KV is down' }),
    ]);
    expect(await recordedKeys(account.id)).toEqual([]);
    expect(await keysInKv(account.id)).toEqual([]);
  });

  test('once a day, with 250 accounts that have 10 stale snapshots each: at most 900 statements and 900 deletions, and the rest at the next sweeps', async () => {
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO accounts (code, name, password)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
         SELECT 'SWEEP-' || i, 'x', '$pbkdf2-sha256$i=1$x$x' FROM n`,
      ),
      env.DB.prepare(
        `INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, bytes, crc, length, records, cached_at, last_used_at)
         SELECT a.id, 0, 'old', n.value, 1, 0, 0, 0, 0, 1, 1
           FROM accounts a, json_each('[1,2,3,4,5,6,7,8,9,10]') n WHERE a.code LIKE 'SWEEP-%'`,
      ),
    ]);
    const stale = env.DB.prepare("SELECT count(*) AS n FROM snapshots WHERE parameters = 'old' AND format = 0");
    const lefts: (number | null)[] = [];
    for (let sweep = 0; sweep < 3; sweep++) {
      const { uses, bindings } = recorder();
      await app.scheduled(bindings);
      const count = (kind: Use['of']) => uses.filter(({ of }) => of === kind).length;
      expect(count('D1')).toBeLessThanOrEqual(900);
      expect(count('KV delete')).toBeLessThanOrEqual(900);
      lefts.push(await stale.first<number>('n'));
    }
    expect(lefts).toEqual([1600, 700, 0]);
  });

  test('an account with too many snapshots → the longest unused go at the next build', async () => {
    await noteMany(account.id, MAX_SNAPSHOTS + 50);
    await feedAfresh();
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS count, min(last_used_at) AS oldest FROM snapshots WHERE account_id = ? AND parameters = 'old'",
    )
      .bind(account.id)
      .all();
    await feedAfresh('FV=2');
    const rest = await env.DB.prepare('SELECT count(*) AS count FROM snapshots WHERE account_id = ?')
      .bind(account.id)
      .first('count');
    expect(results).toEqual([{ count: MAX_SNAPSHOTS, oldest: 51 }]);
    expect(rest).toBeLessThanOrEqual(MAX_SNAPSHOTS + 3);
  });

  test('a feed in use → the use of another parameter set is not noted', async () => {
    await feedAfresh();
    await feedAfresh('FV=2');
    await env.DB.prepare('UPDATE snapshots SET last_used_at = 1 WHERE account_id = ?').bind(account.id).run();
    await feedAfresh();
    const unused = env.DB.prepare('SELECT count(*) AS n FROM snapshots WHERE account_id = ? AND last_used_at = 1');
    expect(await unused.bind(account.id).first('n')).toBe(3);
  });

  test('a feed in use → the use of it by another account is not noted', async () => {
    const idle = account;
    await feedAfresh();
    await openAccount([1]);
    await feedAfresh();
    await env.DB.prepare('UPDATE snapshots SET last_used_at = 1 WHERE account_id IN (?, ?)')
      .bind(idle.id, account.id)
      .run();
    await feedAfresh();
    const unused = env.DB.prepare('SELECT count(*) AS n FROM snapshots WHERE account_id = ? AND last_used_at = 1');
    expect([await unused.bind(idle.id).first('n'), await unused.bind(account.id).first('n')]).toEqual([3, 0]);
  });

  test('a feed in use for long → its use is noted at most once an hour', async () => {
    await feedAfresh();
    await env.DB.prepare('UPDATE snapshots SET last_used_at = last_used_at - 7200 WHERE account_id = ?')
      .bind(account.id)
      .run();
    await feedAfresh();
    const { uses, bindings } = recorder();
    await feedAfresh('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
    const used = await env.DB.prepare('SELECT min(last_used_at) AS used FROM snapshots WHERE account_id = ?')
      .bind(account.id)
      .first<number>('used');
    expect(Date.now() / 1000 - used!).toBeLessThan(60);
  });
});
