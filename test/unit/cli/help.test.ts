import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { APIS } from '../../../src/apis.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { MODULES } from '../../../src/cli/program.ts';
import { CHECKS } from '../../../src/cli/smoke/checks.ts';
import { runOffline } from '../../support/processes/command-line.ts';

/** The help of every command, by the words of the command. */
async function helpTexts(words: readonly string[] = []): Promise<Map<string, string>> {
  const { exit, out } = await runOffline([...words, '--help']);
  expect(exit).toBe(0);
  const texts = new Map([[words.join(' '), out]]);
  const commands = /^Commands:\n(.*?)\n\n/ms.exec(out)?.[1] ?? '';
  const prefix = ['npm run -s lindero --', ...words].join(' ');
  for (const [, word] of commands.matchAll(new RegExp(`^  ${prefix} ([a-z]+)`, 'gm'))) {
    for (const [name, text] of await helpTexts([...words, word!])) texts.set(name, text);
  }
  return texts;
}

const texts = await helpTexts();

test('--help of every command: its options, and an example', () => {
  expect(texts.size).toBeGreaterThan(15);
  for (const [name, text] of texts) {
    expect(text, name).toContain('\nOptions:\n');
    if (!text.includes('\nCommands:')) expect(text, name).toContain('\nExamples:\n');
  }
});

/** A command with its words, or those of a group. */
function withWords(command: Command, before = ''): (readonly [words: string, Command])[] {
  const words = before + command.command.split(' ')[0]!;
  return (
    command.commands?.flatMap((each) => withWords(each, `${words} `)) ?? [[words, command] as const]
  );
}

const commands = (
  await Promise.all(
    Object.entries(MODULES).map(async ([name, load]) => withWords((await load())[name]!)),
  )
).flat();

const examples = commands.flatMap(([words, { examples = {} }]) =>
  Object.keys(examples).map((rest) => `${words} ${rest}`.trim()),
);

test('each command that is a request: an operation of the API, which routes describe', () => {
  const unnamed = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
  const operations = new Set(
    APIS.flatMap((api) =>
      api.described.map(({ method, path }) => `${method.toUpperCase()} ${unnamed(path)}`),
    ),
  );
  const unknown = commands.filter(
    ([, { operation }]) => operation !== undefined && !operations.has(unnamed(operation)),
  );
  expect(unknown.map(([words, { operation }]) => `${words}: ${operation}`)).toEqual([]);
});

/** Commands whose examples would do more than fail without a service. */
const OFFLINE = ['setup', 'check', 'deploy', 'smoke'];

test.each(examples.filter((example) => !OFFLINE.includes(example.split(' ')[0]!)))(
  'an example: "%s" is a valid command line, which then needs a service',
  async (example) => {
    const [line] = example.split(/ [<>|] /);
    const words = [...line!.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word!,
    );
    const { exit, err } = await runOffline(words, 'first line\n');
    expect(err).toContain('must not call a service');
    expect(exit).toBe(1);
  },
);

test('READMEs: every npm script and every command that they name exists', async () => {
  const root = join(import.meta.dirname, '../../..');
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const files = [
    'README.md',
    ...(await readdir(join(root, 'src'), { recursive: true }).then((names) =>
      names.filter((name) => name.endsWith('.md')).map((name) => `src/${name}`),
    )),
  ];
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8');
    for (const [line, name] of text.matchAll(/\bnpm run (?:-s )?([a-z:]+)/g))
      expect(scripts, `${file}: ${line}`).toHaveProperty([name!]);
    for (const [line, group, verb] of text.matchAll(/\blindero (?:-- )?([a-z]+)(?: ([a-z]+))?/g)) {
      const known =
        texts.has(group!) &&
        (!texts.has(`${group} list`) || verb === undefined || texts.has(`${group} ${verb}`));
      expect(known, `${file}: ${line}`).toBe(true);
    }
  }
});

test('README.md explains every line of smoke, in their order', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../src/cli/README.md'), 'utf8');
  const [, table] =
    /^\| line \| what it verifies \| if it fails \|\n\| --- .*\n((?:\|.*\n)+)/m.exec(readme)!;
  const explained = table!.trimEnd().split('\n');
  const names = explained.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(names).toEqual([...CHECKS.keys()]);
  for (const row of explained) expect(row).toMatch(/^\| [^|]+ \| [^|]+ \| [^|]+ \|$/);
});
