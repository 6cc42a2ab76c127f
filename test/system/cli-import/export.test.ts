import { execFileSync } from 'node:child_process';
import { lstat, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seedDemo } from '../../support/accounts/demo.ts';
import { operator, useOperator } from '../operator.ts';
import { openAgency } from './agency.ts';

useOperator();

test('export and import into an empty account: the feeds have the same bytes', async () => {
  await seedDemo(operator.server.db);
  const copy = await openAgency();
  const file = `${operator.directory}/demo.ndjson`;
  expect((await operator.run(['export', file, '--account', 'demo'])).exit).toBe(0);
  await operator.json(['import', file, '--account', copy.code, '--strict']);
  const piped = await operator.run(['export', '--account', copy.code]);
  expect(piped.out).toBe((await operator.run(['export', '--account', 'demo'])).out);
  for (const query of [
    '',
    'FV=2&AR=TRUE&ARP=TRUE',
    'FV=3&Language=1,2,3,4,5,6,7,8,9,10&IC=0&ShowRTA=TRUE',
    'FV=3&DisplayListingDate=TRUE',
  ]) {
    expect(await operator.feed(`U=OWNPROPERTIES@${copy.code}&P=${copy.password}&${query}`)).toBe(
      await operator.feed(`U=OWNPROPERTIES@DEMO&P=demo&${query}`),
    );
  }
});

describe('export', () => {
  test('begins with a start line and ends with an end line', async () => {
    const { out } = await operator.run(['export', '--account', 'demo']);
    const exported = out.trimEnd().split('\n');
    expect(exported[0]).toBe('{"kind":"portfolio"}');
    expect(exported.at(-1)).toBe(`{"kind":"end","documents":${exported.length - 2}}`);
  });

  test('to a named pipe and to a symbolic link: written through the pipe and into the linked file', async () => {
    const { out } = await operator.run(['export', '--account', 'demo']);
    const pipe = join(operator.directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readFile(pipe, 'utf8');
    expect((await operator.run(['export', pipe, '--account', 'demo'])).exit).toBe(0);
    expect([await read, (await stat(pipe)).isFIFO()]).toEqual([out, true]);

    const file = await operator.file('linked-file', 'old content');
    const link = join(operator.directory, 'link');
    await symlink(file, link);
    expect((await operator.run(['export', link, '--account', 'demo'])).exit).toBe(0);
    expect([await readFile(file, 'utf8'), (await lstat(link)).isSymbolicLink()]).toEqual([
      out,
      true,
    ]);
  });

  test.each([
    ['a directory', '.', 'illegal operation on a directory'],
    ['a missing directory', 'nowhere/x', 'no such file or directory'],
  ])('to %s: exit code 1, and the path is named', async (_, name, why) => {
    const path = join(operator.directory, name);
    const { exit, err } = await operator.run(['export', path, '--account', 'demo']);
    expect([exit, err]).toEqual([1, `Cannot write ${path}: ${why}.\n`]);
  });
});

test('export of an unknown account; export with --json to the standard output: exit codes 1 and 2', async () => {
  expect((await operator.run(['export', '--account', 'nobody'])).exit).toBe(1);
  expect((await operator.run(['export', '--account', 'demo', '--json'])).exit).toBe(2);
});
