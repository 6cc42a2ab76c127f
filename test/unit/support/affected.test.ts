import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { affectedTests, COVERED_BY } from '../../support/affected.ts';

test('every listed test exists', () => {
  const named = Object.values(COVERED_BY).flatMap((tests) => tests ?? []);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test.each<[string, readonly string[]]>([
  ['src/oauth/verify.ts', ['test/worker/oauth/']],
  ['src/cli/demo/agencies.ts', ['test/worker/portfolio/demo.test.ts']],
  ['src/cli/doctor.ts', []],
  ['test/worker/fuzz/arbitraries.ts', []],
  ['src/feed/README.md', []],
  ['test/worker/lib/json.test.ts', ['test/worker/lib/json.test.ts']],
  ['test/worker/feed/golden/feed-v1.xml', ['test/worker/feed/golden/']],
  ['src/app.ts', expect.arrayContaining(['test/worker/oauth/token.test.ts'])],
])('a change of %s: the tests of it, and the golden documents', (changed, tests) => {
  expect(affectedTests([changed]).slice(1)).toEqual(tests);
});
