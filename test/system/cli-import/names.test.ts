import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { operator, useOperator } from '../operator.ts';
import { documents, load, openAgency, properties } from './agency.ts';

useOperator();

const feature = (name: string) => `<feature>${name}</feature>`;
const FEED = kyeroFeed([
  kyeroRecord('a', { type: 'Folly', features: feature('Moat') + feature('Drawbridge') }),
  kyeroRecord('b', { features: feature('moat') + feature('Air conditioning') }),
]);

test('import: reports unknown names with the number of properties that have them', async () => {
  const agency = await openAgency();
  const { out } = await operator.run(['import', await operator.file('import', FEED), '--account', agency.code]);
  expect(out).toContain(
    'Unknown type: Folly (1 property)\nUnknown feature: Moat (2 properties)\nUnknown feature: Drawbridge (1 property)\n',
  );
});

test('--write-names: a table that --names accepts, both unchanged and completed', async () => {
  const agency = await openAgency();
  const table = join(operator.directory, 'names.json');
  await load(agency, FEED, ['--write-names', table]);
  expect(await load(agency, FEED, ['--names', table])).toMatchObject({ written: 0 });
  const names = JSON.parse(await readFile(table, 'utf8'));
  names.features[0].labels.es = 'Foso';
  await writeFile(table, JSON.stringify(names));
  expect(await load(agency, FEED, ['--names', table])).toMatchObject({
    entries: { created: 0, updated: 1 },
    properties: { written: 0 },
  });
  expect(await documents(agency)).toContainEqual({
    kind: 'feature',
    code: 'Moat',
    category: 'Features',
    labels: { uk: 'Moat', es: 'Foso' },
  });
});

test('--write-names to a path that cannot be written: exit code 1, and the properties are imported', async () => {
  const agency = await openAgency();
  const file = await operator.file('import', FEED);
  const { exit, err } = await operator.run([
    'import',
    file,
    '--account',
    agency.code,
    '--write-names',
    '/nowhere/names.json',
  ]);
  expect([exit, err]).toEqual([1, expect.stringContaining('/nowhere/names.json cannot be written: no such file')]);
  expect(await properties(agency)).toHaveLength(2);
});
