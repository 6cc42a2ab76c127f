import { describe, expect, test } from 'vitest';
import { hashPassword } from '../../../src/lib/secrets/secrets.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import {
  accountId,
  createAccount,
  failureOf,
  feedStatus,
  operator,
  useOperator,
} from '../operator.ts';

useOperator();

describe('account', () => {
  test('create: the feed is 200 with the password that is shown, 401 with another', async () => {
    const { exit, out } = await operator.run([
      'account',
      'create',
      'first',
      '--name',
      'First & Co',
    ]);
    const [, password] = /not shown again: (\S+)\n$/.exec(out) ?? [];
    expect(exit).toBe(0);
    expect(await feedStatus('FIRST', password!)).toBe(200);
    expect(await feedStatus('FIRST', 'other')).toBe(401);
  });

  test('create --password-stdin: the feed is 200 with the first line, which is not shown', async () => {
    const { exit, out } = await operator.run(
      ['account', 'create', 'own', '--password-stdin'],
      'sécret\r\nmore',
    );
    expect([exit, out.includes('sécret')]).toEqual([0, false]);
    expect(await feedStatus('OWN', encodeURIComponent('sécret'))).toBe(200);
  });

  test('password: the feed is 401 with the old one, 200 with the new one', async () => {
    const before = await createAccount('PASSES');
    expect(await feedStatus('PASSES', before)).toBe(200);
    const { password } = await operator.json<{ password: string }>([
      'account',
      'password',
      'passes',
    ]);
    expect(await feedStatus('PASSES', before)).toBe(401);
    expect(await feedStatus('PASSES', password)).toBe(200);
  });

  test('invite: an owner who has lost the password and the second factor chooses another with the link', async () => {
    await createAccount('LOST');
    const id = await accountId('LOST');
    const { db, url } = operator.server;
    await db
      .prepare(
        `INSERT INTO people (account_id, name, role, password, totp_secret) VALUES (?, 'Ana', 'owner', ?, 'sealed')`,
      )
      .bind(id, await hashPassword('lost'))
      .run();
    const args = ['account', 'invite', 'lost', '--name', 'ana'];
    const { link, role } = await operator.json<{ link: string; role: string }>(args);
    expect(role).toBe('owner');
    const send = async (path: string, fields: Record<string, string>) => {
      const headers = { 'Sec-Fetch-Site': 'same-origin' };
      const body = new URLSearchParams(fields);
      return (
        await fetch(new URL(path, url), { method: 'POST', redirect: 'manual', headers, body })
      ).status;
    };
    const password = 'correct horse battery';
    expect(await send(link, { password })).toBe(303);
    expect(await send(link, { password })).toBe(410);
    expect(await send('/sign-in', { account: 'LOST', name: 'Ana', password })).toBe(303);
    const people = await db
      .prepare('SELECT count(*) AS n FROM people WHERE account_id = ?')
      .bind(id)
      .first('n');
    expect(people).toBe(1);
    expect((await operator.run(['account', 'invite', 'lost'])).exit).toBe(2);
    for (const [name, exit] of Object.entries({
      ' ': 2,
      [` ${'N'.repeat(100)} `]: 0,
      ['N'.repeat(101)]: 2,
    })) {
      expect([
        name,
        (await operator.run(['account', 'invite', 'lost', '--name', name])).exit,
      ]).toEqual([name, exit]);
    }
    expect((await operator.run(['account', 'invite', 'nobody', '--name', 'Ana'])).exit).not.toBe(0);
  });

  test('disable and enable: the feed is 401, then 200', async () => {
    const password = await createAccount('CLOSED');
    expect(await operator.json(['account', 'disable', 'closed'])).toEqual({
      code: 'CLOSED',
      disabled: true,
    });
    expect(await feedStatus('CLOSED', password)).toBe(401);
    expect(await operator.json(['account', 'enable', 'closed'])).toEqual({
      code: 'CLOSED',
      disabled: false,
    });
    expect(await feedStatus('CLOSED', password)).toBe(200);
  });

  test('list: every account with how many properties it has, and how many of them feeds show', async () => {
    await createAccount('LISTED');
    const id = await accountId('LISTED');
    await store(operator.server.db, id, [
      ...VOCABULARY,
      { kind: 'development', id: 'd', name: 'D' },
      { kind: 'unit', development: 'd', name: 'sold', status: 4, price: 1, directions: [] },
      property('a'),
      property('b', { status: 'Withdrawn' }),
      property('c', { unit: { development: 'd', name: 'sold' } }),
    ]);
    await operator.run(['account', 'disable', 'listed']);
    const { accounts } = await operator.json<{ accounts: object[] }>(['account', 'list']);
    expect(accounts).toContainEqual({
      code: 'LISTED',
      name: 'LISTED',
      disabled: true,
      listed: 1,
      properties: 3,
      database: 'DB',
    });
    expect((await operator.run(['account', 'list'])).out).toMatch(
      /^LISTED +LISTED +1 +3 +disabled$/m,
    );
  });

  test('create with one code, four times at once: one creates it, the others fail as a later one does', async () => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => operator.run(['account', 'create', 'raced', '--json'])),
    );
    const failed = runs.filter(({ exit }) => exit !== 0);
    const error = { code: 'account_in_use', message: 'There is an account RACED already.' };
    expect(failed.map(({ exit, out, err }) => [exit, out, JSON.parse(err)])).toEqual(
      Array(3).fill([1, '', { error }]),
    );
    expect(await operator.run(['account', 'create', 'raced', '--json'])).toEqual(failed[0]);
  });

  test.each([
    ['create with a code in use', ['account', 'create', 'first'], 'account_in_use'],
    ['password of an unknown account', ['account', 'password', 'nobody'], 'account_not_found'],
    ['disable of an unknown account', ['account', 'disable', 'nobody'], 'account_not_found'],
    ['enable of an unknown account', ['account', 'enable', 'nobody'], 'account_not_found'],
  ])('%s: exit code 1', async (_, args, code) => {
    expect(await failureOf(args)).toEqual({ exit: 1, code });
  });

  test.each([
    ['a code with a space', ['create', 'a b'], '', 'invalid_fields'],
    ['a code that is too long', ['create', 'x'.repeat(41)], '', 'invalid_fields'],
    ['an empty name', ['create', 'x', '--name', ''], '', 'invalid_fields'],
    ['a name that is too long', ['create', 'x', '--name', 'x'.repeat(201)], '', 'invalid_fields'],
    [
      'no password on the standard input',
      ['create', 'x', '--password-stdin'],
      '\nnext line',
      'usage',
    ],
    ['a blank password', ['create', 'x', '--password-stdin'], '  \n', 'usage'],
    [
      'a control character in the password',
      ['create', 'x', '--password-stdin'],
      'a\0\n',
      'invalid_fields',
    ],
  ])('create with %s: exit code 2', async (_, args, input, code) => {
    expect(await operator.json(['account', ...args], input, 2)).toMatchObject({ error: { code } });
  });
});
