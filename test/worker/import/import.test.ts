import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { lines } from '../../support/accounts/imported.ts';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { inputOf } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { importPortfolio } from '../../support/import.ts';
import { withMethods } from '../../support/worker/intercept.ts';
import { documents, importError, load, openImporter, REPLACE_ALL, USUAL } from './importing.ts';

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
    const agency = await openImporter();
    await load(agency, lines(...VOCABULARY, property('a'), property('b')));
    const { id: _, ...nameless } = property('b');
    expect(await importError(agency, lines(property('a'), nameless), REPLACE_ALL)).toMatchObject({
      code: 'nameless_records',
      parameters: { line: 2 },
    });
    const bad = { kind: 'type', code: 'x', labels: { xx: 'y' } };
    expect(await load(agency, lines(property('a'), property('b'), bad), REPLACE_ALL)).toMatchObject(
      {
        rejected: 1,
        withdrawn: 0,
      },
    );
  });

  test('of NDJSON with blank lines: invalid records are reported by line', async () => {
    const agency = await openImporter();
    const { rejected_records } = await load(agency, `{"kind":"x"}\n\n \n{"kind":"y"}\n`);
    expect(rejected_records.map(({ line }) => line)).toEqual([1, 4]);
  });

  test.each([1, 2])('whose batch %i the database rejects: fails', async (which) => {
    const agency = await openImporter();
    const { DB: db } = env;
    let seen = 0;
    const batch = async (statements: D1PreparedStatement[]) => {
      if (JSON.stringify(statements).includes('INSERT INTO properties') && ++seen === which) {
        throw new Error('D1_ERROR: gone');
      }
      return db.batch(statements);
    };
    const feed = kyeroFeed(Array.from({ length: 600 }, (_, index) => kyeroRecord(`p${index}`)));
    const failing = {
      ...env,
      DB: withMethods(db, { batch }),
    };
    await expect(importPortfolio(failing, agency, inputOf(feed), USUAL)).rejects.toThrow(
      'D1_ERROR: gone',
    );
  });

  test('of 450 units and developments: an export contains them all', async () => {
    const agency = await openImporter();
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

  test('succeeds although the stale snapshots cannot be deleted', async () => {
    const agency = await openImporter();
    await load(agency, kyeroFeed([kyeroRecord('a')]));
    const { DB: db } = env;
    const prepare = (sql: string) => {
      if (/snapshots/.test(sql)) throw new Error('D1 fails');
      return db.prepare(sql);
    };
    const file = inputOf(kyeroFeed([kyeroRecord('a', { beds: '9' })]));
    const failing = {
      ...env,
      DB: withMethods(db, { prepare }),
    };
    expect(await importPortfolio(failing, agency, file, USUAL)).toMatchObject({
      properties: { updated: 1 },
    });
  });

  test('documents of another account neither resolve references nor cause conflicts', async () => {
    const [one, other] = [await openImporter(), await openImporter()];
    const [villa] = VOCABULARY;
    await load(other, lines(...VOCABULARY, development, unit('A'), property('x-LT')));
    const file = lines(
      villa!,
      property('x'),
      property('y', { features: ['Sea'] }),
      property('z', { unit: { development: 'd', name: 'A' } }),
    );
    expect(
      (await load(one, file)).rejected_records.map(({ id, problems }) => [id, problems[0]?.code]),
    ).toEqual([
      ['y', 'unknown_feature'],
      ['z', 'unknown_unit'],
    ]);
  });
});
