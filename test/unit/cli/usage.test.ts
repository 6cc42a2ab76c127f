import { describe, expect, test } from 'vitest';
import { runOffline } from '../../support/command-line.ts';

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
    const ran = await runOffline(args);
    expect(ran.err).toContain(message);
    expect([ran.exit, ran.out]).toEqual([2, '']);
  });

  test.each([
    ['a code with a space', ['a b'], '', 'a b is no code'],
    ['a code that is too long', ['x'.repeat(41)], '', 'is no code'],
    ['an empty name', ['x', '--name', ''], '', 'The name must have'],
    ['a name that is too long', ['x', '--name', 'x'.repeat(201)], '', 'The name must have'],
    ['no password on the standard input', ['x', '--password-stdin'], '\nnext line', 'has no password'],
    ['a blank password', ['x', '--password-stdin'], '  \n', 'has no password'],
    ['a control character in the password', ['x', '--password-stdin'], 'a\0\n', 'has a control character'],
    ['no code', [], '', 'Not enough non-option arguments'],
    ['an option that it does not have', ['x', '--nam', 'x'], '', 'Unknown argument: nam'],
  ])('account create with %s: exit code 2', async (_, args, input, message) => {
    const ran = await runOffline(['account', 'create', ...args], input);
    expect(ran.err).toContain(message);
    expect([ran.exit, ran.out]).toEqual([2, '']);
  });
});
