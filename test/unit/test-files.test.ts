import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no test file is longer than 500 lines', () => {
  const files = ['unit', 'worker', 'system', 'long'].flatMap((kind) =>
    readdirSync(`test/${kind}`, { recursive: true, encoding: 'utf8' }).map((file) => `test/${kind}/${file}`),
  );
  const long = files.filter((file) => file.endsWith('.ts') && readFileSync(file, 'utf8').split('\n').length > 501);
  expect(long).toEqual([]);
});
