import { describe, expect, test } from 'vitest';
import { lines } from '../../support/accounts/imported.ts';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import {
  documents,
  importError,
  load,
  openImporter,
  properties,
  theProperty,
} from './importing.ts';

describe('import of NDJSON', () => {
  const development = { kind: 'development', id: 'd', name: 'D' };
  const unit = (name: string) => ({ kind: 'unit', development: 'd', name, status: 1, price: 1 });
  const inUnit = (id: string, name: string) => ({
    ...property(id, { unit: { development: 'd', name } }),
    updated_at: null,
  });

  test('documents in any order: imported', async () => {
    const agency = await openImporter();
    const all = [inUnit('a', 'A'), unit('A'), development, ...VOCABULARY.toReversed()];
    expect(await load(agency, lines(...all))).toMatchObject({
      format: 'ndjson',
      read: 7,
      written: 7,
      rejected: 0,
    });
    expect((await theProperty(agency)).unit).toEqual({ development: 'd', name: 'A' });
    expect(await load(agency, lines(...all))).toMatchObject({ written: 0, unchanged: 7 });
  });

  test('a record with a conflict: rejected with its line and the reason, and the others are imported', async () => {
    const agency = await openImporter();
    const file = lines(
      ...VOCABULARY,
      property('n1', { type: 'castle' }),
      property('n2'),
      { ...property('n3'), beds: 'many', colour: 'red' },
      property('n4', { features: ['Moat'] }),
    );
    const expected = {
      read: 8,
      rejected: 3,
      rejected_records: [
        { line: 5, id: 'n1', problems: [{ field: 'type', code: 'unknown_type' }] },
        {
          line: 7,
          id: 'n3',
          problems: [
            { field: 'colour', code: 'unknown_field' },
            { field: 'beds', code: 'not_number' },
          ],
        },
        {
          line: 8,
          id: 'n4',
          problems: [{ field: 'features.0', code: 'unknown_feature' }],
        },
      ],
    };
    expect(await importError(agency, file, { strict: true })).toMatchObject({
      code: 'bad_records',
      parameters: { count: 3 },
    });
    expect(await load(agency, file, { dryRun: true })).toMatchObject({
      ...expected,
      written: 5,
      dry_run: true,
    });
    expect(await documents(agency)).toEqual([]);
    expect(await load(agency, file)).toMatchObject({ ...expected, written: 5 });
    expect((await theProperty(agency)).id).toBe('n2');
  });

  test('channels: assigned, exported, and left as they are by a record without them', async () => {
    const agency = await openImporter();
    const channels = async (of = agency) => (await properties(of)).map((one) => one.channels);
    const given = [
      property('c1', { channels: ['idealista', 'coast'] }),
      property('c2', { channels: ['coast'] }),
    ];
    const report = await load(agency, lines(...VOCABULARY, ...given), { dryRun: true });
    expect(report).toMatchObject({ new_channels: ['coast', 'idealista'] });
    expect(await load(agency, lines(...VOCABULARY, ...given))).toMatchObject({
      new_channels: ['coast', 'idealista'],
    });
    expect(await channels()).toEqual([['coast', 'idealista'], ['coast']]);
    const exported = lines(...(await documents(agency)));
    const { channels: _, ...silent } = property('c1', { beds: 9 });
    expect(await load(agency, lines(silent))).toMatchObject({ written: 1, new_channels: [] });
    expect(await channels()).toEqual([['coast', 'idealista'], ['coast']]);
    await load(
      agency,
      lines(property('c1', { channels: [] }), property('c2', { channels: ['idealista'] })),
    );
    expect(await channels()).toEqual([[], ['idealista']]);
    await load(agency, exported);
    const copy = await openImporter();
    await load(copy, exported);
    expect([await channels(), await channels(copy)]).toEqual([
      [['coast', 'idealista'], ['coast']],
      [['coast', 'idealista'], ['coast']],
    ]);
  });

  test('names that no channel can have: reported, and the record is imported with the others', async () => {
    const agency = await openImporter();
    const report = await load(
      agency,
      lines(...VOCABULARY, { ...property('c1'), channels: ['Coast', 'el portal', 7, ''] }),
    );
    expect(report).toMatchObject({
      rejected: 0,
      interpreted: ['el portal', '7', ''].map((text) => ({
        node: 'channels',
        interpretation: 'unreadable',
        example: { text },
      })),
    });
    expect((await theProperty(agency)).channels).toEqual(['coast']);
  });

  test('a record that depends on another one with a conflict: --dry-run reports both', async () => {
    const agency = await openImporter();
    await load(agency, lines(...VOCABULARY, development, unit('A'), unit('B'), inUnit('d', 'A')));
    const file = lines(
      { ...inUnit('d', 'B'), features: ['Moat'], type: 'castle' },
      inUnit('a', 'A'),
    );
    const report = await load(agency, file, { dryRun: true });
    expect(report).toMatchObject({ written: 0, rejected: 2 });
    expect(report.rejected_records.map(({ problems }) => problems.length)).toEqual([2, 1]);
    expect(await load(agency, file)).toEqual({ ...report, dry_run: false });
  });
});
