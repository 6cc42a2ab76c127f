import { describe, expect, test } from 'vitest';
import { writePortfolio } from '../../../src/db/operator/portfolio/write.ts';
import { property, VOCABULARY } from '../../support/portfolio.ts';
import { accountId, aMoment, feedStatus, open, operator, useOperator } from './operator.ts';

useOperator();

describe('account', () => {
  test('create: the feed is served with the password that is shown', async () => {
    const { exit, out } = await operator.run(['account', 'create', 'first', '--name', 'First & Co']);
    const [, password] = /not shown again: (\S+)\n$/.exec(out) ?? [];
    expect(exit).toBe(0);
    expect(await feedStatus('FIRST', password!)).toBe(200);
    expect(await feedStatus('FIRST', 'other')).toBe(401);
  });

  test('create --password-stdin: takes the first line, and does not show it', async () => {
    const { exit, out } = await operator.run(['account', 'create', 'own', '--password-stdin'], 'sécret\r\nmore');
    expect([exit, out]).toEqual([0, 'Opened OWN.\n']);
    expect(await feedStatus('OWN', encodeURIComponent('sécret'))).toBe(200);
  });

  test('create with a code in use: exit code 1', async () => {
    expect(await operator.run(['account', 'create', 'first'])).toEqual({
      exit: 1,
      out: '',
      err: expect.stringContaining('There is an account FIRST already.'),
    });
  });

  test('password: the one before is refused within a second', async () => {
    const before = await open('PASSES');
    expect(await feedStatus('PASSES', before)).toBe(200);
    const { password } = await operator.json<{ password: string }>(['account', 'password', 'passes']);
    await aMoment();
    expect(await feedStatus('PASSES', before)).toBe(401);
    expect(await feedStatus('PASSES', password)).toBe(200);
  });

  test('disable and enable: the feed is refused within a second, and served again', async () => {
    const password = await open('SHUT');
    expect((await operator.run(['account', 'disable', 'shut'])).out).toBe('SHUT is disabled.\n');
    expect(await feedStatus('SHUT', password)).toBe(401);
    expect((await operator.run(['account', 'enable', 'shut'])).exit).toBe(0);
    await aMoment();
    expect(await feedStatus('SHUT', password)).toBe(200);
  });

  test('list: every account with what it has', async () => {
    await open('LISTED');
    const id = await accountId('LISTED');
    await writePortfolio(operator.server.db, id, [
      ...VOCABULARY,
      property('a'),
      property('b', { status: 'Withdrawn' }),
    ]);
    await operator.run(['account', 'disable', 'listed']);
    const { accounts } = await operator.json<{ accounts: object[] }>(['account', 'list']);
    expect(accounts).toContainEqual({
      id,
      code: 'LISTED',
      name: 'LISTED',
      disabled: true,
      on_market: 1,
      properties: 2,
    });
    expect((await operator.run(['account', 'list'])).out).toMatch(/^LISTED +LISTED +1 +2 +disabled$/m);
  });

  test.each(['password', 'disable', 'enable'])('%s of an account that is not there: exit code 1', async (verb) => {
    const { exit, err } = await operator.run(['account', verb, 'nobody', '--json']);
    expect(JSON.parse(err).error).toEqual({
      code: 'no_account',
      message: 'There is no account NOBODY. See: account list',
    });
    expect(exit).toBe(1);
  });

  test('a deployed account that is not there: exit code 1, and where to look', async () => {
    const { exit, err } = await operator.run(['snapshot', 'list', '--account', 'nobody', '--remote']);
    expect([exit, err]).toEqual([1, 'There is no account NOBODY. See: account list --remote\n']);
  });

  test('a database without tables: exit code 1, and what to do', async () => {
    const { db } = operator.server;
    await db.prepare('ALTER TABLE accounts RENAME TO elsewhere').run();
    const { exit, err } = await operator.run(['account', 'list']);
    await db.prepare('ALTER TABLE elsewhere RENAME TO accounts').run();
    expect(err).toContain('run npm start for the local one, npm run deploy for the deployed one');
    expect(exit).toBe(1);
  });
});
