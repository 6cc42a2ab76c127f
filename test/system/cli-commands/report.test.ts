import { expect, test } from 'vitest';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { accountId, createAccount, failureOf, operator, useOperator } from '../operator.ts';

useOperator();

let password: string;

test('report: the same figures as the API; exit code 3 with errors', async () => {
  password = await createAccount('CHECKED');
  await store(operator.server.db, await accountId('CHECKED'), [
    ...VOCABULARY,
    property('P1', {
      features: ['Sea', 'Golf'],
      location: { latitude: 36.51, longitude: -4.88 },
      texts: { uk: { description: 'Short' }, es: { description: 'Breve' } },
    }),
    property('P2', {
      features: ['Sea'],
      pictures: ['http://a.es/1.jpg'],
      offers: { sale: { price: null } },
    }),
  ]);
  const printed = await operator.json<object>(['report', '--account', 'checked'], '', 3);
  const authorization = `Basic ${btoa(`OWNPROPERTIES@CHECKED:${password}`)}`;
  const response = await fetch(new URL('/v1/report', operator.server.url), {
    headers: { authorization },
  });
  expect(await response.json()).toEqual(printed);
  expect(printed).toMatchObject({ account: 'CHECKED', summary: { properties: 2 } });
});

test('report --reader: why the feed of this reader leaves properties out, as the API says it', async () => {
  await operator.json(['reader', 'create', 'hidden', '--account', 'checked', '--place', 'hidden']);
  const places = async (...options: string[]) => {
    const args = [
      'report',
      '--account',
      'checked',
      '--property',
      'P1',
      '--rule',
      'idealista_place',
      ...options,
    ];
    return (
      await operator.json<{ properties: object[] }>(args, '', options.includes('hidden') ? 3 : 0)
    ).properties;
  };
  expect(await places('--format', 'idealista')).toEqual([]);
  expect(await places('--reader', 'hidden')).toHaveLength(1);
  const headers = { authorization: `Basic ${btoa(`OWNPROPERTIES@CHECKED:${password}`)}` };
  const response = await fetch(new URL('/v1/report?reader=hidden', operator.server.url), {
    headers,
  });
  expect(await response.json()).toEqual(
    await operator.json(['report', '--account', 'checked', '--reader', 'hidden'], '', 3),
  );
  expect(await failureOf(['report', '--account', 'checked', '--reader', 'nobody'])).toEqual({
    exit: 2,
    code: 'bad_parameter',
  });
});

test('report --rule: as text, every finding', async () => {
  const { out, err, exit } = await operator.run([
    'report',
    '--account',
    'CHECKED',
    '--rule',
    'picture_not_https',
  ]);
  expect([exit, err, out]).toEqual([
    0,
    '',
    expect.stringContaining('P2  images/image[1]/url: http://a.es/1.jpg'),
  ]);
});

test('report and check --property with an id that they do not check: exit code 1, and no report without findings', async () => {
  expect(await failureOf(['report', '--account', 'checked', '--property', 'P9'])).toEqual({
    exit: 1,
    code: 'property_not_found',
  });
  const checked = (id: string) =>
    operator.run(['check', '--property', id], kyeroFeed([kyeroRecord('P1')]));
  expect([(await checked('P9')).exit, (await checked('P1')).exit]).toEqual([1, 3]);
});

test('account report --portals and --mute: later reports count the rules of these portals, and hide those', async () => {
  const rules = async () => {
    const { rules } = await operator.json<{ rules: { code: string }[] }>(
      ['report', '--account', 'CHECKED'],
      '',
      3,
    );
    return rules.map(({ code }) => code);
  };
  expect(await rules()).not.toContain('description_under_30_characters');
  const line = ['account', 'report', 'checked', '--portals', 'kyero,trovit', '--mute', 'no_price'];
  expect(await operator.json(line)).toEqual({ portals: ['kyero', 'trovit'], muted: ['no_price'] });
  expect(await rules()).toContain('description_under_30_characters');
  expect(await rules()).not.toContain('no_price');
  expect((await operator.run(['account', 'report', 'checked', '--mute', 'none'])).out).toBe(
    'portals: kyero, trovit\nmuted:   none\n',
  );
  expect(await rules()).toContain('no_price');
  expect(await failureOf(['account', 'report', 'checked', '--portals', 'zillow'])).toEqual({
    exit: 2,
    code: 'invalid_fields',
  });
  expect(await failureOf(['account', 'report', 'checked', '--mute', 'nothing'])).toEqual({
    exit: 2,
    code: 'invalid_fields',
  });
});

test('import of a price that lacks three digits: the next report says so, until the price is corrected', async () => {
  await createAccount('JUMPING');
  const load = (price: string) => {
    const feed = kyeroFeed([kyeroRecord('P1', { price }), kyeroRecord('P2')]);
    return operator.json(['import', '--account', 'JUMPING'], feed, 0);
  };
  const jumped = async () => {
    const line = ['report', '--account', 'JUMPING', '--rule', 'price_jumped'];
    return (await operator.json<{ properties: unknown[] }>(line)).properties;
  };
  await load('345000');
  expect(await jumped()).toEqual([]);
  await load('345');
  const finding = { rule: 'price_jumped', node: 'price', value: '345000 → 345' };
  expect(await jumped()).toEqual([{ id: 'P1', findings: [finding] }]);
  await load('345000');
  expect(await jumped()).toEqual([]);
});

test('report --links: requests what listed properties link to', async () => {
  const url = new URL('/no-such-page', operator.server.url).href;
  await store(operator.server.db, await accountId('JUMPING'), [
    property('P3', { texts: { uk: { url } } }),
    property('P4', { texts: { uk: { url } }, status: 'Withdrawn' }),
  ]);
  const line = [
    'report',
    '--account',
    'JUMPING',
    '--links',
    '--property',
    'P3',
    '--rule',
    'link_gone',
  ];
  expect((await operator.json<{ properties: unknown[] }>(line, '', 3)).properties).toEqual([
    { id: 'P3', findings: [{ rule: 'link_gone', node: 'url/uk', value: `404 ${url}` }] },
  ]);
  expect((await operator.run([...line.slice(0, 4), '--rule', 'link_gone'])).out).toContain(
    '1 property has errors',
  );
});

test('report on an account that does not exist, or is disabled: exit code 1', async () => {
  expect(await failureOf(['report', '--account', 'nobody'])).toEqual({
    exit: 1,
    code: 'account_not_found',
  });
  await operator.run(['account', 'disable', 'checked']);
  expect(await failureOf(['report', '--account', 'checked'])).toEqual({
    exit: 1,
    code: 'bad_credentials',
  });
});
