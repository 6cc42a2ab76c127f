import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { CURRENT_VERSIONS } from '../../../../src/feed/formats/formats.ts';
import { MAX_SNAPSHOTS_PER_ACCOUNT } from '../../../../src/feed/invalidation/evict.ts';
import { SNAPSHOT_LIFETIME_SECONDS } from '../../../../src/feed/snapshots/table.ts';
import { keysInKv, recordedKeys, setPrice } from '../../../support/accounts/sparse.ts';
import { failingWhen, runSchedule } from '../../../support/worker/ask.ts';
import {
  account,
  feedWithFreshManifest,
  loggedFailures,
  openAccount,
  useAccount,
} from './account.ts';

useAccount();

describe('eviction', () => {
  test('GET with an expired snapshot: it is not read but built again', async () => {
    await feedWithFreshManifest();
    await env.DB.prepare(
      'UPDATE snapshots SET cached_at = cached_at - ?2 WHERE account_id = ?1 AND part = 1',
    )
      .bind(account.id, SNAPSHOT_LIFETIME_SECONDS)
      .run();
    expect((await feedWithFreshManifest()).headers.get('Cache-Status')).toContain(
      '2 of 3 parts cached',
    );
    expect((await feedWithFreshManifest()).headers.get('Cache-Status')).toContain(
      '3 of 3 parts cached',
    );
  });

  test('daily sweep: stale and expired snapshots are deleted, current ones remain', async () => {
    await feedWithFreshManifest('FV=2');
    await feedWithFreshManifest('FV=3');
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
    await runSchedule(env);
    const left = await recordedKeys(account.id);
    expect(left.map((name) => name.replace(/.*(part\d).*(FV=\d).*/, '$1 $2'))).toEqual([
      'part1 FV=3',
      'part2 FV=3',
    ]);
  });

  /** Records snapshots in the current format. The first was cached last and is the least recently used. */
  async function recordMany(accountId: number, count: number): Promise<void> {
    await env.DB.prepare(
      `INSERT INTO snapshots (account_id, format, parameters, part, incarnation, revision, bytes, crc, length, records, cached_at, last_used_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, ?3, 'old' || i, 0, 1, segments ->> '$.0[0]', 0, 0, 0, 0, unixepoch() - i, i FROM n, accounts WHERE id = ?1`,
    )
      .bind(accountId, count, CURRENT_VERSIONS[0])
      .run();
  }

  test.each([50, 250])(
    'daily sweep with %i snapshots too many: the least recently used are evicted',
    async (excess) => {
      await recordMany(account.id, MAX_SNAPSHOTS_PER_ACCOUNT + excess);
      await runSchedule(env);
      const left = env.DB.prepare(
        'SELECT count(*) AS n, min(last_used_at) AS oldest FROM snapshots WHERE account_id = ?',
      );
      expect(await left.bind(account.id).first()).toEqual({
        n: MAX_SNAPSHOTS_PER_ACCOUNT,
        oldest: excess + 1,
      });
    },
  );

  test('daily sweep, KV fails for one account: the others are swept, and the failure is logged', async () => {
    const failed = account;
    await feedWithFreshManifest();
    await setPrice(failed.id, 1, 31);
    await openAccount([1]);
    await feedWithFreshManifest();
    await setPrice(account.id, 1, 31);
    const failing = failingWhen(
      ({ of, what }) => of === 'KV delete' && what.includes(`/account${failed.id}/`),
      'KV is down',
    );
    await expect(runSchedule(failing)).rejects.toThrow(
      /^Error: The sweep failed for 1 of \d+ accounts$/,
    );
    expect(loggedFailures()).toEqual([
      JSON.stringify({ event: 'sweep.failed', accountId: failed.id, error: 'Error: KV is down' }),
    ]);
    expect(await recordedKeys(account.id)).toEqual([]);
    expect(await keysInKv(account.id)).toEqual([]);
  });

  test('daily sweep, D1 fails: the error names every failure', async () => {
    const failing = failingWhen(({ of }) => of === 'D1', 'D1 is down');
    await expect(runSchedule(failing)).rejects.toThrow(/^.*D1 is down(; .*D1 is down){4}$/s);
  });

  test('GET that builds, with too many snapshots: the least recently used are evicted', async () => {
    await recordMany(account.id, MAX_SNAPSHOTS_PER_ACCOUNT + 50);
    await feedWithFreshManifest();
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS count, min(last_used_at) AS oldest FROM snapshots WHERE account_id = ? AND parameters LIKE 'old%'",
    )
      .bind(account.id)
      .all();
    await feedWithFreshManifest('FV=2');
    const rest = await env.DB.prepare(
      'SELECT count(*) AS count FROM snapshots WHERE account_id = ?',
    )
      .bind(account.id)
      .first('count');
    expect(results).toEqual([{ count: MAX_SNAPSHOTS_PER_ACCOUNT, oldest: 51 }]);
    expect(rest).toBeLessThanOrEqual(MAX_SNAPSHOTS_PER_ACCOUNT + 3);
  });
});
