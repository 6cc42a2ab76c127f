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
    ['one with an argument', ['account', 'zap', 'COSTA'], '"account" has no such command. For a list: '],
    ['no --account and no --url', ['webhook', 'put', 'crm'], 'Missing options: account, url'],
    ['an option without its value', ['client', 'list', '--account'], 'account'],
    ['a scope without its value', ['client', 'create', '--account', 'a', '--scope'], 'scope'],
    ['a repeated option', ['client', 'list', '--account', 'a', '--account', 'b'], '--account'],
    ['a repeated option of all commands', ['account', 'list', '--persist-to=a', '--persist-to=b'], '--persist-to'],
    ['a number that is too large', ['unit', 'history', 'd', 'u', '--account', 'a', '--limit', '1e21'], '--limit'],
    ['an export to the standard output as JSON', ['export', '--account', 'a'], 'file'],
    ['an account code with a space', ['account', 'create', 'a b'], '"A B"'],
    ['an account code that is too long', ['account', 'create', 'x'.repeat(41)], 'X'.repeat(41)],
    ['no account code', ['account', 'create'], 'missing: 0 given, 1 needed'],
    ['an empty name', ['account', 'create', 'x', '--name', ''], '--name'],
    ['a name that is too long', ['account', 'create', 'x', '--name', 'x'.repeat(201)], '--name'],
    ['an unknown option', ['account', 'create', 'x', '--nam', 'x'], 'nam'],
    [
      'a limit of a download that the service makes',
      ['import', 'f', '--account', 'x', '--in-worker', '--timeout', '5'],
      '--timeout',
    ],
    [
      'a download that the service makes, forced',
      ['import', 'f', '--account', 'x', '--in-worker', '--force'],
      '--force',
    ],
    ['a flag that is neither true nor false', ['account', 'list', '--json=maybe'], '--json'],
    ['a share above 100', ['import', '--account', 'x', '--replace', '--max-withdrawn', '101'], 'max-withdrawn'],
  ])('%s', async (_, args, mentioned) => {
    expect(await usageError(args)).toContain(mentioned);
  });

  test.each([
    ['no password on the standard input', '\nnext line'],
    ['a blank password', '  \n'],
    ['a control character in the password', 'a\0\n'],
  ])('%s', async (_, input) => {
    expect(await usageError(['account', 'create', 'x', '--password-stdin'], input)).toContain('--password-stdin');
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
