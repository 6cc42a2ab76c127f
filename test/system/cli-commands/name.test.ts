import { expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { property, store } from '../../support/accounts/portfolio.ts';
import { accountId, createAccount, failureOf, operator, useOperator } from '../operator.ts';

useOperator();

const ACCOUNT = ['--account', 'names'];

const name = (...args: string[]) => operator.run(['name', ...args, ...ACCOUNT]);

test('name: a typing error is listed, merged into a type by its name, and gone; one that nothing uses is deleted', async () => {
  await createAccount('NAMES');
  await store(operator.server.db, await accountId('NAMES'), [
    parseDocument({ kind: 'type', code: 'Apartmento', labels: {} }),
    parseDocument({ kind: 'type', code: 'Casa/chalé', labels: {} }),
    property('R1', { type: 'Apartmento', features: [] }),
  ]);
  expect(await operator.json(['name', 'list', ...ACCOUNT])).toEqual({
    names: [
      { kind: 'type', code: 'Apartmento', properties: 1 },
      { kind: 'type', code: 'Casa/chalé', properties: 0 },
    ],
  });
  expect(await failureOf(['name', 'delete', 'types', 'Apartmento', ...ACCOUNT])).toEqual({
    exit: 1,
    code: 'name_in_use',
  });
  expect(await name('merge', 'types', 'Apartmento', '--into', 'Apartment')).toMatchObject({
    exit: 0,
    out: 'Merged Apartmento into apartment: 1 property.\n',
  });
  expect((await name('delete', 'types', 'Casa/chalé')).exit).toBe(0);
  expect(await operator.json(['name', 'list', ...ACCOUNT])).toEqual({ names: [] });
});
