import { describe, expect, test } from 'vitest';
import { operator, useOperator } from './operator.ts';

useOperator();

describe('the command line', () => {
  test.each([
    ['no command', [], 'Which command?'],
    ['an unknown command', ['acount'], 'Did you mean account?'],
    ['a group without a command', ['account'], 'Which of the commands of "account"?'],
    ['an unknown command of a group', ['account', 'lst'], 'Did you mean list?'],
    ['an option without its value', ['client', 'list', '--account'], 'Not enough arguments following: account'],
    [
      'a scope without its value',
      ['client', 'create', '--account', 'a', '--scope'],
      'Not enough arguments following: scope',
    ],
    [
      'an option given twice',
      ['client', 'list', '--account', 'a', '--account', 'b'],
      '--account is given more than once.',
    ],
    [
      'an option of all commands given twice',
      ['account', 'list', '--persist-to=a', '--persist-to=b'],
      '--persist-to is given',
    ],
    ['a number beyond all rows', ['unit', 'history', 'd', 'u', '--account', 'a', '--limit', '1e21'], '--limit must be'],
    ['--json=true, as one JSON document', ['account', '--json=true'], '{"error":{"code":"usage","message":"Which of'],
  ])('%s: exit code 2', async (_, args, message) => {
    const ran = await operator.run(args);
    expect(ran.err).toContain(message);
    expect([ran.exit, ran.out]).toEqual([2, '']);
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
