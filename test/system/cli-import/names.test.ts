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

test('import of names that the account has mapped: its entries with their labels, unless --names says otherwise', async () => {
  const agency = await openAgency();
  const own = { uk: { older_type: 'Villa', older_subtype: null, type: 'House', subtype: 'Our own villa' } };
  const villa = { kind: 'type', code: 'villa', labels: own };
  await load(agency, `${JSON.stringify(villa)}\n`);
  const names = { types: { folly: 'villa' }, features: { moat: 'Views: Lake' } };
  await operator.server.db
    .prepare('UPDATE accounts SET import_names = ? WHERE code = ?')
    .bind(JSON.stringify(names), agency.code)
    .run();
  expect(await load(agency, FEED)).toMatchObject({
    unknown_names: { types: [], features: [{ names: ['Drawbridge'] }] },
  });
  expect(await properties(agency)).toMatchObject([{ type: 'villa' }, {}]);
  expect(await documents(agency)).toContainEqual(villa);
  const labels = { uk: { older_type: 'Folly', older_subtype: null, type: 'Folly', subtype: null } };
  const table = await operator.file('names', JSON.stringify({ types: [{ names: ['Folly'], code: 'Folly', labels }] }));
  await load(agency, FEED, ['--names', table]);
  expect(await properties(agency)).toMatchObject([{ type: 'Folly' }, {}]);
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
