import { expect, test } from 'vitest';
import { writePortfolio } from '../../../src/db/portfolio/write.ts';
import { property, VOCABULARY } from '../../support/portfolio.ts';
import { accountId, createAccount, failureOf, operator, useOperator } from './operator.ts';

useOperator(true);

test('report: the same figures as the API; exit code 3 with errors', async () => {
  const password = await createAccount('CHECKED');
  await writePortfolio(operator.server.db, await accountId('CHECKED'), [
    ...VOCABULARY,
    property('P1', {
      features: ['Sea', 'Golf'],
      texts: { uk: { description: 'Short' }, es: { description: 'Breve' } },
    }),
    property('P2', { features: ['Sea'], pictures: ['http://a.es/1.jpg'], offers: { sale: { price: null } } }),
  ]);
  const printed = await operator.json<object>(['report', '--account', 'checked'], '', 3);
  const authorization = `Basic ${btoa(`OWNPROPERTIES@CHECKED:${password}`)}`;
  const response = await fetch(new URL('/v1/report', operator.server.url), { headers: { authorization } });
  expect(await response.json()).toEqual(printed);
  expect(printed).toMatchObject({ account: 'CHECKED', summary: { properties: 2 } });
});

test('report --rule: as text, every finding', async () => {
  const { out, err, exit } = await operator.run(['report', '--account', 'CHECKED', '--rule', 'picture_not_https']);
  expect([exit, err, out]).toEqual([0, '', expect.stringContaining('P2  images/image[1]/url: http://a.es/1.jpg')]);
});

test('report on an account that does not exist, or is disabled: exit code 1', async () => {
  expect(await failureOf(['report', '--account', 'nobody'])).toEqual({ exit: 1, code: 'no_account' });
  await operator.run(['account', 'disable', 'checked']);
  expect(await failureOf(['report', '--account', 'checked'])).toEqual({ exit: 1, code: 'disabled' });
});
