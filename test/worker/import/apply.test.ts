import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { applyBatches, FIRST, type ImportCursor } from '../../../src/imports/pipeline/apply.ts';
import { planImport } from '../../../src/imports/pipeline/plan.ts';
import { reportOf } from '../../../src/imports/pipeline/report.ts';
import type { PortfolioDocument, PropertyDocument } from '../../../src/properties/documents.ts';
import { exportPortfolio } from '../../../src/properties/store/export.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, SOMEBODY, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { inputOf, READ_AT, recordsInMemory } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { importPortfolio } from '../../support/import.ts';
import { withMethods } from '../../support/worker/intercept.ts';

const OPTIONS = {
  actor: SOMEBODY,
  now: READ_AT,
  replace: true,
  maxWithdrawn: 100,
  strict: false,
  dryRun: false,
};

let accounts = 0;

/** An account with the properties of both halves of an exchange, and one that no file has. */
async function newAccount(): Promise<number> {
  const id = await openAccount(env.DB, `IMPORT${++accounts}`);
  await store(env.DB, id, [...VOCABULARY, ...STORED]);
  return id;
}

const DEVELOPMENT: PortfolioDocument = { kind: 'development', id: 'd', name: 'D' };
const unit = (name: string): PortfolioDocument => {
  return { kind: 'unit', development: 'd', name, status: 1, price: 1, directions: [] };
};
const inUnit = (id: string, name: string) => property(id, { unit: { development: 'd', name } });
const STORED: PortfolioDocument[] = [
  DEVELOPMENT,
  ...[unit('A'), unit('B')],
  ...[inUnit('a', 'A'), inUnit('b', 'B'), property('gone')],
];

const lines = (...documents: readonly object[]) =>
  documents.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Three batches and more, with records that depend on later ones, and records that are rejected. */
const FILE = lines(
  property('first', { type: 'new-type' }),
  inUnit('a', 'B'),
  ...Array.from({ length: 400 }, (_, index) =>
    property(`p${index}`, { beds: index % 9, channels: ['coast'] }),
  ),
  inUnit('b', 'A'),
  property('lost', { features: ['Moat'] }),
  { kind: 'property', id: 'bad' },
  { kind: 'type', code: 'new-type', labels: { uk: { older_type: 'T', type: 'T' } } },
);

async function portfolioOf(id: number): Promise<PortfolioDocument[]> {
  const documents: PortfolioDocument[] = [];
  for await (const document of exportPortfolio(env.DB, id)) {
    documents.push(document.kind === 'property' ? { ...document, updated_at: null } : document);
  }
  return documents;
}

const stored = async (id: number) =>
  (await portfolioOf(id)).filter(
    (document): document is PropertyDocument => document.kind === 'property',
  );

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

