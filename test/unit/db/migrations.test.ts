import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const DIRECTORY = join(import.meta.dirname, '../../../migrations');

const files = readdirSync(DIRECTORY).filter((file) => file.endsWith('.sql'));

test('no two migrations have the same number', () => {
  const numbers = files.map((file) => /^\d{4}(?=_)/.exec(file)?.[0]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(files.length);
});

/** Constructs that statement splitters are known to handle wrongly. */
describe.each(files)('%s', (file) => {
  const text = readFileSync(join(DIRECTORY, file), 'utf8');
  const comments = text.match(/--.*/g) ?? [];
  const triggers = text.match(/^CREATE TRIGGER [\s\S]*?^; END;$/gm) ?? [];

  test('has LF line endings', () => {
    expect(text).not.toContain('\r');
  });

  test('has no apostrophe and no semicolon in a comment', () => {
    expect(comments.filter((comment) => /['";]/.test(comment))).toEqual([]);
  });

  test('has triggers with BEGIN at their beginning and END only at their end', () => {
    expect(triggers.length).toBe(text.match(/\bCREATE TRIGGER\b/gi)?.length ?? 0);
    for (const trigger of triggers) {
      expect(trigger.match(/\bbegin\b/gi)).toEqual(['BEGIN']);
      expect(trigger.match(/\bend\b/gi)).toEqual(['END']);
      expect(trigger).not.toMatch(/\bcase\b/i);
    }
  });
});
