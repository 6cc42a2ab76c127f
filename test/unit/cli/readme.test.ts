import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runOffline } from '../../support/command-line.ts';

/** The program itself stands in the README under this name. */
const PROGRAM = 'lindero';

async function helpOf(words: readonly string[]): Promise<string> {
  const { exit, out } = await runOffline([...words, '--help']);
  expect(exit).toBe(0);
  return out.trim();
}

/** The help of the program and of every command, by the words that it is asked for by. */
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

test('README.md has the help of every command, as the program gives it', async () => {
  const readme = await readFile(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8');
  const written = new Map(
    [...readme.matchAll(/<!-- help:([a-z ]+) -->\s*```text\n(.*?)\n```\s*<!-- \/help -->/gs)].map(([, name, text]) => [
      name,
      text,
    ]),
  );
  const texts = await helpTexts();
  expect(texts.size).toBeGreaterThan(15);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(texts));
});

test('every command has an example', async () => {
  for (const [name, text] of await helpTexts()) {
    if (!text.includes('\nCommands:')) expect(text, name).toContain('\nExamples:\n');
  }
});
