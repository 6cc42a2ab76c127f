import { describe, expect, test } from 'vitest';
import { runOffline } from '../../support/processes/command-line.ts';

/** What the program reports about an invalid command line, which it must not execute. */
async function usageError(args: readonly string[], input?: string): Promise<string> {
  const { exit, out, err } = await runOffline([...args, '--json'], input);
  const { error } = JSON.parse(err);
  expect([exit, out, error.code]).toEqual([2, '', 'usage']);
  return error.message;
}

describe('an invalid command line: exit code 2, and what is wrong', () => {
  test.each([
    ['no command', [], '--help'],
    ['an unknown command', ['acount'], 'Unknown command. Did you mean account?'],
    ['a group without a command', ['account'], 'account --help'],
    ['an unknown command of a group', ['account', 'lst'], 'list'],
    [
      'one with an argument',
      ['account', 'zap', 'COSTA'],
      '"account" has no such command. For a list: ',
    ],
    [
      'no --account and no --address',
      ['webhook', 'put', 'crm'],
      'Missing options: account, address',
    ],
    ['an option without its value', ['client', 'list', '--account'], 'account'],
    ['a scope without its value', ['client', 'create', '--account', 'a', '--scope'], 'scope'],
    ['a repeated option', ['client', 'list', '--account', 'a', '--account', 'b'], '--account'],
    ['a repeated option of all commands', ['account', 'list', '--url=a', '--url=b'], '--url'],
    ['no account code', ['account', 'create'], 'missing: 0 given, 1 needed'],
    ['an unknown option', ['account', 'create', 'x', '--nam', 'x'], 'nam'],
    ['a flag that is neither true nor false', ['account', 'list', '--json=maybe'], '--json'],
  ])('%s', async (_, args, mentioned) => {
    expect(await usageError(args)).toContain(mentioned);
  });

  test('--json=true: a JSON document too', async () => {
    const { err } = await runOffline(['account', '--json=true']);
    expect(JSON.parse(err).error.code).toBe('usage');
  });

  test('without --json: text', async () => {
    const { exit, err } = await runOffline(['account']);
    expect([exit, err]).toEqual([2, expect.stringMatching(/^[^{].*\n$/)]);
  });
});
