import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LINES } from '../../../src/cli/smoke/run.ts';
import { runOffline } from '../../support/command-line.ts';

/** The README's heading for the help of the program itself. */
const PROGRAM = 'lindero';

const README = join(import.meta.dirname, '../../../src/cli/README.md');
const HELP = /<!-- help:([a-z ]+) -->\n.*?<!-- \/help -->/gs;

function helpBlock(name: string, help: string): string {
  return `<!-- help:${name} -->\n\n\`\`\`text\n${help}\n\`\`\`\n\n<!-- /help -->`;
}

async function helpOf(words: readonly string[]): Promise<string> {
  const { exit, out } = await runOffline([...words, '--help']);
  expect(exit).toBe(0);
  return out.trim();
}

/** The help of the program and of every command, by the words of the command. */
async function helpTexts(words: readonly string[] = []): Promise<Map<string, string>> {
  const help = await helpOf(words);
  const texts = new Map([[words.join(' ') || PROGRAM, help]]);
  const commands = /^Commands:\n(.*?)\n\n/ms.exec(help)?.[1] ?? '';
  const prefix = ['npm run -s lindero --', ...words].join(' ');
  for (const [, word] of commands.matchAll(new RegExp(`^  ${prefix} ([a-z]+)`, 'gm'))) {
    for (const [name, text] of await helpTexts([...words, word!])) texts.set(name, text);
  }
  return texts;
}

test('README.md has the help of every command; vitest -u writes it', async () => {
  const readme = await readFile(README, 'utf8');
  const texts = await helpTexts();
  expect(texts.size).toBeGreaterThan(15);
  expect([...readme.matchAll(HELP)].map(([, name]) => name).sort()).toEqual([...texts.keys()].sort());
  const updated = readme.replaceAll(HELP, (_, name: string) => helpBlock(name, texts.get(name)!));
  await expect(updated).toMatchFileSnapshot(README);
});

test('README.md explains every line of smoke, in their order', async () => {
  const readme = await readFile(README, 'utf8');
  const [, table] = /^\| line \| what it verifies \| if it fails \|\n\| --- .*\n((?:\|.*\n)+)/m.exec(readme)!;
  const explained = table!.trimEnd().split('\n');
  const names = explained.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(names).toEqual(LINES);
  for (const row of explained) expect(row).toMatch(/^\| [^|]+ \| [^|]+ \| [^|]+ \|$/);
});

test('every command has an example', async () => {
  for (const [name, text] of await helpTexts()) {
    if (!text.includes('\nCommands:')) expect(text, name).toContain('\nExamples:\n');
  }
});
