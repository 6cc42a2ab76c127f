import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const DIRECTORY = join(import.meta.dirname, '../../../migrations');

const files = readdirSync(DIRECTORY).filter((file) => file.endsWith('.sql'));

test('migrations are numbered from 1 without gaps', () => {
  expect(files.toSorted().map((file) => Number.parseInt(file, 10))).toEqual(files.map((_, index) => index + 1));
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
