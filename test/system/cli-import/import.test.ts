import { expect, test } from 'vitest';
import type { ImportReport } from '../../../src/imports/pipeline/report.ts';
import { lines, withSums } from '../../support/accounts/imported.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { operator, useOperator } from '../operator.ts';
import { importError, load, openAgency } from './agency.ts';

useOperator();

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

test('import --replace of a file without 40% of the properties: exit code 1, unless --max-withdrawn allows it', async () => {
  const agency = await openAgency();
  const feed = kyeroFeed(['a', 'b', 'c', 'd', 'e'].map((id) => kyeroRecord(id)));
  await load(agency, feed);
  const fewer = kyeroFeed(['a', 'b', 'c'].map((id) => kyeroRecord(id)));
  expect(await importError(agency, fewer, ['--replace'])).toMatch(
    /^too_many_withdrawn: 2 of 5 listed .*R-d \(Marbella\).*Approve or cancel import \d+/s,
  );
  const options = ['--replace', '--max-withdrawn', '40'];
  expect(await load(agency, fewer, options)).toMatchObject({ withdrawn: 2 });
});

test('import with more invalid records than are shown: reports how many', async () => {
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