describe('an import batch by batch, with its state as JSON in between', () => {
  let expected: PortfolioDocument[];
  let report: object;

  beforeAll(async () => {
    const id = await newAccount();
    report = await importPortfolio(env, id, inputOf(FILE, 50_000), OPTIONS);
    expected = await portfolioOf(id);
    expect(report).toMatchObject({
      properties: { read: 405, created: 401, updated: 2, unchanged: 0, withdrawn: 1, rejected: 2 },
      new_channels: ['coast'],
      rejected_records: [
        { line: 404, problems: [{ code: 'unknown_feature' }] },
        { line: 405, id: 'bad' },
      ],
    });
  });

  test('gives the same portfolio and the same report', async () => {
    const id = await newAccount();
    const input = inputOf(FILE, 50_000);
    const records = recordsInMemory();
    const plan = copy(await planImport(env.DB, id, input, records, { ...OPTIONS, check: false }));
    let [cursor, runs]: [ImportCursor, number] = [FIRST, 0];
    for (; cursor.stage !== 'done'; runs++) {
      cursor = copy(
        await applyBatches(
          { db: env.DB, accountId: id, actor: SOMEBODY, records, plan, batches: 1 },
          cursor,
        ),
      );
    }
    expect(runs).toBeGreaterThan(5);
    expect(reportOf(plan, cursor)).toEqual(report);
    expect(await portfolioOf(id)).toEqual(expected);
  });

  test('of a batch that takes the units of the next one: written after it, and short in between', async () => {
    const id = await openAccount(env.DB, `IMPORT${++accounts}`);
    const units = Array.from({ length: 450 }, (_, index) => unit(`U${index}`));
    const inUnits = (after: number) =>
      Array.from({ length: 300 }, (_, index) => inUnit(`p${index}`, `U${index + after}`));
    await store(env.DB, id, [...VOCABULARY, DEVELOPMENT, ...units, ...inUnits(0)]);
    const input = inputOf(lines(...inUnits(150)));
    const records = recordsInMemory();
    const plan = await planImport(env.DB, id, input, records, {
      ...OPTIONS,
      replace: false,
      check: false,
    });
    let [cursor, longest]: [ImportCursor, number] = [FIRST, 0];
    while (cursor.stage !== 'done') {
      cursor = await applyBatches(
        { db: env.DB, accountId: id, actor: SOMEBODY, records, plan, batches: 1 },
        cursor,
      );
      longest = Math.max(longest, JSON.stringify(cursor).length);
    }
    expect(reportOf(plan, cursor)).toMatchObject({ properties: { updated: 300, rejected: 0 } });
    expect(longest).toBeLessThan(2_000);
  });

  test('withdraws the properties of several pages, and takes what has left its source out of its channel', async () => {
    const id = await openAccount(env.DB, `IMPORT${++accounts}`);
    const ids = Array.from({ length: 450 }, (_, index) => `p${index}`);
    await store(env.DB, id, [
      ...VOCABULARY,
      ...ids.map((one) => property(one, { channels: ['coast', 'hills'] })),
    ]);
    const input = inputOf(lines(...VOCABULARY));
    const records = recordsInMemory();
    const missing = ids.slice(0, 420);
    const leaving = ids.slice(410);
    const planned = await planImport(env.DB, id, input, records, { ...OPTIONS, check: false });
    const plan = { ...planned, channel: 'coast', missing, leaving };
    const actor = { kind: 'source', name: 'crm' } as const;
    let [cursor, runs]: [ImportCursor, number] = [FIRST, 0];
    for (; cursor.stage !== 'done'; runs++) {
      cursor = copy(
        await applyBatches({ db: env.DB, accountId: id, actor, records, plan, batches: 1 }, cursor),
      );
    }
    expect(runs).toBe(7);
    expect(cursor.withdrawn).toBe(420);
    for (const [index, one] of (await stored(id)).entries()) {
      expect([one.status, one.channels]).toEqual([
        index < 420 ? 'Withdrawn' : 'Available',
        index < 410 ? ['coast', 'hills'] : ['hills'],
      ]);
    }
    const history = env.DB.prepare(
      'SELECT actor, count(*) AS n FROM property_history WHERE account_id = ? GROUP BY 1',
    );
    expect((await history.bind(id).all()).results).toEqual([{ actor: 'source:crm', n: 450 }]);
  });

  test('that is killed before, in or after each transaction: the same, since each stores its cursor', async () => {
    const id = await newAccount();
    const input = inputOf(FILE, 50_000);
    const records = recordsInMemory();
    await env.DB.exec(
      'CREATE TABLE IF NOT EXISTS test_cursors (account INTEGER PRIMARY KEY, cursor TEXT)',
    );
    await env.DB.prepare('INSERT INTO test_cursors VALUES (?1, ?2)')
      .bind(id, JSON.stringify(FIRST))
      .run();
    const plan = await planImport(env.DB, id, input, records, { ...OPTIONS, check: false });
    const reached = async () =>
      JSON.parse(
        (await env.DB.prepare('SELECT cursor FROM test_cursors WHERE account = ?')
          .bind(id)
          .first('cursor'))!,
      );
    const save = (cursor: ImportCursor) =>
      env.DB.prepare('UPDATE test_cursors SET cursor = ?2 WHERE account = ?1').bind(
        id,
        JSON.stringify(cursor),
      );
    let writes = 0;
    /** A database whose every second write fails after it has been made. */
    const forgetful = withMethods(env.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        const isWrite = JSON.stringify(statements).includes('UPDATE test_cursors');
        if (isWrite && ++writes % 3 === 0) throw new Error('D1 is gone before the write');
        const result = await env.DB.batch(statements);
        if (isWrite && writes % 3 === 1) throw new Error('D1 is gone after the write');
        return result;
      },
    });
    for (let cursor = await reached(); cursor.stage !== 'done'; cursor = await reached()) {
      await applyBatches(
        { db: forgetful, accountId: id, actor: SOMEBODY, records, plan, save },
        cursor,
      ).catch(() => {});
    }
    expect(writes).toBeGreaterThan(8);
    expect(reportOf(plan, await reached())).toEqual(report);
    expect(await portfolioOf(id)).toEqual(expected);
  });
});

