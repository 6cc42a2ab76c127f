import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { readProperties } from '../../../src/feed/build/feed-properties.ts';
import {
  recordSnapshot,
  type SnapshotDetails,
  type SnapshotName,
} from '../../../src/feed/snapshots/table.ts';
import { createAccount } from '../../../src/operator/accounts.ts';
import type { Selection } from '../../../src/readers/selection.ts';
import { sparseAccount } from '../../support/accounts/sparse.ts';
import { withMethods } from '../../support/worker/intercept.ts';

describe('snapshots', () => {
  const DETAILS: SnapshotDetails = {
    bytes: 1,
    crc: 2,
    length: 3,
    records: 4,
    parts: null,
    numbers: null,
  };
  const OF_LISTING: SnapshotDetails = { ...DETAILS, parts: 1, numbers: '[1]' };

  let accounts = 0;
  let name: SnapshotName;
  let segment: number;

  beforeEach(async () => {
    const { id } = await sparseAccount(`RECORDED-${++accounts}`, [1]);
    segment = (await env.DB.prepare('SELECT changes FROM accounts WHERE id = ?')
      .bind(id)
      .first<number>('changes'))!;
    // Later than the segment's, as if another segment had changed.
    await env.DB.prepare('UPDATE accounts SET changes = 700 WHERE id = ?').bind(id).run();
    name = {
      accountId: id,
      format: 'f-1',
      parameters: 'p',
      part: 0,
      incarnation: 1,
      revision: segment,
    };
  });

  async function record(given: Partial<SnapshotName>, details = DETAILS) {
    return recordSnapshot(env.DB, { ...name, ...given }, details);
  }

  describe('a snapshot is recorded only at the current revision', () => {
    test.each([
      ['its segment has it', {}, DETAILS, true],
      ['its segment has changed', { revision: 0 }, DETAILS, false],
      ['the database has been restored since', { incarnation: 0 }, DETAILS, false],
      ['the account has no such segment', { part: 5 }, DETAILS, false],
      ['by listing date, the account has it', { revision: 700 }, OF_LISTING, true],
      ['by listing date, the account has changed', {}, OF_LISTING, false],
    ])('%s', async (_, given, details, isRecorded) => {
      expect(await record(given, details)).toEqual({ isRecorded, replaced: null });
    });

    test('it replaces the one of an earlier revision, which is returned', async () => {
      await record({});
      await env.DB.prepare(`UPDATE accounts SET segments = '{"0":[900,1]}' WHERE id = ?`)
        .bind(name.accountId)
        .run();
      expect(await record({})).toEqual({ isRecorded: false, replaced: null });
      expect(await record({ revision: 900 })).toEqual({ isRecorded: true, replaced: name });
    });
  });
});

describe('plans', () => {
  const SELECTION: Selection = {
    category: 'All',
    onWebsites: true,
    withoutRented: true,
    availableOnly: true,
    languages: [1, 2],
  };

  /** How SQLite executes what reads a segment, a line per step. */
  async function planOf(channel: number | null): Promise<string[]> {
    const accountId = await createAccount(env.DB, {
      code: `PLAN${channel}`,
      name: 'Plan',
      password: 'secret',
    });
    const steps: string[] = [];
    const prepare = (query: string) => ({
      bind: (...values: unknown[]) => ({
        all: async () => {
          const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
            .bind(...values)
            .all<{ detail: string }>();
          steps.push(...results.map(({ detail }) => detail));
          return { results: [] };
        },
      }),
    });
    const reading = { accountId, selection: SELECTION, needs: { withAddresses: false }, channel };
    const database = withMethods(env.DB, { prepare });
    await expect(readProperties(database, reading, { segment: 0 }, true)).rejects.toThrow();
    return steps;
  }

  test.each([null, 1])(
    'a segment is read in the order of an index, without sorting or scanning: channel %s',
    async (channel) => {
      const plan = await planOf(channel);
      expect(plan).toContain(
        'SEARCH p USING INDEX sqlite_autoindex_properties_1 (account_id=? AND number>? AND number<?) LEFT-JOIN',
      );
      expect(
        plan.filter((step) => /TEMP B-TREE|SCAN (?!page|CONSTANT ROW|\(subquery)/.test(step)),
      ).toEqual([]);
    },
  );
});
