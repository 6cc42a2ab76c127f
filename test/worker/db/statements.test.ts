import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { readProperties, type Selection } from '../../../src/db/feed/feed-properties.ts';
import { recordSnapshot, type SnapshotDetails, type SnapshotName } from '../../../src/db/feed/snapshots.ts';
import { createAccount } from '../../../src/db/operator/accounts.ts';
import { sparseAccount } from '../../support/accounts/sparse.ts';
import { withMethods } from '../../support/worker/intercept.ts';

describe('snapshots', () => {
  const DETAILS: SnapshotDetails = { bytes: 1, crc: 2, length: 3, records: 4, parts: null, sequenceNumbers: null };
  const OF_LISTING: SnapshotDetails = { ...DETAILS, parts: 1, sequenceNumbers: '[1]' };

  let accounts = 0;
  let name: SnapshotName;

  beforeEach(async () => {
    const { id } = await sparseAccount(`RECORDED-${++accounts}`, [1]);
    // Later than the segment's, as if another segment had changed.
    await env.DB.prepare('UPDATE accounts SET sale_revision = 7, rental_revision = 7 WHERE id = ?').bind(id).run();
    const revisions = { incarnation: 1, saleRevision: 1, rentalRevision: 1 };
    name = { accountId: id, format: 'f-1', parameters: 'p', part: 0, channelId: null, ...revisions };
  });

  async function record(given: Partial<SnapshotName>, details = DETAILS) {
    return recordSnapshot(env.DB, { ...name, ...given }, details);
  }

  describe('a snapshot is recorded only at the current revisions', () => {
    test.each([
      ['its segment has both', {}, DETAILS, true],
      ['its parameters depend on sale only', { rentalRevision: null }, DETAILS, true],
      ['its parameters depend on rental only', { saleRevision: null }, DETAILS, true],
      ['its segment has changed for sale', { saleRevision: 0 }, DETAILS, false],
      ['the database has been restored since', { incarnation: 0 }, DETAILS, false],
      ['its segment has changed for rental', { saleRevision: null, rentalRevision: 0 }, DETAILS, false],
      ['the account has no such segment', { part: 5 }, DETAILS, false],
      ['by listing date, the account has both', { saleRevision: 7, rentalRevision: 7 }, OF_LISTING, true],
      ['by listing date, the account has changed', {}, OF_LISTING, false],
    ])('%s', async (_, given, details, isRecorded) => {
      expect(await record(given, details)).toEqual({ isRecorded, replaced: null });
    });

    test('it replaces the one of an earlier revision, which is returned', async () => {
      await record({});
      await env.DB.prepare(`UPDATE accounts SET segments = '{"0":[2,1]}' WHERE id = ?`).bind(name.accountId).run();
      expect(await record({})).toEqual({ isRecorded: false, replaced: null });
      expect(await record({ saleRevision: 2 })).toEqual({ isRecorded: true, replaced: name });
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
    const accountId = await createAccount(env.DB, { code: `PLAN${channel}`, name: 'Plan', password: 'secret' });
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
    const format = { furtherFields: [], withAddresses: false };
    await expect(
      readProperties(withMethods(env.DB, { prepare }), accountId, { segment: 0 }, SELECTION, format, channel, 0),
    ).rejects.toThrow();
    return steps;
  }

  test.each([null, 1])(
    'a segment is read in the order of an index, without sorting or scanning: channel %s',
    async (channel) => {
      const plan = await planOf(channel);
      expect(plan).toContain(
        'SEARCH p USING INDEX sqlite_autoindex_properties_1 (account_id=? AND sequence_number>? AND sequence_number<?) LEFT-JOIN',
      );
      expect(plan.filter((step) => /TEMP B-TREE|SCAN (?!page|CONSTANT ROW|\(subquery)/.test(step))).toEqual([]);
    },
  );
});