describe('a field that the file leaves unspecified', () => {
  /** A database in which another writer commits between the reading and the writing of a batch. */
  function racing(change: () => Promise<unknown>): D1Database {
    let isFirst = true;
    return withMethods(env.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        if (isFirst && JSON.stringify(statements).includes('INSERT INTO guard')) {
          isFirst = false;
          await change();
        }
        return env.DB.batch(statements);
      },
    });
  }

  const options = { ...OPTIONS, replace: false };
  const importInto = (DB: D1Database, id: number, feed: string) =>
    importPortfolio({ ...env, DB }, id, inputOf(feed), options);

  test('and another import changes between read and write: has the other value', async () => {
    const id = await openAccount(env.DB, `IMPORT${++accounts}`);
    await importInto(env.DB, id, kyeroFeed([kyeroRecord('r', { notes: 'old' })]));
    const db = racing(() =>
      importInto(env.DB, id, kyeroFeed([kyeroRecord('r', { notes: 'new' })])),
    );
    await importInto(db, id, kyeroFeed([kyeroRecord('r', { beds: '7' })]));
    expect(await stored(id)).toMatchObject([{ id: 'r', beds: 7, notes: 'new' }]);
  });

  test('of a property that another import creates between read and write: has its value', async () => {
    const id = await openAccount(env.DB, `IMPORT${++accounts}`);
    const db = racing(() =>
      importInto(env.DB, id, kyeroFeed([kyeroRecord('r', { notes: 'new' })])),
    );
    await importInto(db, id, kyeroFeed([kyeroRecord('r', { beds: '7' })]));
    expect(await stored(id)).toMatchObject([{ id: 'r', beds: 7, notes: 'new' }]);
  });

  test('while its unit is updated between read and write: the update remains', async () => {
    const id = await newAccount();
    const update = "UPDATE units SET price = 77, status = 8 WHERE account_id = ? AND name = 'A'";
    const db = racing(() => env.DB.prepare(update).bind(id).run());
    await importInto(db, id, kyeroFeed([kyeroRecord('a', { beds: '7' })]));
    expect((await stored(id)).find((one) => one.id === 'a')).toMatchObject({
      beds: 7,
      unit: { name: 'A' },
    });
    const unit = (await portfolioOf(id)).find((one) => one.kind === 'unit' && one.name === 'A');
    expect(unit).toMatchObject({ price: 77, status: 8 });
  });
});

test('a file whose records have new dates, and nothing else that is new: changes nothing', async () => {
  const id = await openAccount(env.DB, `IMPORT${++accounts}`);
  const read = async (date: string, beds: string) => {
    const file = kyeroFeed([kyeroRecord('r', { date, beds })]);
    const { properties } = await importPortfolio(env, id, inputOf(file), OPTIONS);
    return [properties.unchanged, (await stored(id))[0]!.source_changed_at];
  };
  expect(await read('2026-03-01 00:00:00', '3')).toEqual([0, '2026-03-01T00:00:00Z']);
  expect(await read('2026-03-02 00:00:00', '3')).toEqual([1, '2026-03-01T00:00:00Z']);
  expect(await read('2026-03-03 00:00:00', '4')).toEqual([0, '2026-03-03T00:00:00Z']);
});

describe('a gzipped file, inflated without backpressure', () => {
  const gzipped = async (text: string) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  test('is imported; cut off: an error, and nothing is changed', async () => {
    const id = await openAccount(env.DB, `IMPORT${++accounts}`);
    const feed = kyeroFeed(Array.from({ length: 300 }, (_, index) => kyeroRecord(`g${index}`)));
    const bytes = await gzipped(feed);
    await expect(importPortfolio(env, id, inputOf(bytes.slice(0, -20)), OPTIONS)).rejects.toThrow(
      'truncated',
    );
    expect(await portfolioOf(id)).toEqual([]);
    const { properties } = await importPortfolio(env, id, inputOf(bytes), OPTIONS);
    expect(properties).toMatchObject({ created: 300, updated: 0, unchanged: 0 });
  });

  test('that inflates to more than 250 times its size: an error', async () => {
    const id = await openAccount(env.DB, `IMPORT${++accounts}`);
    const blank = `<x/>${' '.repeat(3 * 1024 * 1024)}`;
    const bomb = await gzipped(kyeroFeed([kyeroRecord('a'), ...Array<string>(8).fill(blank)]));
    await expect(importPortfolio(env, id, inputOf(bomb), OPTIONS)).rejects.toThrow(
      'more than 250 times its size',
    );
  });
});

test('a file in the order of its listing dates, without replace: adds its properties, and withdraws nothing', async () => {
  const id = await newAccount();
  const offer =
    '<price_freq>sale</price_freq><type><uk>Villa</uk></type><town>T</town><province>P</province>';
  const record = `<property><id>n</id><ref>n</ref><listing_date>2026-01-02 03:04:05</listing_date>${offer}</property>`;
  const file = `<root><resalesonline><feed_version>1</feed_version></resalesonline>${record}</root>`;
  const { properties } = await importPortfolio(env, id, inputOf(file), {
    ...OPTIONS,
    replace: false,
  });
  expect(properties).toMatchObject({ created: 1, withdrawn: 0, rejected: 0 });
});
