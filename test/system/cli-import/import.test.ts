import { describe, expect, test } from 'vitest';
import type { ImportReport } from '../../../src/imports/pipeline/report.ts';
import { property, SOMEBODY, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { inputOf, READ_AT } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { importPortfolio } from '../../support/import.ts';
import { overProxy } from '../../support/processes/platform.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { operator, useOperator } from '../operator.ts';
import { documents, importError, lines, load, openAgency, withSums } from './agency.ts';

useOperator();

const OPTIONS = {
  actor: SOMEBODY,
  now: READ_AT,
  replace: false,
  maxWithdrawn: 30,
  dryRun: false,
  strict: false,
};

test('import without --json: rejected, interpreted and ignored nodes as text', async () => {
  const agency = await openAgency();
  const file = await operator.file(
    'import',
    kyeroFeed([
      kyeroRecord('a', { costa: 'Blanca' }),
      kyeroRecord('b', { beds: '?' }),
      kyeroRecord('c', { id: '', ref: '' }),
    ]),
  );
  const { exit, out } = await operator.run(['import', file, '--account', agency.code]);
  expect(out).toBe(
    'Rejected: line 28: id: is missing\n' +
      'Interpreted: beds: "?" as absent, not readable, treated as absent (once, line 26)\n' +
      'Not imported: costa, 1 time, first at line 14\n' +
      '1 type or feature created, 0 updated.\n' +
      '3 properties read: 2 written, 0 unchanged, 0 withdrawn, 1 rejected.\n',
  );
  expect(exit).toBe(3);
});

test('import: deletes the snapshots that it makes stale', async () => {
  const agency = await openAgency();
  await load(agency, kyeroFeed([kyeroRecord('a')]));
  await operator.feed(`U=OWNPROPERTIES@${agency.code}&P=${agency.password}`);
  const cached = async () =>
    (await operator.server.snapshots.list()).keys.filter(({ name }) =>
      name.includes(`/account${agency.id}/`),
    ).length;
  await expect.poll(cached).toBe(1);
  await load(agency, kyeroFeed([kyeroRecord('a', { price: '1' })]));
  expect(await cached()).toBe(0);
});

describe('import', () => {
  const development = { kind: 'development', id: 'd', name: 'D' };
  const unit = (name: string, more: object = {}) => ({
    kind: 'unit',
    development: 'd',
    name,
    status: 1,
    price: 1,
    ...more,
  });

  test('--replace of NDJSON with an invalid property without identifier: fails; with an invalid type: succeeds', async () => {
    const agency = await openAgency();
    await load(agency, lines(...VOCABULARY, property('a'), property('b')));
    const replace = ['--replace', '--max-withdrawn', '100'];
    const { id: _, ...nameless } = property('b');
    expect(await importError(agency, lines(property('a'), nameless), replace)).toMatch(
      /^nameless_records: .*line 2/,
    );
    const bad = { kind: 'type', code: 'x', labels: { xx: 'y' } };
    expect(await load(agency, lines(property('a'), property('b'), bad), replace, 3)).toMatchObject({
      rejected: 1,
      withdrawn: 0,
    });
  });

  test('of NDJSON with blank lines: invalid records are reported by line', async () => {
    const agency = await openAgency();
    const { rejected_records } = await load(agency, `{"kind":"x"}\n\n \n{"kind":"y"}\n`, [], 3);
    expect(rejected_records.map(({ line }) => line)).toEqual([1, 4]);
  });

  test.each([1, 2])('whose batch %i the database rejects: fails', async (which) => {
    const agency = await openAgency();
    const { db } = operator.server;
    let seen = 0;
    const batch = async (statements: D1PreparedStatement[]) => {
      if (JSON.stringify(statements).includes('INSERT INTO properties') && ++seen === which) {
        await new Promise((done) => setTimeout(done, 50));
        throw new Error('D1_ERROR: gone');
      }
      return db.batch(statements);
    };
    const feed = kyeroFeed(Array.from({ length: 600 }, (_, index) => kyeroRecord(`p${index}`)));
    const failing = {
      DB: overProxy(withMethods(db, { batch })),
      SNAPSHOTS: operator.server.snapshots,
    } as never;
    await expect(importPortfolio(failing, agency.id, inputOf(feed), OPTIONS)).rejects.toThrow(
      'D1_ERROR: gone',
    );
  });

  test('of 450 units and developments: an export contains them all', async () => {
    const agency = await openAgency();
    const all = [
      ...Array.from({ length: 450 }, (_, index) => ({
        kind: 'development',
        id: `d${index}`,
        name: 'D',
      })),
      development,
      ...Array.from({ length: 450 }, (_, index) => unit(`u${index}`)),
    ];
    await load(agency, lines(...all));
    const exported = await documents(agency);
    expect(
      exported.map((one) =>
        'name' in one && one.kind === 'unit' ? one.name : 'id' in one ? one.id : '',
      ),
    ).toEqual(all.map((one) => ('development' in one ? one.name : (one as { id: string }).id)));
  });

  test('with more invalid records than are shown: reports how many', async () => {
    const agency = await openAgency();
    const file = await operator.file(
      'import',
      lines(...Array.from({ length: 1_010 }, () => ({ kind: 'x' }))),
    );
    const { out } = await operator.run(['import', file, '--account', agency.code]);
    expect(out.match(/^Rejected: line /gm)).toHaveLength(50);
    expect(out).toContain('… and 960 more rejected records\n');
    const report = await operator.json<ImportReport>(
      ['import', file, '--account', agency.code],
      '',
      3,
    );
    expect([withSums(report).rejected, report.rejected_records.length]).toEqual([1_010, 1_000]);
  });

  test('succeeds although the stale snapshots cannot be deleted', async () => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('a')]));
    const { db } = operator.server;
    const prepare = (sql: string) => {
      if (/snapshots/.test(sql)) throw new Error('D1 fails');
      return db.prepare(sql);
    };
    const file = inputOf(kyeroFeed([kyeroRecord('a', { beds: '9' })]));
    const failing = {
      DB: withMethods(db, { prepare }),
      SNAPSHOTS: operator.server.snapshots,
    } as never;
    expect(await importPortfolio(failing, agency.id, file, OPTIONS)).toMatchObject({
      properties: { updated: 1 },
    });
  });

  test('documents of another account neither resolve references nor cause conflicts', async () => {
    const [one, other] = [await openAgency(), await openAgency()];
    const [villa] = VOCABULARY;
    await load(other, lines(...VOCABULARY, development, unit('A'), property('x-LT')));
    const file = lines(
      villa!,
      property('x'),
      property('y', { features: ['Sea'] }),
      property('z', { unit: { development: 'd', name: 'A' } }),
    );
    expect(
      (await load(one, file, [], 3)).rejected_records.map(({ id, problems }) => [
        id,
        problems[0]?.code,
      ]),
    ).toEqual([
      ['y', 'unknown_feature'],
      ['z', 'unknown_unit'],
    ]);
  });
});
