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
  const { out } = await operator.run([
    'import',
    await operator.file('import', FEED),
    '--account',
    agency.code,
  ]);
  expect(out).toContain(
    'Unknown type: Folly (1 property)\nUnknown feature: Moat (2 properties)\nUnknown feature: Drawbridge (1 property)\n',
  );
});

test('import of names that the account has mapped: its entries with their labels', async () => {
  const agency = await openAgency();
  const own = {
    uk: { older_type: 'Villa', older_subtype: null, type: 'House', subtype: 'Our own villa' },
  };
  const villa = { kind: 'type', code: 'villa', labels: own };
  await load(agency, `${JSON.stringify(villa)}\n`);
  const names = { types: { folly: 'villa' }, features: { moat: 'Views: Lake' } };
  await operator.server.db
    .prepare('UPDATE accounts SET import_names = ? WHERE code = ?')
    .bind(JSON.stringify(names), agency.code)
    .run();
  expect(await load(agency, FEED)).toMatchObject({
    unknown_names: { types: [], features: [{ name: 'Drawbridge' }] },
  });
  expect(await properties(agency)).toMatchObject([{ type: 'villa' }, {}]);
  expect(await documents(agency)).toContainEqual(villa);
});
