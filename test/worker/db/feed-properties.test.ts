import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readProperties, type Selection } from '../../../src/db/feed-properties.ts';
import { createAccount } from '../../../src/db/operator/accounts.ts';

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
  const explaining = new Proxy(env.DB, {
    get: (db, name) => (name === 'prepare' ? (query: string) => statement(db, query) : Reflect.get(db, name)),
  });
  const statement = (db: D1Database, query: string) => ({
    bind: (...values: unknown[]) => ({
      raw: async () => {
        const { results } = await db
          .prepare(`EXPLAIN QUERY PLAN ${query}`)
          .bind(...values)
          .all<{ detail: string }>();
        steps.push(...results.map(({ detail }) => detail));
        return [];
      },
    }),
  });
  const format = { furtherFields: [], withAddresses: false };
  await expect(readProperties(explaining, accountId, { segment: 0 }, SELECTION, format, channel)).rejects.toThrow();
  return steps;
}

test.each([null, 1])(
  'a segment is read in the order of an index, without sorting or scanning: channel %s',
  async (channel) => {
    const plan = await planOf(channel);
    expect(plan).toContain(
      'SEARCH p USING INDEX sqlite_autoindex_properties_1 (account_id=? AND sequence_number>? AND sequence_number<?) LEFT-JOIN',
    );
    expect(plan.filter((step) => /TEMP B-TREE|SCAN (?!page|\(subquery)/.test(step))).toEqual([]);
  },
);
