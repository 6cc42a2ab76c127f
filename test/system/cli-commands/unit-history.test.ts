import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { updateUnits } from '../../../src/units/unit-updates.ts';
import { store } from '../../support/accounts/portfolio.ts';
import { accountId, createAccount, failureOf, operator, useOperator } from '../operator.ts';

useOperator();

describe('unit history', () => {
  test('the updates, newest first, with their clients', async () => {
    await createAccount('UNITS');
    const id = await accountId('UNITS');
    const { db } = operator.server;
    await store(db, id, [
      parseDocument({ kind: 'development', id: 'sol', name: 'Sol' }),
      parseDocument({ kind: 'unit', development: 'sol', name: 'Ático 1', status: 1, price: 100 }),
    ]);
    const update = (client: string, price: number, directions: string) =>
      updateUnits(
        db,
        { accountId: id, development: 'sol' },
        [{ name: 'Ático 1', values: { status: 2, price, directions } }],
        { kind: 'client', name: client },
      );
    await update('crm', 100, '[]');
    await update('web', 90.5, '["N"]');
    const args = ['unit', 'history', 'sol', 'A\u0301tico 1', '--account', 'units'];
    const { changes } = await operator.json<{ changes: object[] }>(args);
    expect(changes).toEqual([
      {
        changed_at: expect.stringMatching(/^20.*Z$/),
        client_id: 'web',
        from: { status: 2, price: 100, directions: [] },
        to: { status: 2, price: 90.5, directions: ['N'] },
      },
      {
        changed_at: expect.stringMatching(/^20.*Z$/),
        client_id: 'crm',
        from: { status: 1, price: 100, directions: [] },
        to: { status: 2, price: 100, directions: [] },
      },
    ]);
    expect((await operator.run(args)).out).toMatch(/web +2 +100 -> 90.5 +\[\] -> \["N"\]\n/);
  });

  test.each([
    ['an unknown development', ['luna', 'A'], 1, 'development_not_found'],
    ['an unknown unit', ['sol', 'B'], 1, 'unit_not_found'],
  ])('of %s: fails', async (_, args, exit, code) => {
    expect(await failureOf(['unit', 'history', ...args, '--account', 'units'])).toEqual({
      exit,
      code,
    });
  });
});
