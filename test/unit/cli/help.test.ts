import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import EXAMPLES from '../../../src/cli/examples.json' with { type: 'json' };
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

test('examples.json: each example is in the help of its command', () => {
  const shown = [...texts.values()].flatMap(
    (text) => text.split('\nExamples:\n')[1]?.match(/^ {2}npm run -s lindero -- /gm) ?? [],
  );
  expect(shown).toHaveLength(Object.keys(EXAMPLES).length);
});

/** Commands whose examples would do more than fail without a service. */
const OFFLINE = ['setup', 'check', 'deploy', 'smoke'];

test.each(Object.keys(EXAMPLES).filter((example) => !OFFLINE.includes(example.split(' ')[0]!)))(
  'examples.json: "%s" is a valid command line, which then needs a service',
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
